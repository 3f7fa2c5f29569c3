/** Files of strangers: what takes them apart runs in the process that reads files, and nowhere else. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from './rooms.ts'

const READER = 'documents/reading-process.ts'
const SERVING = ['server.ts', 'worker.ts', 'admin.ts', 'deploy.ts']
const textOf = (file: string) => readFileSync(file, 'utf8')
/** Our files are paths, packages are names. */
const isOurs = (from: string) => from.endsWith('.ts')

/** Lists what a file loads, at once or later. */
const loadedBy = (file: string): string[] => [
  ...importsOf(file).flatMap(({ from, typeOnly }) => (typeOnly ? [] : [from])),
  ...[...textOf(file).matchAll(/(?<!typeof )\bimport\('([^']+)'\)/g)].map(([, from = '']) =>
    from.startsWith('.') ? normalize(join(dirname(file), from)) : from,
  ),
]

/** Finds our files that these load, with the entries. */
function reachedFrom(entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set(entries)
  for (const file of reached) for (const from of loadedBy(file)) if (isOurs(from)) reached.add(from)
  return reached
}

const serving = reachedFrom(SERVING)
const reading = reachedFrom([READER])
const filesWith = (pattern: RegExp, files: Iterable<string> = serving) =>
  [...files].filter((file) => pattern.test(textOf(file))).toSorted()

test('the entries are followed to what they load', () => {
  expect(serving.size).toBeGreaterThan(500)
  expect([...reading]).toEqual(
    expect.arrayContaining([
      'documents/batches/zip.ts',
      'documents/xml/document.ts',
      'documents/bills/drawing.ts',
      'documents/invoices/attachment-check.ts',
      'documents/pictures/decoder.ts',
    ]),
  )
})

/** Parsers and decoders in packages. Of what serves, these files have one, and take only what the service wrote. */
const PARSERS = /^(?:saxes|sharp|mailparser|@embedpdf\/.+|zxing-wasm.*|tesseract.*|hucre.*|pdf.*|csv-.*)$/
const OF_OUR_OWN: Readonly<Record<string, string>> = {
  'documents/statements/xlsx.ts': 'hucre/xlsx', // writes
  'documents/pdf/logo.ts': 'sharp', // makes a jpeg of the webp that our own decoder wrote
}

test('a thread that serves requests or workflows loads no parser of files', () => {
  const loaded = [...serving].flatMap((file) =>
    loadedBy(file).flatMap((from) => (PARSERS.test(from) && from !== 'pdfkit' ? [[file, from]] : [])),
  )
  expect(Object.fromEntries(loaded)).toEqual(OF_OUR_OWN)
})

/** Ways to load a module that nothing above follows: by a name that is computed, by a function of CommonJS, or by text. */
const UNSEEN = [
  /(?<!typeof )\bimport\((?!'[^']+'\))/,
  /\bcreateRequire\([^()]*\)\(|\b(\w+) = createRequire\([^]*\b\1\(|\bgetBuiltinModule\b/,
  /\bnew Function\(|(?<![.\w])eval\(|\bnode:(?:vm|wasi|ffi)\b|\bWebAssembly\.(?:compile|instantiate)/,
  /^[^'"`]*\*\/ *(?:import|export)\b/m,
]

test.each<[string, boolean]>([
  ["await import('./a.ts')", false],
  ["type A = typeof import('a')", false],
  ["createRequire(import.meta.url).resolve('a')", false],
  ['await import(`a`)', true],
  ['await import(name)', true],
  ["createRequire(import.meta.url)('a')", true],
  ["const load = createRequire(import.meta.url)\nload('a')", true],
  ["process.getBuiltinModule('zlib')", true],
  ["/* a */ import { A } from 'a'", true],
])('what is loaded unseen is found: %j', (code, isUnseen) =>
  expect(UNSEEN.some((pattern) => pattern.test(code))).toBe(isUnseen),
)

test('a thread that serves loads nothing in a way that is not followed', () =>
  expect(UNSEEN.flatMap((pattern) => filesWith(pattern))).toEqual([]))

test('a thread that serves unpacks nothing, but lists of our own when it starts', () => {
  const unpacks =
    /\b(?:create)?(?:inflate|gunzip|unzip|brotliDecompress|zstdDecompress)\w*\(|\b(?!gzipSync\b)\w+Sync\b[^\n]*node:zlib|\bDecompressionStream\b|\b\w*(?:flate|unzip|decompress)\w* as\b/i
  expect(filesWith(unpacks)).toEqual(['platform/reference/reference.ts'])
})

/** Rules about words that were read, which the merge of a bill asks, too. */
const ABOUT_WORDS =
  /^documents\/bills\/(?:(?:text|parties|payable)\/(?:\w+\/)?[\w-]+|address|phrases|references|verified)\.ts$/

/** Writers of our own PDFs, which draw previews in that process: they take no file apart. */
const WRITES =
  /^documents\/(?:invoices\/(?:pdf|cii|ubl|terms|table|swiss-part)|pdf\/(?:page|logo|fonts)|xml\/text)\.ts$/

test('what the process that reads files runs of documents is loaded by no thread that serves', () => {
  const read = [...reading].filter(
    (file) => file.startsWith('documents/') && !ABOUT_WORDS.test(file) && !WRITES.test(file),
  )
  expect(read.length).toBeGreaterThan(30)
  const both = read.filter((file) => serving.has(file))
  expect(both).toEqual([])
})

/** Files that take the bytes of a stored file, each with what it does with them. */
const TAKES_BYTES: Readonly<Record<string, string>> = {
  'activities/import-batch.ts': 'read as table',
  'activities/messages.ts': 'a document of ours, attached to a mail',
  'activities/read-bill.ts': 'read as bill',
  'activities/read-inbound-mail.ts': 'decrypted, and read as mail',
  'api/bills/bills.ts': 'read as page',
  'services/attachments/attachments.ts': 'read as attachments, or as page',
  'services/invoice-delivery/documents.ts': 'a document of ours, sent as it is',
  'services/invoices/attachments.ts': 'read as attachments, later attached as they are',
  'services/onboarding/papers.ts': 'encrypted, and handed to operators and providers as they are',
}

test('bytes of a stored or uploaded file are taken by files that are named', () => {
  const taking = filesWith(/\bbytesOf\b[^\n]*from '[^']*files\/files\.ts'/)
  expect(taking).toEqual(Object.keys(TAKES_BYTES))
  const uploading = filesWith(/\bupload\b[^}]*\} from '[^']*http\/operation\.ts'/)
  expect(uploading).toEqual(['api/coding/coding.ts', 'api/organizations/organizations.ts', 'api/people/me.ts'])
  for (const file of uploading)
    expect(textOf(file).match(/\.takes\(upload\(/g)?.length).toBe(
      textOf(file).match(/(?:squarePicture|readCodesFile)\(file, /g)?.length,
    )
})

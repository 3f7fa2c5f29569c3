/** Audit packs: asked for, extracted into a folder, changed, and verified by the script that is in them. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeTemporaryFolder } from '../../../dev/machine/temporary.ts'
import { partsOf, textOf } from '../../../documents/batches/zip.ts'
import { inflateRawSync } from 'node:zlib'
import { signStatement } from '../../../services/events/heads.ts'
import { type TestPerson } from '../api.ts'
import { exported } from './exports.ts'

const { path: root } = makeTemporaryFolder()
let folders = 0
const nextFolder = (): string => join(root, String((folders += 1)))

export const packOf = (by: TestPerson, organizationId: string, more: object = {}): Promise<Buffer> =>
  exported(by, organizationId, { type: 'audit_pack', sample: { size: 3, seed: 'blue moon' }, ...more })

/** Extracts an archive into a folder of its own, and verifies its checksums. */
export async function extract(zip: Buffer): Promise<string> {
  const folder = nextFolder()
  for (const [name, part] of partsOf(zip)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (!name.startsWith('papers/')) for await (const _ of textOf(part, 100_000_000)); // its checksum
    writeFileSync(path, inflateRawSync(part.packed))
  }
  return folder
}

/** Runs the script of a pack; answers its exit code and all that it says. */
export const verifyPack = (folder: string, ...words: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'verify.mjs'), folder, ...words], (error, output, complaint) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, said: `${complaint}${output}` })
    })
  })

/** Copies a pack and changes it. */
export function changed(folder: string, change: (pack: Files) => void, { sealed = false } = {}): string {
  const copy = nextFolder()
  cpSync(folder, copy, { recursive: true })
  change(filesIn(copy))
  if (sealed) seal(copy)
  return copy
}

export type Files = ReturnType<typeof filesIn>

const filesIn = (folder: string) => ({
  folder,
  text: (path: string): string => readFileSync(join(folder, path), 'utf8'),
  write: (path: string, content: string): void => writeFileSync(join(folder, path), content),
  json: (path: string): any => JSON.parse(readFileSync(join(folder, path), 'utf8')),
  list: (path: string): string[] => readdirSync(join(folder, path)).sort(),
  /** Changes a JSON in place. */
  edit(path: string, change: (value: any) => void): void {
    const value = this.json(path)
    change(value)
    this.write(path, JSON.stringify(value))
  },
  /** Changes the lines of a list in place. */
  lines(path: string, change: (lines: string[]) => void): void {
    const lines = this.text(path).split('\n').slice(0, -1)
    change(lines)
    this.write(path, lines.map((line) => `${line}\n`).join(''))
  },
})

/** Writes hashes and signature again, as who has the signing key and wants to deceive would. */
function seal(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== 'manifest.json' && path !== 'signature.json')
  manifest.files = paths.sort().map((path) => {
    const bytes = readFileSync(join(folder, path))
    return { path, byte_size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
  const text = JSON.stringify(manifest)
  writeFileSync(join(folder, 'manifest.json'), text)
  const audit_pack = createHash('sha256').update(text).digest('hex')
  const organization_id = manifest.organization.id
  const signature = signStatement((key_id) => ({ audit_pack, key_id, organization_id }))
  writeFileSync(join(folder, 'signature.json'), JSON.stringify(signature))
}

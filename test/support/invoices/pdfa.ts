/**
 * Checks of ISO 19005-3 (PDF/A-3b) on a file's structure: no validator, but everything that a writer such as ours can
 * get wrong invisibly. The numbers are those of its clauses.
 */
import { inflateSync } from 'node:zlib'
import { parseXml } from '../../../documents/xml/document.ts'
import type { Element } from '../../../documents/xml/element.ts'

type PdfObject = { readonly id: string; readonly dictionary: string; readonly stream: Buffer | null }

/** The objects of a file without object streams. */
function objectsOf(text: string): PdfObject[] {
  return [...text.matchAll(/(?<=^|\n)(\d+) 0 obj\n([^]*?)\nendobj/g)].map(([, id = '', inside = '']) => {
    const [dictionary = '', ...streams] = inside.split('\nstream\n')
    const stream =
      streams.length > 0 ? Buffer.from(streams.join('\nstream\n').replace(/\nendstream$/, ''), 'latin1') : null
    return { id, dictionary, stream: stream && /\/FlateDecode/.test(dictionary) ? inflateSync(stream) : stream }
  })
}

type Metadata = { readonly values: ReadonlyMap<string, string>; readonly described: readonly string[] }

/** Parses XMP: the text of each property by local name, and the properties that an extension schema describes. */
export function metadataIn(bytes: Uint8Array): Metadata {
  const metadata = objectsOf(Buffer.from(bytes).toString('latin1')).find(({ dictionary }) =>
    /\/Type \/Metadata/.test(dictionary),
  )
  const packet = (metadata?.stream ?? Buffer.from('')).toString()
  const elements: Element[] = []
  const visit = (element: Element): void => {
    elements.push(element)
    element.children.forEach(visit)
  }
  visit(parseXml(Buffer.from(packet.replaceAll(/<\?xpacket.*?\?>/g, '').trim())))
  const leaves = elements.filter(({ children }) => children.length === 0)
  const isProperty = ({ namespace, name }: Element) => namespace.includes('/ns/property#') && name === 'name'
  return {
    // an item of a list is two elements below its property
    values: new Map(
      leaves.map(({ name, parent, text }) => [name === 'li' ? (parent?.parent?.name ?? '') : name, text]),
    ),
    described: leaves.filter(isProperty).map(({ text }) => text),
  }
}

export function faultsOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1')
  const objects = objectsOf(text)
  const byId = new Map(objects.map((object) => [object.id, object]))
  const all = objects.map(({ dictionary }) => dictionary).join('\n')
  const ofType = (type: string) => objects.filter(({ dictionary }) => dictionary.includes(`/Type /${type}\n`))
  const at = (dictionary: string, key: string) =>
    byId.get(new RegExp(String.raw`/${key} \[?(\d+) 0 R`).exec(dictionary)?.[1] ?? '')
  const [catalog = ''] = ofType('Catalog').map(({ dictionary }) => dictionary)
  const intent = at(catalog, 'OutputIntents')?.dictionary ?? ''
  const profile = at(intent, 'DestOutputProfile')
  const contents = objects.flatMap(({ dictionary, stream }) =>
    stream && !/\/(Type|Subtype|Length1|N) /.test(dictionary) ? [stream.toString('latin1')] : [],
  )
  const fonts = ofType('Font').map(({ dictionary }) => dictionary)
  const descriptors = ofType('FontDescriptor').map(({ dictionary }) => dictionary)
  const { values, described } = metadataIn(bytes)
  const created = /\/CreationDate (\d+) 0 R/.exec(all)?.[1] ?? ''
  const kept: Readonly<Record<string, boolean>> = {
    '6.1.2 header': /^%PDF-1\.[4-7]\n%[\x80-\xff]{4}/.test(text),
    '6.1.3 ID of the file': /\ntrailer\n[^]*\/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]/.test(text),
    '6.1.3 no encryption': !/\/Encrypt\b/.test(text.slice(text.lastIndexOf('trailer'))),
    '6.1.4 cross-reference table': hasRightOffsets(text),
    '6.1.7 no LZW, no external streams': !/\/LZWDecode|\/F \(.*\/FFilter/.test(all),
    '6.2.3 output intent': /\/S \/GTS_PDFA1/.test(intent) && profile?.stream?.toString('latin1', 36, 40) === 'acsp',
    '6.2.4 device colours of the intent alone': !contents.some((content) =>
      /(?:^|\s)[kK](?=\s)|DeviceCMYK/.test(content),
    ),
    '6.2.9 nothing transparent': !/\/SMask (?!\/None)|\/(ca|CA) |\/S \/Transparency|\/BM /.test(all),
    '6.2.11 every font embedded':
      fonts.length > 0 &&
      fonts.every((font) => /\/Subtype \/(Type0|CIDFontType2)/.test(font)) &&
      descriptors.length > 0 &&
      descriptors.every((one) => /\/FontFile2 /.test(one) && /\/FontName \/[A-Z]{6}\+/.test(one)),
    '6.2.11 letters have their Unicode': fonts.every((font) => !/\/Type0/.test(font) || /\/ToUnicode /.test(font)),
    '6.3.2 annotations are printed': ofType('Annot').every(({ dictionary }) => /\/F 4\n/.test(dictionary)),
    '6.5, 6.6.1 no actions but links': !/\/(JavaScript|JS|Launch|OpenAction|AA|SubmitForm|Movie|Sound)\b/.test(all),
    '6.6.2 metadata as it is':
      /\/Subtype \/XML/.test(at(catalog, 'Metadata')?.dictionary ?? '') &&
      !/\/Filter/.test(at(catalog, 'Metadata')?.dictionary ?? '/Filter'),
    '6.6.2.3 own properties described': ['DocumentType', 'DocumentFileName', 'Version', 'ConformanceLevel'].every(
      (name) => !values.has(name) || described.includes(name),
    ),
    '6.6.4 part and conformance': values.get('part') === '3' && values.get('conformance') === 'B',
    '6.6.2 dates agree': dateOf(byId.get(created)?.dictionary ?? '') === values.get('CreateDate'),
    '6.8 files are associated':
      ofType('Filespec').length === (/\/AF \[([^\]]*)\]/.exec(catalog)?.[1]?.match(/ 0 R/g)?.length ?? 0) &&
      ofType('Filespec').every(({ dictionary }) =>
        /\/AFRelationship \/(Alternative|Supplement)[^]*\/UF \(/.test(dictionary),
      ) &&
      ofType('EmbeddedFile').every(
        ({ dictionary }) => /\/ModDate /.test(dictionary) && /\/Subtype \/[a-z]+#2F[a-z]+/.test(dictionary),
      ),
    'ISO 32000 language, title and structure':
      /\/Lang \([a-z]{2}\)/.test(catalog) && /\/StructTreeRoot /.test(catalog) && /\/DisplayDocTitle true/.test(all),
  }
  return Object.entries(kept).flatMap(([rule, isKept]) => (isKept ? [] : [rule]))
}

const dateOf = (written: string): string =>
  written.replace(/^\(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)$/, '$1-$2-$3T$4:$5:$6Z')

function hasRightOffsets(text: string): boolean {
  const start = Number(/startxref\n(\d+)\n%%EOF/.exec(text)?.[1])
  const [, ...entries] = text.slice(start, text.indexOf('\ntrailer', start)).split('\n').slice(1)
  return (
    text.slice(start, start + 5) === 'xref\n' &&
    entries.length > 1 &&
    entries.slice(1).every((entry, index) => text.startsWith(`${index + 1} 0 obj`, Number(entry.slice(0, 10))))
  )
}

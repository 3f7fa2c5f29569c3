/** Text of an XML file, by byte order mark or declaration (XML 1.0, appendix F). */
import { UnreadableBill } from '../../domain/bills/reader.ts'

const MARKS: readonly (readonly [encoding: string, ...bytes: number[]])[] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]
/** First bytes of a file without a mark: `<` and another ASCII character, two bytes each. */
const UNMARKED: readonly (readonly [encoding: string, ...bytes: (number | null)[]])[] = [
  ['utf-16le', 0x3c, 0x00, null, 0x00],
  ['utf-16be', 0x00, 0x3c, 0x00, null],
]
/** Declared names of encodings. ASCII is UTF-8; Latin 1 is read as Windows-1252. */
const DECLARED: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
}
const DECLARATION_LENGTH = 256
const DECLARATION = /^<\?xml\s[^>]*?\bencoding\s*=\s*(["'])([A-Za-z][A-Za-z0-9._-]*)\1/

const PIECE_BYTES = 64 * 1024

/** Decodes piece by piece, without the byte order mark. Throws UnreadableBill if the bytes are not what they claim. */
export function* decodeXml(bytes: Uint8Array): Generator<string> {
  const marked = MARKS.find(([, ...mark]) => mark.every((byte, index) => bytes[index] === byte))
  const [encoding = 'utf-8'] = marked ?? UNMARKED.find(([, ...first]) => startsWith(bytes, first)) ?? []
  const body = bytes.subarray(marked ? marked.length - 1 : 0)
  const head = new TextDecoder(encoding).decode(body.subarray(0, DECLARATION_LENGTH))
  const declared = DECLARATION.exec(head)?.[2]?.toLowerCase()
  const known = declared === undefined ? encoding : DECLARED[declared]
  if (known === undefined) throw damageOf('The XML is in an encoding that is not read here.')
  const agrees = encoding === 'utf-8' ? !known.startsWith('utf-16') : encoding.startsWith(known)
  if (!agrees || (marked && encoding === 'utf-8' && known !== 'utf-8')) {
    throw damageOf('The XML is not in the encoding that it declares.')
  }
  const decoder = new TextDecoder(encoding === 'utf-8' ? known : encoding, { fatal: true, ignoreBOM: true })
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield decode(decoder, body.subarray(at, at + PIECE_BYTES))
  yield decode(decoder)
}

/** Decodes a piece, or ends without one: a letter may not be cut there. */
function decode(decoder: InstanceType<typeof TextDecoder>, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    throw damageOf('The XML is not in the encoding that it declares.')
  }
}

const startsWith = (bytes: Uint8Array, first: readonly (number | null)[]): boolean =>
  first.every((byte, index) => byte === null || bytes[index] === byte)

const damageOf = (message: string): UnreadableBill => new UnreadableBill('damaged', message)

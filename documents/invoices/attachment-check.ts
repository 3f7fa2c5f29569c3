/** Check of attachments by their bytes, in the process that reads files: their kind, and nothing that runs. */
import { finished } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import type { DocumentType } from '../../domain/files/file.ts'
import type { AttachmentType } from '../../domain/invoice-documents/attachment.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { hasActionOfProgram } from '../pdf/actions.ts'
import { kindOf, refuseProgram } from '../reading/kinds.ts'

/** Types of files that people attach: to invoices, or to what they ask for. */
export type CheckedType = AttachmentType | DocumentType

const KINDS: Readonly<Partial<Record<CheckedType, string>>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/tiff': 'tiff',
  'application/xml': 'xml',
  'text/xml': 'xml',
}

/** Parts of packages (ZIP) that a spreadsheet of the type has, and that bring programs. */
const PACKAGES: Readonly<Partial<Record<CheckedType, readonly [part: string, program: RegExp]>>> = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xl/workbook.xml', /vbaProject/i],
  'application/vnd.oasis.opendocument.spreadsheet': [
    'application/vnd.oasis.opendocument.spreadsheet',
    /(Basic|Scripts)\//,
  ],
}

/**
 * Finds what blocks the bytes of an attachment: `unknown_format` if they are no such file, `hostile` for what
 * runs programs or unpacks to too much, `damaged`.
 */
export async function findFault(bytes: Uint8Array, type: CheckedType): Promise<string | null> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    refuseProgram(bytes)
    if (KINDS[type] && kindOf(bytes) !== KINDS[type]) return 'unknown_format'
  } catch (error) {
    if (error instanceof UnreadableBill) return error.code
    throw error
  }
  if (type === 'application/pdf') return findActions(bytes, text)
  if (type === 'text/csv') return isText(bytes) ? null : 'unknown_format'
  const [part, program] = PACKAGES[type] ?? []
  if (part === undefined || program === undefined) return null
  if (!text.startsWith('PK\x03\x04') || !text.includes(part)) return 'unknown_format'
  return program.test(text) ? 'hostile' : null
}

/** Most object streams of a PDF, and bytes that go into and come out of unpacking all. */
const [STREAMS_MAX, WORK_BYTES_MAX] = [2_000, 32 * 1024 * 1024]
/** Bytes that are unpacked in one step: those of a step that fails are lost, and count nevertheless. */
const STEP_BYTES = 8 * 1024
/** Most characters of a dictionary before the type of a stream, and behind it. */
const DICTIONARY_MAX = 1_000
/** Name of an object stream, some of whose letters may be escaped. */
const OBJECT_STREAM = /\/(?:O|#4F)(?:b|#62)(?:j|#6A)(?:S|#53)(?:t|#74)(?:m|#6D)(?!\w)/gi
/** One filter that is unpacked here, without parameters that rearrange what it has unpacked. */
const FLATE_ALONE = /\/Filter\s*(?:\/(?:FlateDecode|Fl)\b|\[\s*\/(?:FlateDecode|Fl)\s*\])/
const OTHER_PARTS = /\/(?:Filter|F|DecodeParms|DP)(?![A-Za-z])/

/**
 * Finds out if a PDF runs programs, also in object streams (ISO 32000-1, 7.5.7). Too many of these are taken for some;
 * a broken one makes the file `damaged`. What is encrypted or has other filters is written in clear by PDFium first; what
 * that cannot open, such as an object stream behind a password, is `hostile`: nobody can look into it.
 */
async function findActions(bytes: Uint8Array, text: string): Promise<string | null> {
  const spelled = spellNames(text)
  if (hasActionOfProgram(spelled)) return 'hostile'
  const isEncrypted = spelled.includes('/Encrypt')
  const types = Array.from(text.matchAll(OBJECT_STREAM), ({ index }) => index)
  if (types.length > STREAMS_MAX) return 'hostile'
  const begun = new Set<number>()
  let [left, isDark] = [WORK_BYTES_MAX, false]
  for (const type of types) {
    const near = text.slice(type, type + DICTIONARY_MAX).indexOf('stream')
    const at = type + near
    isDark ||= near < 0 || !isFlate(text.slice(Math.max(0, type - DICTIONARY_MAX), at))
    if (near < 0 || begun.has(at)) continue
    begun.add(at)
    const packed = bytes.subarray(at + (text.startsWith('\r\n', at + 6) ? 8 : 7))
    if (!isZlib(packed)) {
      isDark ||= isEncrypted
      continue
    }
    const { inside, work, isBroken } = await unpack(packed, left)
    left -= work
    if (left <= 0 || hasActionOfProgram(spellNames(inside))) return 'hostile'
    if (isBroken && !isEncrypted) return 'damaged'
    isDark ||= isBroken
  }
  return isDark ? findActionsInClear(bytes) : null
}

/** Tells whether a dictionary is of an object stream that is deflated or in clear. */
function isFlate(text: string): boolean {
  const spelled = spellNames(text)
  const dictionary = spelled.slice(spelled.lastIndexOf('obj') + 1)
  if (!/\/Type[\s\0]*\/ObjStm/.test(dictionary)) return false
  const filter = FLATE_ALONE.exec(dictionary)?.[0]
  return !OTHER_PARTS.test(filter === undefined ? dictionary : dictionary.replace(filter, ''))
}

/** Looks for programs in a PDF that PDFium has written in clear. */
async function findActionsInClear(bytes: Uint8Array): Promise<string | null> {
  const { clearTextOf } = await import('../pdf/clear-pdf.ts')
  try {
    const text = await clearTextOf(bytes, WORK_BYTES_MAX)
    return text === null || hasActionOfProgram(spellNames(text)) ? 'hostile' : null
  } catch (error) {
    if (error instanceof UnreadableBill) return 'hostile' // it needs a password, or has no form that readers agree on
    throw error
  }
}

/** Writes names without escapes: `/JavaScript` for `/J#61vaScript`. */
const spellNames = (text: string): string =>
  text.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/** Tells by its first two bytes if data is deflated, without a dictionary (RFC 1950, 2.2). */
const isZlib = ([method = 0, flags = 0]: Uint8Array): boolean =>
  (method & 0x0f) === 8 && (flags & 0x20) === 0 && (method * 256 + flags) % 31 === 0

/** Unpacks until the end, a fault or `most` bytes of work, each byte counted as it comes. Checksums do not matter. */
async function unpack(
  packed: Uint8Array,
  most: number,
): Promise<{ readonly inside: string; readonly work: number; readonly isBroken: boolean }> {
  const engine = createInflateRaw({ chunkSize: STEP_BYTES })
  const pieces: Buffer[] = []
  let size = STEP_BYTES
  engine.on('data', (piece: Buffer) => {
    pieces.push(piece)
    size += piece.length
    if (size + engine.bytesWritten > most) engine.destroy()
  })
  engine.end(packed.subarray(2))
  const isBroken = await finished(engine).then(
    () => false,
    () => true, // zlib says no more, and neither does destroy()
  )
  const taken = isBroken ? packed.length : engine.bytesWritten // how much of broken data was looked at is not said
  return { inside: Buffer.concat(pieces).toString('latin1'), work: size + taken, isBroken }
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Check of attachments by their bytes: the kind that they claim, and nothing that runs. */
import { inflateSync } from 'node:zlib'
import { refuse } from '../../domain/errors.ts'
import type { AttachmentType } from '../../domain/invoices/details/attachment.ts'
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { PDF_ACTION, kindOf, refuseProgram } from '../bills/kinds.ts'

const KINDS: Readonly<Partial<Record<AttachmentType, string>>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
}

/** Parts of packages (ZIP) that a spreadsheet of the type has, and that bring programs. */
const PACKAGES: Readonly<Partial<Record<AttachmentType, readonly [part: string, program: RegExp]>>> = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xl/workbook.xml', /vbaProject/i],
  'application/vnd.oasis.opendocument.spreadsheet': [
    'application/vnd.oasis.opendocument.spreadsheet',
    /(Basic|Scripts)\//,
  ],
}

/** Refuses `invalid_file`: `unknown_format` if the bytes are no such file, `hostile` for what runs programs. */
export function requireHarmless(bytes: Uint8Array, type: AttachmentType): void {
  const reason = findFault(bytes, type)
  if (reason) refuse('invalid_file', { reason })
}

function findFault(bytes: Uint8Array, type: AttachmentType): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    refuseProgram(bytes)
    if (KINDS[type] && kindOf(bytes) !== KINDS[type]) return 'unknown_format'
  } catch (error) {
    if (error instanceof UnreadableBill) return error.code
    throw error
  }
  if (type === 'application/pdf') return hasActions(bytes, text) ? 'hostile' : null
  if (type === 'text/csv') return isText(bytes) ? null : 'unknown_format'
  const [part, program] = PACKAGES[type] ?? []
  if (part === undefined || program === undefined) return null
  if (!text.startsWith('PK\x03\x04') || !text.includes(part)) return 'unknown_format'
  return program.test(text) ? 'hostile' : null
}

/** Most object streams of a PDF, and bytes of all of them. */
const [STREAMS_MAX, STREAMS_BYTES_MAX] = [2_000, 32 * 1024 * 1024]
/** Most characters between the type of a stream and its beginning. */
const DICTIONARY_MAX = 1_000

/** Tells if a PDF runs programs, also in object streams (ISO 32000-1, 7.5.7). Too many of these are taken for some. */
function hasActions(bytes: Uint8Array, text: string): boolean {
  if (PDF_ACTION.test(spellNames(text))) return true
  let left = STREAMS_BYTES_MAX
  const dictionaries = Array.from(text.matchAll(/\/ObjStm\b/g), ({ index }) => index)
  if (dictionaries.length > STREAMS_MAX) return true
  const begins = dictionaries.map((at) => {
    const near = text.slice(at, at + DICTIONARY_MAX).indexOf('stream')
    return near < 0 ? null : at + near
  })
  const streams = [...new Set(begins)].filter((at) => at !== null)
  for (const at of streams) {
    const inside = inflate(bytes.subarray(at + (text.startsWith('\r\n', at + 6) ? 8 : 7)), left)
    left -= inside.length
    if (left <= 0 || PDF_ACTION.test(spellNames(inside))) return true
  }
  return false
}

/** Writes names without escapes: `/JavaScript` for `/J#61vaScript`. */
const spellNames = (text: string): string =>
  text.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/** Unpacks the beginning of bytes; as many blanks as are left if it is larger, nothing of what is not compressed. */
function inflate(bytes: Uint8Array, most: number): string {
  try {
    return inflateSync(bytes, { maxOutputLength: most }).toString('latin1')
  } catch (error) {
    return error instanceof RangeError ? ' '.repeat(most) : ''
  }
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

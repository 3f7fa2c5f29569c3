/** Check of attachments by their bytes, in the process that reads files: their kind, and nothing that runs. */
import { finished } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
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

/**
 * Finds what stands against the bytes of an attachment: `unknown_format` if they are no such file, `hostile` for what
 * runs programs or unpacks to too much, `damaged`.
 */
export async function findFault(bytes: Uint8Array, type: AttachmentType): Promise<string | null> {
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
/** Most characters between the type of a stream and its beginning. */
const DICTIONARY_MAX = 1_000

/**
 * Finds out if a PDF runs programs, also in object streams (ISO 32000-1, 7.5.7). Too many of these are taken for some;
 * a broken one makes the file `damaged`, unless it may be encrypted.
 */
async function findActions(bytes: Uint8Array, text: string): Promise<string | null> {
  if (PDF_ACTION.test(spellNames(text))) return 'hostile'
  const dictionaries = Array.from(text.matchAll(/\/ObjStm\b/g), ({ index }) => index)
  if (dictionaries.length > STREAMS_MAX) return 'hostile'
  const begins = dictionaries.map((at) => {
    const near = text.slice(at, at + DICTIONARY_MAX).indexOf('stream')
    return near < 0 ? null : at + near
  })
  let left = WORK_BYTES_MAX
  for (const at of new Set(begins)) {
    if (at === null) continue
    const packed = bytes.subarray(at + (text.startsWith('\r\n', at + 6) ? 8 : 7))
    if (!isZlib(packed)) continue
    const { inside, work, isBroken } = await unpack(packed, left)
    left -= work
    if (left <= 0 || PDF_ACTION.test(spellNames(inside))) return 'hostile'
    if (isBroken && !text.includes('/Encrypt')) return 'damaged'
  }
  return null
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

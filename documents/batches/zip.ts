/** Reads the parts of a zip archive (APPNOTE 6.3) within limits. Zip64, encryption and other methods are refused. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { type FileFaultCode, UnreadableFile, fileFault } from '../../domain/batches/columns.ts'

const fail = (code: FileFaultCode): never => {
  throw new UnreadableFile(fileFault(code, null))
}

const PARTS_MAX = 1000
/** Signatures of the end of the directory, of an entry there, and of a part. */
const [END, ENTRY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50]
const [END_LENGTH, ENTRY_LENGTH, LOCAL_LENGTH, COMMENT_MAX] = [22, 46, 30, 0xffff]
const [STORED, DEFLATED, ENCRYPTED] = [0, 8, 1]
const CHUNK_BYTES = 64 * 1024

/** A part as it is packed. */
export type Part = { readonly packed: Buffer; readonly method: number; readonly crc: number }

/** Tells if a file begins as a zip archive does. */
export const isZip = (file: Buffer): boolean => file.length >= LOCAL_LENGTH && file.readUInt32LE(0) === LOCAL

/** Lists the parts of an archive by name, in lower case. Throws UnreadableFile. */
export function partsOf(zip: Buffer): ReadonlyMap<string, Part> {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > PARTS_MAX) fail('workbook_too_large')
  const parts = new Map<string, Part>()
  let at = zip.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_LENGTH > end || zip.readUInt32LE(at) !== ENTRY) fail('workbook_damaged')
    if (zip.readUInt16LE(at + 8) & ENCRYPTED) fail('workbook_protected')
    const [method, crc, length] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const key = zip.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + name).toLowerCase()
    if (parts.has(key) || (method !== STORED && method !== DEFLATED)) fail('workbook_damaged')
    parts.set(key, { packed: findPacked(zip, zip.readUInt32LE(at + 42), length, end), method, crc })
    at += ENTRY_LENGTH + name + extra + comment
  }
  return parts
}

/** Finds the end record, which a comment may follow. */
function findEnd(zip: Buffer): number {
  for (let at = zip.length - END_LENGTH; at >= Math.max(0, zip.length - END_LENGTH - COMMENT_MAX); at -= 1)
    if (zip.readUInt32LE(at) === END && at + END_LENGTH + zip.readUInt16LE(at + 20) === zip.length) return at
  return fail('workbook_damaged')
}

function findPacked(zip: Buffer, local: number, length: number, end: number): Buffer {
  if (local + LOCAL_LENGTH > end || zip.readUInt32LE(local) !== LOCAL) fail('workbook_damaged')
  const begin = local + LOCAL_LENGTH + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (begin + length > end) fail('workbook_damaged')
  return zip.subarray(begin, begin + length)
}

/** Unpacks the text of a part piece by piece. Throws UnreadableFile, also beyond `bytesMax`. */
export async function* textOf({ packed, method, crc }: Part, bytesMax: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces = Readable.from(piecesOf(packed), { objectMode: false })
  const bytes = method === STORED ? pieces : pieces.pipe(createInflateRaw({ chunkSize: CHUNK_BYTES }))
  let [size, sum] = [0, 0]
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytesMax) fail('workbook_too_large')
      sum = crc32(chunk, sum)
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    fail('workbook_damaged') // zlib and the decoder say no more
  }
  if (sum !== crc) fail('workbook_damaged')
}

/** Cuts a part, so that one that is stored takes turns of the event loop, too. */
async function* piecesOf(packed: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < packed.length; at += CHUNK_BYTES) {
    yield packed.subarray(at, at + CHUNK_BYTES)
    await setImmediate()
  }
}

/** PNG files as no program would write them. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, createDeflate, deflateSync } from 'node:zlib'

const MIB = 1024 * 1024

export const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

/** A chunk of a PNG: length, name, data, CRC-32. */
export function chunk(name: string, data: Uint8Array): Buffer {
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(data, crc32(name)), 4)
  return Buffer.concat([frame.subarray(0, 4), Buffer.from(name), data, frame.subarray(4)])
}

/** A PNG that says it is so wide and high, in eight-bit colours, whatever its data is. */
export function png(width: number, height: number, data: Uint8Array, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...more, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** So many zeros: a thousandth of their size, deflated. */
export const zeros = (bytes: number): Buffer => deflateSync(Buffer.alloc(bytes))

/** So many zeros, deflated, which never are in memory at once. */
export async function manyZeros(bytes: number): Promise<Buffer> {
  const pieces = function* () {
    for (let left = bytes; left > 0; left -= MIB) yield Buffer.alloc(Math.min(left, MIB))
  }
  return buffer(Readable.from(pieces()).pipe(createDeflate({ level: 1 })))
}

/** The data of a black picture. */
export const black = (width: number, height: number): Buffer => zeros(height * (1 + width * 3)) // a filter for each row

/** A picture of 600 × 400 with so many chunks of text, of 48 KB each, that unpack to 50 MB each. */
export function withPackedText(chunks: number): Buffer {
  const text = chunk('iTXt', Buffer.concat([Buffer.from('x\0\x01\0\0\0'), zeros(50_000_000)]))
  return png(600, 400, black(600, 400), Array<Buffer>(chunks).fill(text))
}

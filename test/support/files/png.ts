/** PNG files that no program would write. */
import { constants, crc32, deflateRawSync } from 'node:zlib'

const MIB = 1024 * 1024

export const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

/** A chunk of a PNG: length, name, data, CRC-32. */
export function chunk(name: string, data: Uint8Array): Buffer {
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(data, crc32(name)), 4)
  return Buffer.concat([frame.subarray(0, 4), Buffer.from(name), data, frame.subarray(4)])
}

/** A PNG that claims this width and height, in eight-bit colours, with any data. */
export function png(width: number, height: number, data: Uint8Array, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...more, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** A MiB of deflated zeros in whole bytes, not the last block, so that it may be repeated. */
const MIB_OF_ZEROS = deflateRawSync(Buffer.alloc(MIB), { finishFlush: constants.Z_FULL_FLUSH })
const ADLER_MODULUS = 65_521

/** Deflated zeros: a thousandth of their size, made at once (RFC 1950, RFC 1951). */
export function zeros(bytes: number): Buffer {
  const adler = Buffer.alloc(4)
  adler.writeUInt32BE((bytes % ADLER_MODULUS) * 0x1_00_00 + 1)
  const pieces = Array<Buffer>(Math.floor(bytes / MIB)).fill(MIB_OF_ZEROS)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...pieces, deflateRawSync(Buffer.alloc(bytes % MIB)), adler])
}

export const black = (width: number, height: number): Buffer => zeros(height * (1 + width * 3)) // a filter for each row

/** A picture of 600 × 400 with `chunks` texts, of 48 KB each, that unpack to 50 MB each. */
export function withPackedText(chunks: number): Buffer {
  const text = chunk('iTXt', Buffer.concat([Buffer.from('x\0\x01\0\0\0'), zeros(50_000_000)]))
  return png(600, 400, black(600, 400), Array<Buffer>(chunks).fill(text))
}

/** A PNG of 16 bits in four colours, interlaced in seven passes: decoding it takes the most memory for its pixels. */
export function deepPng(side: number): Buffer {
  const deep = png(side, side, zeros(side * (8 * side + 1)))
  const header = deep.indexOf('IHDR')
  deep.set([16, 6, 0, 0, 1], header + 12)
  deep.writeUInt32BE(crc32(deep.subarray(header, header + 17)), header + 17)
  return deep
}

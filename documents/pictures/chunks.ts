/** Parts of picture files that are left out or refused before a decoder unpacks them. */

/** Picture that no decoder is given. */
export class UnfitPicture extends Error {
  constructor(readonly reason: 'unreadable' | 'too_much_text' | 'too_complex') {
    super(reason)
  }
}

const PNG_SIGNATURE_BYTES = 8
/** Length, name and CRC of a chunk. */
const PNG_FRAME_BYTES = 12
const PNG_CHUNKS_MAX = 10_000
const DRAWN: ReadonlySet<string> = new Set(
  'IHDR PLTE tRNS sRGB gAMA cHRM iCCP eXIf IDAT IEND'.split(' '), // of W3C PNG, third edition, section 11
)
/** Unpacked, a colour profile may be a thousand times as large. Those of cameras and screens are small. */
const BESIDE_BYTES_MAX = 64 * 1024
const TEXT: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt'])
const TEXT_BYTES_MAX = 1024 * 1024

/**
 * Drops the chunks of a PNG that its picture is not drawn from: text, private ones, frames after the first. Of those
 * that may occur once the first is kept, if it has at most 64 KiB. Nothing is unpacked, time is linear, and the given
 * bytes are overwritten. Throws UnfitPicture: `unreadable`, or `too_much_text` beyond 1 MiB.
 */
export function dropUndrawnChunks(png: Buffer): Buffer {
  const once = new Set<string>()
  let length = PNG_SIGNATURE_BYTES
  let textBytes = 0
  let at = PNG_SIGNATURE_BYTES
  for (let count = 0; count < PNG_CHUNKS_MAX && at + PNG_FRAME_BYTES <= png.length; count += 1) {
    const end = at + PNG_FRAME_BYTES + png.readUInt32BE(at)
    if (end > png.length) break
    const name = png.toString('latin1', at + 4, at + 8)
    if (TEXT.has(name)) textBytes += end - at
    if (textBytes > TEXT_BYTES_MAX) throw new UnfitPicture('too_much_text')
    if (name === 'IDAT' || isFirst(name, end - at, once)) {
      png.copyWithin(length, at, end)
      length += end - at
    }
    if (name === 'IEND') return png.subarray(0, length)
    at = end
  }
  throw new UnfitPicture('unreadable')
}

function isFirst(name: string, bytes: number, once: Set<string>): boolean {
  if (!DRAWN.has(name) || once.has(name) || bytes > BESIDE_BYTES_MAX) return false
  once.add(name)
  return true
}

const RIFF_HEADER_BYTES = 12
/** Name and length of a chunk, whose content is filled up to an even length. */
const RIFF_FRAME_BYTES = 8
const WEBP_CHUNKS_MAX = 1000

/** Throws UnfitPicture for a WebP of over 1,000 chunks: decoding takes quadratic time (RFC 9649, section 2.7). */
export function shortWebp(webp: Buffer): Buffer {
  let count = 0
  for (let at = RIFF_HEADER_BYTES; at + RIFF_FRAME_BYTES <= webp.length; count += 1) {
    if (count === WEBP_CHUNKS_MAX) throw new UnfitPicture('too_complex')
    const length = webp.readUInt32LE(at + 4)
    at += RIFF_FRAME_BYTES + length + (length % 2)
  }
  return webp
}

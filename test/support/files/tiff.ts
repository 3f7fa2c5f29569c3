/** TIFF files of grey pages, with claims that no program would write. */

type Claim = { readonly width: number; readonly height: number; readonly pixels?: Uint8Array; readonly kind?: number }
type Claims = { readonly samples?: number; readonly valueCount?: number }

const HEADER_BYTES = 8
const [SHORT, LONG, UNDEFINED] = [3, 4, 7]
const FULL = 255

/** A TIFF of these pages (TIFF 6.0): not compressed, in one strip each, little-endian. */
export function tiff(pages: readonly Claim[], { samples = 1, valueCount = 0 }: Claims = {}): Buffer {
  const header = Buffer.from('49492a0000000000', 'hex')
  const parts = [header]
  let [at, link, linkOffset] = [HEADER_BYTES, header, 4]
  for (const { width, height, pixels = new Uint8Array(), kind = 0 } of pages) {
    const data = Buffer.concat([pixels, Buffer.alloc(pixels.length % 2)])
    const entries = [
      [254, LONG, 1, kind],
      [256, LONG, 1, width],
      [257, LONG, 1, height],
      [258, SHORT, 1, 8],
      [259, SHORT, 1, 1],
      [262, SHORT, 1, 1],
      [273, LONG, 1, at],
      [277, SHORT, 1, samples],
      [278, LONG, 1, height],
      [279, LONG, 1, pixels.length],
      ...(valueCount > 0 ? [[700, UNDEFINED, valueCount, 0]] : []),
    ] as const
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    directory.writeUInt16LE(entries.length, 0)
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      const entry = 2 + index * 12
      directory.writeUInt16LE(tag, entry)
      directory.writeUInt16LE(type, entry + 2)
      directory.writeUInt32LE(count, entry + 4)
      directory.writeUInt32LE(value, entry + 8)
    }
    link.writeUInt32LE(at + data.length, linkOffset)
    parts.push(data, directory)
    at += data.length + directory.length
    ;[link, linkOffset] = [directory, directory.length - 4]
  }
  return Buffer.concat(parts)
}

/** A white page. */
export const whitePage = (width: number, height: number): Claim => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(FULL),
})

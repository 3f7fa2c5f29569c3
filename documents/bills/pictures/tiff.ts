/** Pages of a TIFF (version 6.0, section 2), with limits before a decoder opens it. */
import { UnreadableBill } from '../../../domain/bills/reader.ts'
import { PAGES_MAX } from '../../pdf/pdf.ts'

/** Page by the number of its directory, from 0. */
export type TiffPage = { readonly directory: number; readonly width: number; readonly height: number }

/** Four bytes for each of 40 million pixels. */
const PAGE_BYTES_MAX = 160_000_000
const HEADER_BYTES = 8
const ENTRY_BYTES = 12
/** Entries of a directory; a scanner writes some 20. */
const ENTRIES_MAX = 500
const TAGS = { kind: 254, width: 256, height: 257, bits: 258, samples: 277 }
/** Bits of the kind: a smaller copy of another page, and a mask. */
const NO_PAGE = 0b101
/** Bytes of a value, by its type. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const SHORT = 3

/**
 * Lists the pages in their order. Only the directories are read, so time is linear. Throws UnreadableBill:
 * `too_many_pages` over 100, `too_large` for a page that unpacks to over 160 MB, `damaged`.
 */
export function pagesOfTiff(bytes: Uint8Array): TiffPage[] {
  try {
    return listPages(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (error) {
    if (error instanceof RangeError) refuseDamage() // an address beyond the end
    throw error
  }
}

function refuseDamage(): never {
  throw new UnreadableBill('damaged', 'The picture is damaged')
}

function listPages(file: DataView): TiffPage[] {
  const isLittle = file.getUint8(0) === 'I'.charCodeAt(0)
  const pages: TiffPage[] = []
  let valueBytes = 0
  let at = file.getUint32(4, isLittle)
  for (let directory = 0; at !== 0; directory += 1) {
    if (directory === PAGES_MAX) {
      throw new UnreadableBill('too_many_pages', `The picture has more than ${PAGES_MAX} pages`)
    }
    const count = file.getUint16(at, isLittle)
    if (at < HEADER_BYTES || count > ENTRIES_MAX) refuseDamage()
    const values = new Map<number, number>()
    for (let index = 0; index < count; index += 1) {
      const entry = at + 2 + index * ENTRY_BYTES
      const type = file.getUint16(entry + 2, isLittle)
      const length = file.getUint32(entry + 4, isLittle)
      valueBytes += length * (TYPE_BYTES[type] ?? 1)
      values.set(file.getUint16(entry, isLittle), valueAt(file, entry, type, length, isLittle))
    }
    // values that overlap would be copied each time
    if (valueBytes > file.byteLength) refuseDamage()
    if (((values.get(TAGS.kind) ?? 0) & NO_PAGE) === 0) pages.push(pageOf(values, directory))
    at = file.getUint32(at + 2 + count * ENTRY_BYTES, isLittle)
  }
  if (pages.length === 0) refuseDamage()
  return pages
}

/** Reads the first number of an entry; more than four bytes stand elsewhere. */
function valueAt(file: DataView, entry: number, type: number, length: number, isLittle: boolean): number {
  if (type !== SHORT) return file.getUint32(entry + 8, isLittle)
  return file.getUint16(length > 2 ? file.getUint32(entry + 8, isLittle) : entry + 8, isLittle)
}

function pageOf(values: ReadonlyMap<number, number>, directory: number): TiffPage {
  const [width = 0, height = 0] = [values.get(TAGS.width), values.get(TAGS.height)]
  const sampleBytes = Math.max(1, (values.get(TAGS.bits) ?? 1) / 8)
  if (width === 0 || height === 0) refuseDamage()
  if (width * height * (values.get(TAGS.samples) ?? 1) * sampleBytes > PAGE_BYTES_MAX) {
    throw new UnreadableBill('too_large', 'A page of the picture takes more than 160 MB')
  }
  return { directory, width, height }
}

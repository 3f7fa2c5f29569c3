/** Pictures of bills: decoded to grey, upright, at a readable size. */
import sharp, { type Sharp } from 'sharp'
import { UnreadableBill } from '../../../domain/bills/reader.ts'
import { dropUndrawnChunks, shortWebp } from '../../pictures/chunks.ts'
import type { Kind } from '../../reading/kinds.ts'
import type { Picture } from '../../pdf/pdf.ts'
import { pagesOfTiff } from './tiff.ts'

/** A page of A4 at 600 dpi has 35 million. */
const PIXELS_MAX = 40_000_000
/** Longer side of A4 at 240 dpi, and at 150. */
const SIDE_MAX = 2800
const SIDE_MIN = 1750
/** Points of a picture's longer side, which counts as that of A4. */
const SIDE_POINTS = 842
const SHOWN_SIDE = SIDE_POINTS * 2

/**
 * Lists the pages of a picture, each by what the decoder calls it. Throws UnreadableBill before anything is decoded:
 * `too_many_pages`, `too_large` for a page over 40 megapixels, `damaged`.
 */
export function pagesOfPicture(bytes: Uint8Array, kind: Kind): number[] {
  if (kind !== 'tiff') return [0]
  return pagesOfTiff(bytes).map(({ directory, width, height }) => {
    requirePixels(width, height)
    return directory
  })
}

/** Decodes a page to grey. Throws UnreadableBill: `too_large` over 40 megapixels by its header, `damaged`. */
export const greyPicture = (bytes: Uint8Array, kind: Kind, page = 0): Promise<Picture> =>
  pictureOf(bytes, kind, page, (longer, picture) => {
    const side = Math.min(SIDE_MAX, Math.max(SIDE_MIN, longer))
    return picture.resize(side, side, { fit: 'inside' }).greyscale().toColourspace('b-w')
  })

/** Decodes in colours, two pixels for a point. Throws as greyPicture() does. */
export const colourPicture = (bytes: Uint8Array, kind: Kind, page = 0): Promise<Picture> =>
  pictureOf(bytes, kind, page, (_, picture) =>
    picture.resize(SHOWN_SIDE, SHOWN_SIDE, { fit: 'inside' }).toColourspace('srgb'),
  )

async function pictureOf(
  bytes: Uint8Array,
  kind: Kind,
  page: number,
  shaped: (longer: number, picture: Sharp) => Sharp,
): Promise<Picture> {
  const file = Buffer.from(bytes)
  try {
    const drawn = kind === 'png' ? dropUndrawnChunks(file) : kind === 'webp' ? shortWebp(file) : file
    const { width, height } = await sharp(drawn, { page, limitInputPixels: false }).metadata()
    requirePixels(width, height)
    const decoded = sharp(drawn, { page, limitInputPixels: PIXELS_MAX, sequentialRead: true })
    const picture = decoded.autoOrient().flatten({ background: '#fff' })
    const { data, info } = await shaped(Math.max(width, height), picture).raw().toBuffer({ resolveWithObject: true })
    const scale = Math.max(info.width, info.height) / SIDE_POINTS
    return { pixels: data, width: info.width, height: info.height, scale }
  } catch (error) {
    if (error instanceof UnreadableBill) throw error
    throw new UnreadableBill('damaged', 'The picture is damaged')
  }
}

function requirePixels(width: number, height: number): void {
  if (width * height > PIXELS_MAX) throw new UnreadableBill('too_large', 'The picture has more than 40 megapixels')
}

/** Pictures of bills: decoded to grey, upright, at a readable size. */
import sharp, { type Sharp } from 'sharp'
import { UnreadableBill } from '../../../domain/bills/reader.ts'
import { dropUndrawnChunks } from '../../pictures/chunks.ts'
import type { Kind } from '../../reading/kinds.ts'
import type { Picture } from '../../pdf/pdf.ts'

/** A page of A4 at 600 dpi has 35 million. */
const PIXELS_MAX = 40_000_000
/** Longer side of A4 at 240 dpi, and at 150. */
const SIDE_MAX = 2800
const SIDE_MIN = 1750
/** Points of a picture's longer side, which counts as that of A4. */
const SIDE_POINTS = 842
const SHOWN_SIDE = SIDE_POINTS * 2

/** Decodes to grey. Throws UnreadableBill: `too_large` over 40 megapixels by its header, `damaged`. */
export const greyPicture = (bytes: Uint8Array, kind: Kind): Promise<Picture> =>
  pictureOf(bytes, kind, (longer, picture) => {
    const side = Math.min(SIDE_MAX, Math.max(SIDE_MIN, longer))
    return picture.resize(side, side, { fit: 'inside' }).greyscale().toColourspace('b-w')
  })

/** Decodes in colours, two pixels for a point. Throws as greyPicture() does. */
export const colourPicture = (bytes: Uint8Array, kind: Kind): Promise<Picture> =>
  pictureOf(bytes, kind, (_, picture) =>
    picture.resize(SHOWN_SIDE, SHOWN_SIDE, { fit: 'inside' }).toColourspace('srgb'),
  )

async function pictureOf(
  bytes: Uint8Array,
  kind: Kind,
  shaped: (longer: number, picture: Sharp) => Sharp,
): Promise<Picture> {
  const file = Buffer.from(bytes)
  try {
    const drawn = kind === 'png' ? dropUndrawnChunks(file) : file
    const { width, height } = await sharp(drawn, { limitInputPixels: false }).metadata()
    if (width * height > PIXELS_MAX) throw new UnreadableBill('too_large', 'The picture has more than 40 megapixels')
    const decoded = sharp(drawn, { limitInputPixels: PIXELS_MAX, sequentialRead: true })
    const picture = decoded.autoOrient().flatten({ background: '#fff' })
    const { data, info } = await shaped(Math.max(width, height), picture).raw().toBuffer({ resolveWithObject: true })
    const scale = Math.max(info.width, info.height) / SIDE_POINTS
    return { pixels: data, width: info.width, height: info.height, scale }
  } catch (error) {
    if (error instanceof UnreadableBill) throw error
    throw new UnreadableBill('damaged', 'The picture is damaged')
  }
}

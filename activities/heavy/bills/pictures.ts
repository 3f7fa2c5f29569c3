/** Pictures of bills: decoded to grey, upright, at a size at which print can be read. */
import sharp from 'sharp'
import { drawnPartOf } from '../../../db/pictures/files.ts'
import { UnreadableBill } from '../../../db/model/bills/reader.ts'
import type { Kind } from './kinds.ts'
import type { Grey } from './pdf.ts'

/** A page of A4 at 600 dpi has 35 million. */
const PIXELS_MAX = 40_000_000
/** The longer side of A4 at 240 dpi, and at 150. */
const SIDE_MAX = 2800
const SIDE_MIN = 1750
/** A picture has no points of its own: its longer side counts as that of A4. */
const SIDE_POINTS = 842

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] })
sharp.cache(false)
sharp.concurrency(1)

/**
 * A picture in grey, and how many of its pixels are a point. Throws UnreadableBill: `too_large` over 40 megapixels,
 * which its header decides, `damaged`.
 */
export async function greyPicture(bytes: Uint8Array, kind: Kind): Promise<Grey & { readonly scale: number }> {
  const file = Buffer.from(bytes)
  try {
    const drawn = kind === 'png' ? drawnPartOf(file) : file
    const { width, height } = await sharp(drawn, { limitInputPixels: false }).metadata()
    if (width * height > PIXELS_MAX) throw new UnreadableBill('too_large', 'The picture has more than 40 megapixels')
    const longer = Math.max(width, height)
    const side = Math.min(SIDE_MAX, Math.max(SIDE_MIN, longer))
    const { data, info } = await sharp(drawn, { limitInputPixels: PIXELS_MAX, sequentialRead: true })
      .autoOrient()
      .flatten({ background: '#fff' })
      .resize(side, side, { fit: 'inside' })
      .greyscale()
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true })
    return {
      pixels: data,
      width: info.width,
      height: info.height,
      scale: Math.max(info.width, info.height) / SIDE_POINTS,
    }
  } catch (error) {
    if (error instanceof UnreadableBill) throw error
    throw new UnreadableBill('damaged', 'The picture is damaged')
  }
}

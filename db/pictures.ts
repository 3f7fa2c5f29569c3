/** Pictures that people upload: recognized by their bytes, decoded, and made anew with nothing of the file left. */
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { queue } from './concurrency.ts'
import { refuse } from './model/errors.ts'
import { PICTURE_PIXELS_MAX, PICTURE_SIDE_PIXELS, PICTURE_TYPES } from './model/people/picture.ts'

const QUALITY = 82
const DECODING_SECONDS_MAX = 10
const QUEUE_MAX = 20 // at up to 5 MB each; a few seconds of work
const RETRY_AFTER_SECONDS = 5

// libvips reads by the first bytes, whatever was said before: only these three decoders can run at all.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

const inTurn = queue(QUEUE_MAX, RETRY_AFTER_SECONDS)

/**
 * A png, jpeg or webp as a webp of 512 × 512 in sRGB: turned the way its camera was held, its middle, its first frame,
 * without metadata. Refuses 415 `unsupported_media_type` for any other kind, and 422 `invalid_file` with
 * `details.reason` if it is `unreadable` (also in part) or has `too_many_pixels`, which its header alone decides.
 */
export async function squarePicture(bytes: Uint8Array): Promise<Buffer> {
  const kind = await fileTypeFromBuffer(bytes).catch(() => undefined) // it cannot tell, so it is none of ours
  if (!PICTURE_TYPES.has(kind?.mime ?? '')) refuse('unsupported_media_type', { expected: [...PICTURE_TYPES] })
  return inTurn(async () => {
    await checkHeader(bytes)
    return sharp(bytes, { limitInputPixels: PICTURE_PIXELS_MAX, failOn: 'warning', sequentialRead: true })
      .autoOrient()
      .resize(PICTURE_SIDE_PIXELS, PICTURE_SIDE_PIXELS, { fit: 'cover', position: 'centre' })
      .webp({ quality: QUALITY })
      .timeout({ seconds: DECODING_SECONDS_MAX })
      .toBuffer()
      .catch(refuseUnreadable)
  })
}

/** Reads no more than the header, so that a small file which claims to be huge costs nothing. */
async function checkHeader(bytes: Uint8Array): Promise<void> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(refuseUnreadable)
  if (width * height > PICTURE_PIXELS_MAX) {
    refuse('invalid_file', { reason: 'too_many_pixels', max_pixels: PICTURE_PIXELS_MAX })
  }
}

function refuseUnreadable(): never {
  refuse('invalid_file', { reason: 'unreadable' })
}

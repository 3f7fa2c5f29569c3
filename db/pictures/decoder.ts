/** Process that decodes pictures, also hostile ones: it has no secrets and can be ended. */
import sharp from 'sharp'
import { PICTURE_PIXELS_MAX, PICTURE_SIDE_PIXELS } from '../../domain/people/picture.ts'

export type Decoded = { readonly image: Uint8Array } | { readonly reason: 'unreadable' | 'too_many_pixels' }

const QUALITY = 82
/** This process begins with some 80 MB. Pictures need up to 160 more, but for the rarest of 40 megapixels. */
const MEMORY_BYTES_MAX = 280 * 1024 * 1024
const MEMORY_LOOKED_AT_MS = 10

// libvips reads by the first bytes, whatever was said before: only these three decoders can run at all.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] })
sharp.cache(false)
sharp.concurrency(1)

/** Decodes the header first, so that a small file which claims to be huge costs nothing. */
async function decode(bytes: Uint8Array): Promise<Decoded> {
  const watch = setInterval(() => process.memoryUsage.rss() > MEMORY_BYTES_MAX && end(), MEMORY_LOOKED_AT_MS)
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > PICTURE_PIXELS_MAX) return { reason: 'too_many_pixels' }
    const image = await sharp(bytes, { limitInputPixels: PICTURE_PIXELS_MAX, failOn: 'warning', sequentialRead: true })
      .autoOrient()
      .resize(PICTURE_SIDE_PIXELS, PICTURE_SIDE_PIXELS, { fit: 'cover', position: 'centre' })
      .webp({ quality: QUALITY })
      .toBuffer()
    return { image }
  } catch {
    return { reason: 'unreadable' }
  } finally {
    clearInterval(watch)
  }
}

/** An orderly exit would wait for the picture. */
const end = () => process.kill(process.pid, 'SIGKILL')

process.on('SIGINT', () => {}) // of a terminal: our parent drains, and ends us with itself
process.on('disconnect', end)
process.on('message', (bytes: Uint8Array) => {
  void decode(bytes).then((decoded) => process.send?.(decoded))
})

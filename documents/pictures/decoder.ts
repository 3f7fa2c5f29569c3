/** Decoder of pictures that people upload; it runs in the process that reads files. */
import sharp from 'sharp'
import { PICTURE_PIXELS_MAX, PICTURE_SIDE_PIXELS } from '../../domain/people/picture.ts'
import { UnfitPicture, dropUndrawnChunks, shortWebp } from './chunks.ts'

export type Picture =
  | { readonly image: Uint8Array }
  | { readonly reason: 'unreadable' | 'too_many_pixels' | 'too_much_text' | 'too_complex' }

/** Decoder of libvips. */
export type Decoder = 'Png' | 'Jpeg' | 'Webp' | 'Tiff'

const QUALITY = 82

/** Restricts libvips, which reads by the first bytes, to these decoders, with little memory. */
export function restrictDecoders(kinds: readonly Decoder[]): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: kinds.map((kind) => `VipsForeignLoad${kind}Buffer`) })
  sharp.cache(false)
  sharp.concurrency(1)
}

/** Decodes the header first, so that a small file which claims to be huge costs nothing. */
export async function decode(bytes: Uint8Array): Promise<Picture> {
  try {
    const drawn = withoutRest(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    const { width, height } = await sharp(drawn, { limitInputPixels: false }).metadata()
    if (width * height > PICTURE_PIXELS_MAX) return { reason: 'too_many_pixels' }
    const image = await sharp(drawn, { limitInputPixels: PICTURE_PIXELS_MAX, failOn: 'warning', sequentialRead: true })
      .autoOrient()
      .resize(PICTURE_SIDE_PIXELS, PICTURE_SIDE_PIXELS, { fit: 'cover', position: 'centre' })
      .webp({ quality: QUALITY })
      .toBuffer()
    return { image }
  } catch (error) {
    return { reason: error instanceof UnfitPicture ? error.reason : 'unreadable' }
  }
}

/** Leaves out of a PNG what its picture is not drawn from; throws UnfitPicture. */
function withoutRest(file: Buffer): Buffer {
  const begins = file.toString('latin1', 0, 12)
  if (begins.startsWith('\x89PNG')) return dropUndrawnChunks(file)
  return begins.startsWith('RIFF') ? shortWebp(file) : file
}

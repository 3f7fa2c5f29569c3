import sharp from 'sharp'

/** Width and height of a logo on a page. */
export const LOGO_SIZE = 52

/** Converts a square logo for PDF, which takes no webp. */
export const jpegOf = (logo: Uint8Array): Promise<Buffer> =>
  sharp(logo)
    .resize(LOGO_SIZE * 4)
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90 })
    .toBuffer()

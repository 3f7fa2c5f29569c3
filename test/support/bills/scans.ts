/** Bills as a scanner or a telephone sees them: askew, with noise, a stamp, and the artefacts of JPEG. */
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { withPdf } from '../../../activities/heavy/bills/pdf.ts'
import { randomBy } from './random.ts'

/** A picture of the first page: JPEG, or PNG if `isPng`. */
export async function scanned(pdf: Buffer, seed: number, isPng = false): Promise<Buffer> {
  const random = randomBy(seed)
  const { pixels, width, height } = await withPdf(pdf, async (opened) =>
    opened.picture(1, 170 + Math.floor(random() * 60)),
  )
  const noisy = Uint8Array.from(pixels, (value) => value - 8 + Math.floor((random() - 0.5) * 36))
  for (let at = 0; at < noisy.length; at += 1) {
    const value = (pixels[at] ?? 0) - 8 + (random() - 0.5) * 36
    noisy[at] = Math.max(0, Math.min(255, value))
  }
  const degrees = (random() - 0.5) * 4
  const [x, y] = [Math.round(width * 0.62), Math.round(height * (0.15 + random() * 0.1))]
  const paper = sharp(Buffer.from(noisy), { raw: { width, height, channels: 1 } })
    .toColourspace('srgb')
    .composite([{ input: stamp(Math.round(width / 5)), left: x, top: y, blend: 'multiply' }])
  const turned = sharp(await paper.png().toBuffer())
    .rotate(degrees, { background: '#eee' })
    .blur(0.5)
  return isPng
    ? turned.greyscale().png({ palette: true, colours: 16 }).toBuffer()
    : turned.jpeg({ quality: 62 }).toBuffer()
}

/** Rings of a received stamp, without words: what a bill says stays what its model says. */
const stamp = (size: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><g fill="none" stroke="#b66" stroke-width="4"><circle cx="${size / 2}" cy="${size / 2}" r="${size / 2 - 4}"/><circle cx="${size / 2}" cy="${size / 2}" r="${size / 3}"/></g></svg>`,
  )

/** A picture as the only thing of a PDF, as scanners write it. */
export async function pdfOf(picture: Buffer): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: 0, info: { CreationDate: new Date(0) } })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => pdf.once('end', resolve))
  pdf.image(picture, 0, 0, { fit: [595, 842] })
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

/** Bills as scanners and phones see them: askew, rotated, worn, stamped, pale, with artefacts of JPEG. */
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { withPdf } from '../../documents/pdf/pdf.ts'
import { pick, randomBy } from './random.ts'

/** Damage of a page. */
type Wear = {
  readonly dpi: number
  /** Range of a pixel's noise. */
  readonly noise: number
  readonly degrees: number
  /** Resulting values of black and white. */
  readonly ink: number
  readonly paper: number
  /** Darkening towards the far corner. */
  readonly shade: number
  /** Dark lines along the paper, from dirt on the glass. */
  readonly streaks: number
  readonly stamp: 'rings' | 'received' | null
  readonly quality: number
  /** Quarter turns, clockwise. */
  readonly turns: number
}

const USUAL: Wear = {
  dpi: 200,
  noise: 36,
  degrees: 0,
  ink: 0,
  paper: 247,
  shade: 0,
  streaks: 0,
  stamp: 'rings',
  quality: 62,
  turns: 0,
}

/** Renders the first page at 170 to 230 dpi, askew by up to two degrees: JPEG, or PNG if `isPng`. */
export async function scanPage(pdf: Buffer, seed: number, isPng = false): Promise<Buffer> {
  const random = randomBy(seed)
  return drawPicture(
    pdf,
    { ...USUAL, dpi: 170 + Math.floor(random() * 60), degrees: (random() - 0.5) * 4 },
    random,
    isPng,
  )
}

/** Renders a page that is hard to read in one of many ways; one in four is rotated. */
export async function worn(pdf: Buffer, seed: number, isPng = false): Promise<Buffer> {
  const random = randomBy(seed)
  const pale = random() < 0.3
  const wear: Wear = {
    dpi: pick(random, [150, 170, 200, 200, 240, 300]),
    noise: pick(random, [6, 20, 36, 48]),
    degrees: (random() - 0.5) * 5,
    ink: pale ? pick(random, [70, 110]) : pick(random, [0, 30]),
    paper: pale ? pick(random, [205, 230]) : 247,
    shade: random() < 0.3 ? 70 : 0,
    streaks: random() < 0.25 ? 3 : 0,
    stamp: pick(random, ['rings', 'received', null]),
    quality: pick(random, [40, 55, 62, 80]),
    turns: random() < 0.75 ? 0 : pick(random, [1, 2, 3]),
  }
  return drawPicture(pdf, wear, random, isPng)
}

async function drawPicture(pdf: Buffer, wear: Wear, random: () => number, isPng: boolean): Promise<Buffer> {
  const { pixels, width, height } = await withPdf(pdf, async (opened) => opened.picture(1, wear.dpi))
  const streaks = Array.from({ length: wear.streaks }, () => Math.floor(random() * width))
  const paper = new Uint8Array(pixels.length)
  for (let at = 0; at < paper.length; at += 1) {
    const [column, row] = [at % width, Math.floor(at / width)]
    const shade = (wear.shade * (column + row)) / (width + height)
    const print = wear.ink + ((pixels[at] ?? 0) / 255) * (wear.paper - wear.ink)
    const dirt = streaks.includes(column) ? 60 : 0
    paper[at] = Math.max(0, Math.min(255, print - shade - dirt + (random() - 0.5) * wear.noise))
  }
  const [x, y] = [Math.round(width * 0.62), Math.round(height * (0.15 + random() * 0.1))]
  const flat = sharp(Buffer.from(paper), { raw: { width, height, channels: 1 } }).toColourspace('srgb')
  const stamped = wear.stamp
    ? flat.composite([
        { input: stamp(Math.round(width / 5), wear.stamp === 'received'), left: x, top: y, blend: 'multiply' },
      ])
    : flat
  const turned = sharp(await stamped.png().toBuffer())
    .rotate(wear.degrees, { background: '#eee' })
    .blur(0.5)
  const lying = wear.turns === 0 ? turned : sharp(await turned.png().toBuffer()).rotate(90 * wear.turns)
  return isPng
    ? lying.greyscale().png({ palette: true, colours: 16 }).toBuffer()
    : lying.jpeg({ quality: wear.quality }).toBuffer()
}

/** Draws rings, or a received stamp with a day: the truth of the bill stays the same. */
function stamp(size: number, isReceived: boolean): Buffer {
  const [half, tenth] = [size / 2, size / 10]
  const rings = `<circle cx="${half}" cy="${half}" r="${half - 4}"/><circle cx="${half}" cy="${half}" r="${size / 3}"/>`
  const text = (line: string, y: number) =>
    `<text x="${half}" y="${y}" text-anchor="middle" font-size="${tenth * 1.4}" font-family="sans-serif" fill="#36a" stroke="none">${line}</text>`
  const received = `<g transform="rotate(-8 ${half} ${half})" stroke="#36a"><rect x="${tenth}" y="${half - tenth * 2}" width="${size - 2 * tenth}" height="${tenth * 4}"/>${text('ERHALTEN', half - tenth * 0.2)}${text('14 MAR 2026', half + tenth * 1.4)}</g>`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><g fill="none" stroke="#b66" stroke-width="4">${isReceived ? received : rings}</g></svg>`,
  )
}

export async function pdfOf(picture: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    layout: width > height ? 'landscape' : 'portrait',
    info: { CreationDate: new Date(0) },
  })
  pdf.image(picture, 0, 0, { fit: width > height ? [842, 595] : [595, 842] })
  pdf.end()
  return buffer(pdf)
}

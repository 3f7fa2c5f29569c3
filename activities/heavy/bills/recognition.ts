/** Text in pictures, by Tesseract in WebAssembly, with its data from a package: nothing is asked of any network. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { Box, Word } from '../../../db/model/bills/text/words.ts'
import type { Grey } from './pdf.ts'

/** The part of its interface that is used; the package has no types. */
type Tesseract = {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void }
  readonly TessBaseAPI: new () => Api
}
type Api = {
  Init(path: null, language: string, engine: number): number
  SetVariable(name: string, value: string): boolean
  SetImageFile(orientation: number, radians: number): number
  FindLines(): void
  GetGradient(): number
  Recognize(monitor: null): number
  GetTSVText(page: number): string
  Clear(): void
}

const LSTM_ONLY = 1
const AUTOMATIC_LAYOUT = '3'
/** 0.3 degrees: what is less needs no turning. */
const TURNED_MIN = 0.005
const WORD_LEVEL = '5'

const require = createRequire(import.meta.url)
let loaded: Promise<{ tesseract: Tesseract; api: Api }> | undefined

async function load(): Promise<{ tesseract: Tesseract; api: Api }> {
  // a cast: the package has no types
  const start = require('tesseract.js-core/tesseract-core-simd-lstm') as (options: object) => Promise<Tesseract>
  const tesseract = await start({ print: () => {}, printErr: () => {} })
  const data = require.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz')
  tesseract.FS.writeFile('./eng.traineddata', gunzipSync(await readFile(data)))
  const api = new tesseract.TessBaseAPI()
  if (api.Init(null, 'eng', LSTM_ONLY) !== 0) throw new Error('Tesseract does not start')
  api.SetVariable('tessedit_pageseg_mode', AUTOMATIC_LAYOUT)
  return { tesseract, api }
}

export type Recognized = {
  readonly words: Word[]
  /** Where something of these words stands on the picture as it was given. */
  readonly onPicture: (box: Box) => Box
}

/**
 * The words of a picture, which is turned upright first if it lies up to some degrees askew. Boxes are in points, of
 * which `scale` pixels are one, of the upright picture.
 */
export async function recognize(picture: Grey, scale: number): Promise<Recognized> {
  const { tesseract, api } = await (loaded ??= load())
  const head = Buffer.from(`P5\n${picture.width} ${picture.height}\n255\n`)
  const show = (radians: number) => {
    tesseract.FS.writeFile('/input', Buffer.concat([head, picture.pixels]))
    if (api.SetImageFile(1, radians) !== 0) throw new Error('Tesseract does not take the picture')
  }
  show(0)
  api.FindLines()
  const gradient = api.GetGradient()
  const radians = Math.abs(gradient) < TURNED_MIN ? 0 : gradient
  if (radians !== 0) show(radians)
  api.Recognize(null)
  const rows = api.GetTSVText(0).split('\n')
  api.Clear()
  tesseract.FS.unlink('/input')
  const words = rows.flatMap((row) => {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t')
    if (level !== WORD_LEVEL || text.trim() === '') return []
    // a cast: of four
    const box = [left, top, width, height].map((pixels) => Number(pixels) / scale) as [number, number, number, number]
    return [{ text: text.trim(), box, confidence: Number(confidence) / 100 }]
  })
  const size = { width: picture.width / scale, height: picture.height / scale }
  return { words, onPicture: (box) => turnedBack(box, size, radians) }
}

/** Where something stood before the picture was turned about its middle. */
function turnedBack([x, y, w, h]: Box, { width, height }: { width: number; height: number }, radians: number): Box {
  const [dx, dy] = [x + w / 2 - width / 2, y + h / 2 - height / 2]
  const [sin, cos] = [Math.sin(-radians), Math.cos(-radians)]
  const middleX = width / 2 + dx * cos - dy * sin
  const middleY = height / 2 + dx * sin + dy * cos
  return [middleX - w / 2, middleY - h / 2, w, h]
}

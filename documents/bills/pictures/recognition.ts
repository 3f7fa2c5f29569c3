/** Text in pictures, by Tesseract in WebAssembly with packaged data, without network. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { Language } from '../text/labels/languages.ts'
import { countLetters } from './letters.ts'
import type { Word } from '../../../domain/bills/page.ts'
import type { Grey } from '../../pdf/pdf.ts'

type Tesseract = {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void }
  readonly TessBaseAPI: new () => Api
}
type Api = {
  Init(path: null, language: string, engine: number): number
  SetVariable(name: string, value: string): boolean
  SetImageFile(orientation: number, radians: number): number
  SetRectangle(left: number, top: number, width: number, height: number): void
  FindLines(): void
  GetGradient(): number
  Recognize(monitor: null): number
  GetTSVText(page: number): string
  Clear(): void
}

const LSTM_ONLY = 1
/** Layouts of Tesseract: a page in columns, or lines of one block. */
const LAYOUT = { page: '3', block: '6' } as const
/** Radians of 0.3 degrees; less needs no turning. */
const TURNED_MIN = 0.005
const WORD_LEVEL = '5'
/**
 * Letters that are recognized at once, in about 2 seconds of processor time; of a band, in 0.7. A page of 1,200 words
 * takes 5.4 seconds, one of 8,000 tiny ones 38, and nothing can end it in between.
 */
const [LETTERS_AT_ONCE, LETTERS_OF_BAND] = [2500, 700]
const BANDS_MAX = 24
/** Overlap of bands, in points: the lines at their edges are read whole. */
const OVERLAP = 14

const require = createRequire(import.meta.url)
const DATA: Readonly<Record<Language, readonly [code: string, file: () => string]>> = {
  de: ['deu', () => require.resolve('@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz')],
  en: ['eng', () => require.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz')],
  fr: ['fra', () => require.resolve('@tesseract.js-data/fra/4.0.0_best_int/fra.traineddata.gz')],
  es: ['spa', () => require.resolve('@tesseract.js-data/spa/4.0.0_best_int/spa.traineddata.gz')],
  nl: ['nld', () => require.resolve('@tesseract.js-data/nld/4.0.0_best_int/nld.traineddata.gz')],
  it: ['ita', () => require.resolve('@tesseract.js-data/ita/4.0.0_best_int/ita.traineddata.gz')],
}

let loaded: Promise<{ tesseract: Tesseract; api: Api }> | undefined
let spoken: Language | undefined

async function load(): Promise<{ tesseract: Tesseract; api: Api }> {
  // a cast: the package has no types
  const start = require('tesseract.js-core/tesseract-core-simd-lstm') as (options: object) => Promise<Tesseract>
  const tesseract = await start({ print: () => {}, printErr: () => {} })
  return { tesseract, api: new tesseract.TessBaseAPI() }
}

async function speaking(language: Language): Promise<{ tesseract: Tesseract; api: Api }> {
  const { tesseract, api } = await (loaded ??= load())
  if (spoken !== language) {
    const [code, file] = DATA[language]
    tesseract.FS.writeFile(`./${code}.traineddata`, gunzipSync(await readFile(file())))
    if (api.Init(null, code, LSTM_ONLY) !== 0) throw new Error('Tesseract does not start')
    tesseract.FS.unlink(`./${code}.traineddata`)
    spoken = language
  }
  return { tesseract, api }
}

export type Recognizer = {
  readonly page: typeof recognizePage
  readonly lines: typeof recognizeLines
  readonly load?: () => Promise<unknown>
}
export const TESSERACT: Recognizer = {
  page: recognizePage,
  lines: recognizeLines,
  load: async () => speaking('en'),
}

type PageWords = { readonly words: Word[]; readonly radians: number; readonly isPart?: boolean }

/**
 * Recognizes a page; boxes are in points, `scale` is pixels per point. A skewed page is first turned upright about its
 * middle by `radians`: boxes are those of the upright picture. A page of very much text is recognized in bands, while
 * `hasTime`: its head, then from its foot up, where sums and accounts are.
 */
async function recognizePage(picture: Grey, scale: number, hasTime: () => boolean = () => true): Promise<PageWords> {
  const { tesseract, api } = await speaking('en')
  api.SetVariable('tessedit_pageseg_mode', LAYOUT.page)
  show(tesseract, api, picture, 0)
  api.FindLines()
  const gradient = api.GetGradient()
  const radians = Math.abs(gradient) < TURNED_MIN ? 0 : gradient
  const letters = countLetters(picture, scale)
  if (letters > LETTERS_AT_ONCE) {
    const bands = Math.min(BANDS_MAX, Math.ceil(letters / LETTERS_OF_BAND))
    const read = (top: number, height: number) => {
      show(tesseract, api, picture, radians)
      api.SetRectangle(0, Math.round(top), picture.width, Math.round(height))
      return readWords(tesseract, api, scale)
    }
    return { ...readBands(picture.height, bands, OVERLAP * scale, scale, read, hasTime), radians }
  }
  if (radians !== 0) show(tesseract, api, picture, radians)
  return { words: readWords(tesseract, api, scale), radians }
}

/** Reads the bands of a page while there is time, at least one. A word is of the band of its middle. */
export function readBands(
  height: number,
  count: number,
  overlap: number,
  scale: number,
  read: (top: number, height: number) => Word[],
  hasTime: () => boolean,
): { words: Word[]; isPart: boolean } {
  const order = [0, ...Array.from({ length: count - 1 }, (_, index) => count - 1 - index)]
  const found = new Map<number, Word[]>()
  for (const band of order) {
    if (found.size > 0 && !hasTime()) break
    const [top, bottom] = [(height * band) / count, (height * (band + 1)) / count]
    const from = Math.max(0, top - overlap)
    const words = read(from, Math.min(height, bottom + overlap) - from)
    const middleOf = ({ box: [, y, , h] }: Word) => (y + h / 2) * scale
    found.set(
      band,
      words.filter((word) => middleOf(word) >= top && (middleOf(word) < bottom || band === count - 1)),
    )
  }
  const words = [...found].toSorted(([a], [b]) => a - b).flatMap(([, words]) => words)
  return { words, isPart: found.size < count }
}

async function recognizeLines(picture: Grey, scale: number, language: Language): Promise<Word[]> {
  const { tesseract, api } = await speaking(language)
  api.SetVariable('tessedit_pageseg_mode', LAYOUT.block)
  show(tesseract, api, picture, 0)
  return readWords(tesseract, api, scale)
}

function show(tesseract: Tesseract, api: Api, { pixels, width, height }: Grey, radians: number): void {
  tesseract.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]))
  if (api.SetImageFile(1, radians) !== 0) throw new Error('Tesseract does not take the picture')
}

function readWords(tesseract: Tesseract, api: Api, scale: number): Word[] {
  api.Recognize(null)
  const rows = api.GetTSVText(0).split('\n')
  api.Clear()
  tesseract.FS.unlink('/input')
  return rows.flatMap((row) => {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t')
    if (level !== WORD_LEVEL || text.trim() === '') return []
    // a cast: of four
    const box = [left, top, width, height].map((pixels) => Number(pixels) / scale) as [number, number, number, number]
    return [{ text: text.trim(), box, confidence: Number(confidence) / 100 }]
  })
}

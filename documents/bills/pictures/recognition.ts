/** Text in pictures, by Tesseract in WebAssembly with packaged data, without network. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { Language } from '../text/labels/languages.ts'
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

export type Recognizer = { readonly page: typeof recognizePage; readonly lines: typeof recognizeLines }
export const TESSERACT: Recognizer = { page: recognizePage, lines: recognizeLines }

/**
 * Recognizes a page; boxes are in points, `scale` is pixels per point. A skewed page is first turned upright about its
 * middle by `radians`: boxes are those of the upright picture.
 */
async function recognizePage(picture: Grey, scale: number): Promise<{ words: Word[]; radians: number }> {
  const { tesseract, api } = await speaking('en')
  api.SetVariable('tessedit_pageseg_mode', LAYOUT.page)
  show(tesseract, api, picture, 0)
  api.FindLines()
  const gradient = api.GetGradient()
  const radians = Math.abs(gradient) < TURNED_MIN ? 0 : gradient
  if (radians !== 0) show(tesseract, api, picture, radians)
  return { words: readWords(tesseract, api, scale), radians }
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

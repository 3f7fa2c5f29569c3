/** The readers of a bill's file, in the order in which they are trusted: what is said in XML, in text, in pictures. */
import { type BillFile, type Reading, UnreadableBill, type UnreadableCode } from '../../../db/model/bills/reader.ts'
import { languageOn, readPages } from '../../../db/model/bills/text/reading.ts'
import type { Language } from '../../../db/model/bills/text/labels.ts'
import type { Box, Page } from '../../../db/model/bills/text/words.ts'
import { embeddedFiles, kindOf } from './kinds.ts'
import { nextStep } from './limits.ts'
import { type EmbeddedFile, type Grey, type Pdf, withPdf } from './pdf.ts'
import { recognize, turnedBack } from './recognition.ts'
import { secondLook } from './second-look.ts'
import { readXml } from './xml/read.ts'

const RECOGNIZED = 'tesseract-5'
const RECOGNIZED_PAGES_MAX = 20
const DPI = 200
/** A page with fewer is taken for a picture: a scanner's stamp has some. */
const WORDS_MIN = 12
/** Of a page's pixels, darker than paper: fewer make no page that is worth to be recognized beside written ones. */
const [INK_SHARE_MIN, PAPER, INK_DPI] = [0.008, 200, 50]

/** What each reader finds in a file. Throws UnreadableBill. */
export async function readings(file: BillFile): Promise<Reading[]> {
  nextStep()
  const kind = kindOf(file.bytes)
  if (kind === 'pdf') return withPdf(file.bytes, async (pdf) => ofPdf(pdf, file.bytes))
  if (kind === 'xml') return [readXml(file.bytes, 'file')]
  // what decodes pictures takes memory that a PDF needs
  const { greyPicture } = await import('./pictures.ts')
  const { scale, ...picture } = await greyPicture(file.bytes, kind)
  const page = { number: 1, width: picture.width / scale, height: picture.height / scale, words: [] }
  return [ofRecognized([await recognizedPage(page, picture)])]
}

async function ofPdf(pdf: Pdf, bytes: Uint8Array): Promise<Reading[]> {
  const inXml = readEmbedded(embeddedFiles(pdf, bytes))
  const pages = Array.from({ length: pdf.pageCount }, (_, index) => pdf.page(index + 1))
  const written = pages.filter(({ words }) => words.length >= WORDS_MIN)
  const text = written.length > 0 ? [readPages(pages, 'text-layer')] : []
  // what is exact needs no guess beside it
  if (inXml.length > 0) return [...inXml, ...text]
  const pictures = written.length > 0 ? pages.filter((page) => isPicture(pdf, page)) : pages
  return pictures.length > 0 ? [...text, ofRecognized(await recognized(pdf, pictures))] : text
}

/** Whether a page shows more than its few words. */
function isPicture(pdf: Pdf, { number, words }: Page): boolean {
  if (words.length >= WORDS_MIN) return false
  const { pixels } = pdf.picture(number, INK_DPI)
  return pixels.filter((value) => value < PAPER).length > pixels.length * INK_SHARE_MIN
}

/**
 * The bill in XML that a PDF brings along, if any. XML of another form, or damaged, is a file like any other. Throws
 * UnreadableBill for something hostile, for two bills, and for an order without a bill.
 */
function readEmbedded(files: readonly EmbeddedFile[]): Reading[] {
  const found: Reading[] = []
  let noBill: UnreadableBill | undefined
  for (const { bytes } of files.filter(({ name }) => /\.xml$/i.test(name))) {
    try {
      found.push(readXml(bytes, 'pdf'))
    } catch (error) {
      if (!(error instanceof UnreadableBill) || !BESIDE.has(error.code)) throw error
      if (error.code === 'not_a_bill') noBill = error
    }
  }
  if (found.length > 1) throw new UnreadableBill('ambiguous', 'The PDF has two bills in XML inside')
  if (found.length === 0 && noBill) throw noBill
  return found
}

/** XML that may stand beside a bill. */
const BESIDE: ReadonlySet<UnreadableCode> = new Set(['not_a_bill', 'unknown_format', 'damaged'])

type RecognizedPage = {
  readonly page: Page
  readonly language: Language | null
  /** Where something of its words stands on the page as it is given. */
  readonly onPage: (box: Box) => Box
}

/** Page by page, each of which has its own time. */
async function recognized(pdf: Pdf, pages: readonly Page[]): Promise<RecognizedPage[]> {
  const read: RecognizedPage[] = []
  for (const page of pages.slice(0, RECOGNIZED_PAGES_MAX)) {
    nextStep()
    read.push(await recognizedPage(page, pdf.picture(page.number, DPI)))
  }
  return read
}

async function recognizedPage(page: Page, picture: Grey): Promise<RecognizedPage> {
  nextStep()
  const scale = picture.width / page.width
  const { words, radians } = await recognize(picture, scale)
  const language = languageOn([{ ...page, words }])
  nextStep()
  const surer = await secondLook({ picture, scale, radians }, words, language ?? 'en')
  return { page: { ...page, words: surer }, language, onPage: (box) => turnedBack(box, page, radians) }
}

/** Lines are found on upright pages; what is shown of them stands on the pages as they are. */
function ofRecognized(pages: readonly RecognizedPage[]): Reading {
  const [first] = pages
  const reading = readPages(
    pages.map(({ page }) => page),
    RECOGNIZED,
    first?.language ?? 'en',
  )
  const places = new Map(pages.map(({ page, onPage }) => [page.number, onPage]))
  const placed = reading.fields.map((field) => ({
    ...field,
    box: field.box && (places.get(field.page ?? 0)?.(field.box) ?? field.box),
  }))
  return { ...reading, fields: placed }
}

/** Readers of a bill's file, most trusted first: XML, text, pictures. */
import {
  type BillFile,
  type Doubt,
  type OpenDocument,
  type Reading,
  UnreadableBill,
  type UnreadableCode,
} from '../../domain/bills/reader.ts'
import type { BillField } from '../../domain/bills/fields.ts'
import { type Code, codesRead } from './payment-codes.ts'
import { chooseReading } from './text/agreed.ts'
import { SEVERAL_BILLS, areApart, pagesRead, readPages } from './text/reading.ts'
import type { Page, ReadPage } from '../../domain/bills/page.ts'
import { onGiven } from './text/words.ts'
import { codesOn, isLookedAt } from '../pdf/codes.ts'
import { embeddedFiles, kindOf } from '../reading/kinds.ts'
import { beginFile, hasTimeForPicture, nextStep } from '../reading/limits.ts'
import { type EmbeddedFile, type Grey, type Pdf, type WrittenPage, withPdf } from '../pdf/pdf.ts'
import { type Recognizer, TESSERACT } from './pictures/recognition.ts'
import { type RecognizedPage, recognizePage } from './pictures/recognized-page.ts'
import { readXml } from './xml/read.ts'

const RECOGNIZED = 'tesseract-5'
const RECOGNIZED_PAGES_MAX = 20
/** Takes what is read so far, for the case that the rest takes too long. */
type Keep = (document: OpenDocument) => Promise<void>
const DPI = 200
/** Words of a page that is no picture: a scanner's stamp has some. */
const WORDS_MIN = 12
/** Least share of ink for recognition of a page beside written ones. */
const [INK_SHARE_MIN, PAPER, INK_DPI] = [0.008, 200, 50]

/** Lists the findings of each reader. Throws UnreadableBill. */
export const readings = async (file: BillFile, recognizer?: Recognizer): Promise<readonly Reading[]> =>
  (await openFile(file, recognizer)).readings

const importPictures = () => import('./pictures/files.ts')

/** Opens a file: readings() with the pages. */
export async function openFile(
  file: BillFile,
  recognizer: Recognizer = TESSERACT,
  loadPictures = importPictures,
  keep: Keep = async () => {},
): Promise<OpenDocument> {
  beginFile()
  const kind = kindOf(file.bytes)
  if (kind === 'pdf') return withPdf(file.bytes, async (pdf) => ofPdf(pdf, file.bytes, recognizer, keep))
  if (kind === 'xml') return { readings: [readXml(file.bytes, 'file')], pages: [] }
  const { greyPicture, pagesOfPicture } = await loadPictures()
  const pages = pagesOfPicture(file.bytes, kind)
  const readingsOf = ({ recognized, shown }: Recognition) => withCodes(shown, [ofRecognized(recognized, pages.length)])
  const draw = async (page: number, index: number): Promise<Shown> => {
    nextStep('picture')
    const { scale, ...picture } = await greyPicture(file.bytes, kind, page)
    const size = { width: picture.width / scale, height: picture.height / scale }
    return { page: { number: index + 1, ...size, words: [] }, picture }
  }
  const recognition = await recognizePages(
    pages.map((page, index) => async () => draw(page, index)),
    recognizer,
    async (sofar) => keep({ readings: readingsOf(sofar), pages: [] }),
  )
  return { readings: readingsOf(recognition), pages: recognition.recognized.map(standing) }
}

async function ofPdf(pdf: Pdf, bytes: Uint8Array, recognizer: Recognizer, keep: Keep): Promise<OpenDocument> {
  const inXml = readEmbedded(embeddedFiles(pdf, bytes))
  const pages = Array.from({ length: pdf.pageCount }, (_, index) => readLetters(pdf, index + 1))
  nextStep('file')
  const written = pages.filter(({ words }) => words.length >= WORDS_MIN)
  const text = written.length > 0 ? [readPages(pages, 'text-layer')] : []
  // what is exact needs no guess beside it
  if (inXml.length > 0) return { readings: [...inXml, ...text], pages: [] }
  const pictures = written.length > 0 ? pages.filter((page) => isPicture(pdf, page)) : pages
  const asGiven = written.map((page) => ({ ...page, turn: null }))
  const codes = await codesIn(
    pdf,
    pages.filter((page) => !pictures.includes(page)),
  )
  if (pictures.length === 0) return { readings: withCodes(codes, text), pages: asGiven }
  const readingsOf = ({ recognized, shown }: Recognition) =>
    withCodes([...codes, ...shown], [...text, ofRecognized(recognized, pictures.length)])
  const draw = async (page: Page): Promise<Shown> => {
    nextStep('page')
    return { page, picture: pdf.picture(page.number, DPI) }
  }
  const { recognized, shown } = await recognizePages(
    pictures.map((page) => async () => draw(page)),
    recognizer,
    async (sofar) => keep({ readings: readingsOf(sofar), pages: [] }),
  )
  return { readings: readingsOf({ recognized, shown }), pages: [...asGiven, ...recognized.map(standing)] }
}

const doubtPages = (fields: readonly BillField[], message: string): Doubt => ({ code: 'unread_pages', fields, message })

/** Reads a page by its letters in a step of its own: drawings may be slow on purpose. */
function readLetters(pdf: Pdf, number: number): WrittenPage {
  nextStep('page')
  return pdf.page(number)
}

const standing = ({ page, turn }: RecognizedPage): ReadPage => ({ ...page, turn })

/** Tells whether a page shows more than its few words. */
function isPicture(pdf: Pdf, { number, words }: Page): boolean {
  if (words.length >= WORDS_MIN) return false
  nextStep('page')
  const { pixels } = pdf.picture(number, INK_DPI)
  return pixels.filter((value) => value < PAPER).length > pixels.length * INK_SHARE_MIN
}

/**
 * Reads the XML bill inside a PDF; ignores other or damaged XML. Throws UnreadableBill for hostile XML, two bills, or
 * an order without a bill.
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

const BESIDE: ReadonlySet<UnreadableCode> = new Set(['not_a_bill', 'unknown_format', 'damaged'])

/** Puts the exact reading of codes first; empties all if the file has two bills. */
function withCodes(codes: readonly Code[], readings: readonly Reading[]): Reading[] {
  if (areApart(readings)) {
    const unread = readings.flatMap(({ doubts }) => doubts.filter(({ code }) => code === 'unread_pages'))
    return readings.map((reading) => ({ ...reading, fields: [], doubts: [SEVERAL_BILLS, ...unread] }))
  }
  const ofCodes = codesRead(codes, readings)
  return ofCodes ? [ofCodes, ...readings] : [...readings]
}

/** Finds the codes on written pages that seem to have some. */
async function codesIn(pdf: Pdf, pages: readonly WrittenPage[]): Promise<Code[]> {
  const codes: Code[] = []
  for (const page of pages) {
    if (!page.mayShowCode || !isLookedAt(page.number, pdf.pageCount)) continue
    nextStep('page')
    const picture = pdf.picture(page.number, DPI)
    codes.push(...(await codesOn(picture, picture.width / page.width, page.number)))
  }
  return codes
}

/** Page with its picture. */
type Shown = { readonly page: Page; readonly picture: Grey }
type Recognition = { readonly recognized: readonly RecognizedPage[]; readonly shown: readonly Code[] }

async function recognizePages(
  pages: readonly (() => Promise<Shown>)[],
  recognizer: Recognizer,
  keep: (sofar: Recognition) => Promise<void>,
): Promise<Recognition> {
  const recognized: RecognizedPage[] = []
  const shown: Code[] = []
  // sums and accounts are on the last page
  const byWorth = [...pages.slice(0, 1), ...pages.slice(1).slice(-1), ...pages.slice(1, -1)]
  for (const draw of byWorth.slice(0, RECOGNIZED_PAGES_MAX)) {
    if (!hasTimeForPicture()) break
    const { page, picture } = await draw()
    nextStep('picture')
    shown.push(...(await codesOn(picture, picture.width / page.width, page.number)))
    await keep({ recognized, shown })
    nextStep('picture')
    recognized.push(await recognizePage(page, picture, recognizer))
    recognized.sort((a, b) => a.page.number - b.page.number)
  }
  return { recognized, shown }
}

/** Makes the reading of recognized pages, of `count` that are pictures; boxes are on the pages as given. */
function ofRecognized(pages: readonly RecognizedPage[], count: number): Reading {
  if (pages.length === 0) return { method: RECOGNIZED, fields: [], doubts: [doubtOfTime(0)], notPayable: null }
  const letters = pages[0]?.language ?? 'en'
  const read = (of: (page: RecognizedPage) => Page) => pagesRead(pages.map(of), RECOGNIZED, letters)
  const others = [0, 1].map((index) => read(({ page, others }) => others[index] ?? page))
  const turns = new Map(pages.map(({ page, turn }) => [page.number, turn]))
  const reading = chooseReading(
    read(({ page }) => page),
    others,
  )
  const placed = reading.fields.map((field) => ({ ...field, box: onGiven(field.box, turns.get(field.page ?? 0)) }))
  return { ...reading, fields: placed, doubts: [...reading.doubts, ...unreadOf(pages, count, reading)] }
}

const doubtOfTime = (count: number): Doubt =>
  doubtPages(
    [],
    `of the pages that are pictures, only ${count} were read: reading took too long, or there are too many`,
  )

/** Lists what was not read: pages, parts of one, or lines that were read once. */
function unreadOf(pages: readonly RecognizedPage[], count: number, { fields }: Reading): Doubt[] {
  const numbers = (lack: RecognizedPage['lacks']) =>
    pages.flatMap(({ page, lacks }) => (lacks === lack ? [page.number] : [])).join(', ')
  const [parts, once] = [numbers('words'), numbers('second looks')]
  return [
    ...(pages.length < count ? [doubtOfTime(pages.length)] : []),
    // what was not read may say another value
    ...(parts ? [doubtPages([...new Set(fields.map(({ field }) => field))], `page ${parts} was read in part`)] : []),
    ...(once ? [doubtPages([], `some lines of page ${once} were read only once`)] : []),
  ]
}

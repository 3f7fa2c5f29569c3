/** Page of a picture as words: turned upright, read, and read again where it matters. */
import { BANK_COORDINATES } from '../../../domain/destinations/bank-requirements.ts'
import type { BillField } from '../../../domain/bills/fields.ts'
import type { ReadField } from '../../../domain/bills/reader.ts'
import { fold } from '../text/labels/fold.ts'
import { LABELS } from '../text/labels/labels.ts'
import type { Language } from '../text/labels/languages.ts'
import { languageOn, readPages } from '../text/reading.ts'
import type { Page, Word, Turn } from '../../../domain/bills/page.ts'
import { type Line, linesOf } from '../text/words.ts'
import { evenOut } from './evened.ts'
import { beginPageWork, hasTimeForPage, nextStep } from '../../reading/limits.ts'
import type { Grey } from '../../pdf/pdf.ts'
import type { Recognizer } from './recognition.ts'
import { secondLook } from './second-look.ts'
import { quartersOf, rotate } from './upright.ts'

export type RecognizedPage = {
  readonly page: Page
  readonly others: readonly Page[]
  readonly language: Language | null
  readonly turn: Turn
  /** Work for which the time of the page was too short. */
  readonly lacks: 'words' | 'second looks' | null
}

export async function recognizePage(given: Page, shown: Grey, recognizer: Recognizer): Promise<RecognizedPage> {
  await recognizer.load?.()
  beginPageWork()
  const even = evenOut(shown)
  const scale = even.width / given.width
  const quarters = await quartersOf(even, scale, (part) => recognizer.lines(part, scale, 'en'))
  const picture = rotate(even, quarters)
  const page = { ...given, width: picture.width / scale, height: picture.height / scale, words: [] }
  const { words, radians, isPart } = await recognizer.page(picture, scale, hasTimeForPage)
  const language = languageOn([{ ...page, words }])
  nextStep('picture')
  const looks = await secondLook(
    { picture, scale, radians },
    words,
    language ?? 'en',
    recognizer.lines,
    worthOn({ ...page, words }, language ?? 'en'),
    hasTimeForPage,
  )
  const [surest = [], ...others] = looks.readings
  return {
    page: { ...page, words: printOn(page, surest) },
    others: others.map((words) => ({ ...page, words: printOn(page, words) })),
    language,
    turn: { quarters, radians, width: given.width, height: given.height },
    lacks: isPart ? 'words' : looks.isPart ? 'second looks' : null,
  }
}

/** Removes scratches and frames that were taken for words. */
const printOn = (page: Page, words: readonly Word[]): Word[] =>
  linesOf({ ...page, words })
    .flatMap(({ cells }) => cells)
    .filter(({ text, confidence }) => PRINT.test(text) && (text.length > 1 || (confidence ?? 1) >= SIGN_MIN))
    .flatMap((cell) => cell.words)
const PRINT = /[\p{L}\p{N}\p{Sc}%]/u
/** Confidence of a sign that stands alone. */
const SIGN_MIN = 0.6

/** Fields that move money, whose lines are read again first. */
const MONEY: ReadonlySet<BillField> = new Set(['amount', 'currency', ...BANK_COORDINATES])
const MONEY_LABELS = [LABELS.payable, LABELS.gross, LABELS.net, LABELS.tax, /\biban\b/]
/** Labels that must be read as printed for their value to be found. */
const LABELLED = [LABELS.number, LABELS.issued, LABELS.due, LABELS.reference]

/** Weighs the lines of a page: amounts and accounts, then other fields, however unsure, and labels of one. */
function worthOn(page: Page, language: Language): (line: Line) => number {
  const words = page.words.map((word) => ({ ...word, confidence: 1 }))
  const { fields } = readPages([{ ...page, words }], '', language)
  return ({ box: [, top, , height], text }) => {
    const label = fold(text)
    const isOn = ({ box }: ReadField) => box !== null && box[1] + box[3] / 2 > top && box[1] + box[3] / 2 < top + height
    const found = fields.filter(isOn)
    if (found.some(({ field }) => MONEY.has(field)) || MONEY_LABELS.some((one) => one.test(label))) return 2
    return found.length > 0 || LABELLED.some((one) => one.test(label)) ? 1 : 0
  }
}

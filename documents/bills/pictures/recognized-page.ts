/** Page of a picture as words: turned upright, read, and read again where it matters. */
import { fold } from '../text/labels/fold.ts'
import { LABELS } from '../text/labels/labels.ts'
import type { Language } from '../text/labels/languages.ts'
import { languageOn, readPages } from '../text/reading.ts'
import type { Page, Word, Turn } from '../../../domain/bills/page.ts'
import { type Line, linesOf } from '../text/words.ts'
import { evenOut } from './evened.ts'
import { nextStep } from '../../reading/limits.ts'
import type { Grey } from '../../pdf/pdf.ts'
import type { Recognizer } from './recognition.ts'
import { secondLook } from './second-look.ts'
import { quartersOf, rotate } from './upright.ts'

export type RecognizedPage = {
  readonly page: Page
  readonly others: readonly Page[]
  readonly language: Language | null
  readonly turn: Turn
}

export async function recognizePage(given: Page, shown: Grey, recognizer: Recognizer): Promise<RecognizedPage> {
  const even = evenOut(shown)
  const scale = even.width / given.width
  const quarters = await quartersOf(even, scale, (part) => recognizer.lines(part, scale, 'en'))
  const picture = rotate(even, quarters)
  const page = { ...given, width: picture.width / scale, height: picture.height / scale, words: [] }
  const { words, radians } = await recognizer.page(picture, scale)
  const language = languageOn([{ ...page, words }])
  nextStep('picture')
  const [surest = [], ...others] = await secondLook(
    { picture, scale, radians },
    words,
    language ?? 'en',
    recognizer.lines,
    mattersOf({ ...page, words }, language ?? 'en'),
  )
  return {
    page: { ...page, words: printOn(page, surest) },
    others: others.map((words) => ({ ...page, words: printOn(page, words) })),
    language,
    turn: { quarters, radians, width: given.width, height: given.height },
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

/** Tells whether a line has a field of the bill, however unsure, or a label of one. */
function mattersOf(page: Page, language: Language): (line: Line) => boolean {
  const words = page.words.map((word) => ({ ...word, confidence: 1 }))
  const { fields } = readPages([{ ...page, words }], '', language)
  return ({ box: [, top, , height], text }) => {
    const label = fold(text)
    return (
      fields.some(({ box }) => box && box[1] + box[3] / 2 > top && box[1] + box[3] / 2 < top + height) ||
      LABELLED.some((one) => one.test(label))
    )
  }
}

/** Labels that must be read as printed for their value to be found. */
const LABELLED = [LABELS.number, LABELS.issued, LABELS.due, LABELS.payable, LABELS.gross, LABELS.reference, /\biban\b/]

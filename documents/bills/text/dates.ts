/** Dates in texts: numeric in any order, with months by name, of East Asia; and texts without their dates. */
import { isBankCurrency } from '../../../domain/destinations/bank-requirements.ts'
import { isOnCalendar } from '../../../domain/instants.ts'
import { fold, foldInPlace } from './labels/fold.ts'
import type { PageLanguage } from './labels/languages.ts'
import { isMonth, monthOf } from './labels/months.ts'

/** Order of 03/04: day first, month first, or unknown. */
export type DateOrder = 'day' | 'month' | null

export type DateFinding = { readonly date: string | null; readonly text: string }
type Reader = (match: RegExpMatchArray, order: DateOrder, language: PageLanguage | null) => string | null | undefined

const LETTERS = String.raw`\p{L}{3,14}`
/** Signs between day, month and year. */
const BETWEEN = String.raw`(?:\.?(?: ?[-/.] ?|,? (?:de |del |d'|di |of |da )?)|\.)`
const YEAR = String.raw`(\d{4}|'\d{2}|\d{2}(?![\d.,:/]))(?!\d|[.,]\d)`
const DAY = String.raw`(?<![\d.,/-])(\d{1,2})(?:\.|er|º|ª|st|nd|rd|th|°|-?[ео]?[гм]о)?`

/** Forms of dates with the reader of each: undefined for none after all, null for two possible days. */
const FORMS: readonly (readonly [form: RegExp, read: Reader])[] = [
  [/(?<![\d.,/-])(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})(?![\d/-]|\.\d)/u, readNumeric],
  [
    new RegExp(`${DAY}${BETWEEN}(${LETTERS})${BETWEEN}${YEAR}`, 'u'),
    ([, day, month, year], _, language) => readNamed(year, month, day, language),
  ],
  [
    new RegExp(`(?<!\\p{L})(${LETTERS})${BETWEEN}(\\d{1,2})(?:st|nd|rd|th)?(?:, ?|[-/. ])${YEAR}`, 'u'),
    ([, month, day, year], _, language) => readNamed(year, month, day, language),
  ],
  [
    // "2026-Jan-15", "2026. január 15.", "2026. gada 15. janvārī", "2026 m. sausio 15 d."
    new RegExp(String.raw`(?<!\d)(\d{4})(?:\. ?|[-/ ])(?:m\. |gada )?(${LETTERS})(?:\.? |[-/])(\d{1,2})(?!\d)`, 'u'),
    ([, year, month, day], _, language) => readNamed(year, month, day, language),
  ],
  [
    new RegExp(String.raw`(?<!\d)(\d{4})(?:\. ?| )gada (\d{1,2})\. ?(${LETTERS})`, 'u'),
    ([, year, day, month], _, language) => readNamed(year, month, day, language),
  ],
  [
    /(?<!\d)(\d{4}|\d{1,2}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]?/u,
    (match) => {
      const [whole, year = '', month = '', day = ''] = match
      const before = match.input?.slice(0, match.index) ?? ''
      if (year.length === 4) return dayOf(year, month, day)
      if (/令和 ?$/.test(before)) return dayOf(String(REIWA + Number(year)), month, day)
      return whole.length > 0 ? undefined : null
    },
  ],
]
/** Year before the first of the present Japanese era. */
const REIWA = 2018

/** Finds the first date; `date` is null if it could be two days. Undefined without any. */
export function dateIn(text: string, order: DateOrder, language: PageLanguage | null = null): DateFinding | undefined {
  const plain = asDigits(fold(text))
  const found = FORMS.flatMap(([form, read]) => {
    const match = form.exec(plain)
    const date = match ? read(match, order, language) : undefined
    return match && date !== undefined ? [{ date, text: match[0], at: match.index }] : []
  })
  const [first] = found.toSorted((a, b) => a.at - b.at)
  return first && { date: first.date, text: first.text }
}

/** Finds the date of a label, which may be digits alone: `20260115`. */
export function dateOf(text: string, order: DateOrder, language: PageLanguage | null): DateFinding | undefined {
  const found = dateIn(text, order, language)
  const [whole = '', year, month, day] = COMPACT.exec(asDigits(fold(text))) ?? []
  const date = dayOf(year, month, day)
  return found ?? (date === null ? undefined : { date, text: whole })
}
const COMPACT = /(?<![\d.,/-])((?:19|20)\d{2})(\d{2})(\d{2})(?![\d.,/-])/

/** Digits of a day, and its month and year, in whatever form: of a day that cannot be read, too. */
const LIKE_DATE =
  /\d{1,4} ?[./-] ?(?:\d{1,2}|\p{L}{3,14}\.?) ?[./-] ?'?\d{2,4}(?!\d)|(?<![\d.,])(?:19|20)\d{6}(?!\d)|\d ?[月월]/u
const DAY_BESIDE_WORD = /(?<![\d.,])\d{1,2}(?:\.|st|nd|rd|th)?[ -](\p{L}{3,14})|(\p{L}{3,14})\.? \d{1,2}(?![\d.,])/gu

/** Tells whether a text looks like a day, read or not. */
export function looksLikeDate(text: string): boolean {
  const plain = asDigits(fold(text))
  return (
    LIKE_DATE.test(plain) ||
    Array.from(plain.matchAll(DAY_BESIDE_WORD)).some(([, one, other]) => isMonth(one ?? other ?? ''))
  )
}

/** Times, and days without or with parts that are none: none of their digits is an amount. */
const PARTS: readonly RegExp[] = [
  /(?<![\d.,/-])\d{1,4}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?![\d/-]|[.,]\d)/gu,
  /(?<![\d.,])(?:19|20)\d{2}-\d{2}-\d{2}(?!\d)/g,
  /(?<![\d.,])\d{1,2}:\d{2}(?::\d{2})?(?!\d)/g,
  /(?<!\d)(?:\d{4}|\d{1,2}) ?[年년](?: ?\d{1,2} ?[月월])?(?: ?\d{1,2} ?[日일])?|\d{1,2} ?[月월](?: ?\d{1,2} ?[日일])?/gu,
]
const NEXT_TO_MONTH: readonly RegExp[] = [
  /(?<![\d.,])\d{1,2}(?:\.|er|st|nd|rd|th|°)?(?:[-/. ]|,? (?:de |del |d'|di |of )?)(\p{L}{3,14})\.?(?:[-/ .]|,? (?:de |del )?)(?:'\d{2}|\d{4}|\d{2}(?![\d.,]))?(?![\d])/gu,
  /(?<!\p{L})(\p{L}{3,14})\.?[-/ .,]? ?(?:de |del )?\d{1,2}(?:st|nd|rd|th)?(?:,? ?|[-/ .])(?:\d{4})?(?!\d|[.,]\d)/gu,
  /(?<!\p{L})(\p{L}{3,14})\.?[-/ .,']? ?(?:de |del )?(?:\d{4}|\d{2}(?= |$))(?!\d|[.,]\d)/gu,
  /(?<!\d)\d{4}[-/. ]{1,2}(?:m\. |gada )?(\p{L}{3,14})\.?(?:[-/ .]\d{1,2})?(?!\d|[.,]\d)/gu,
]

/** Replaces the dates of a text by signs, each by one character. */
export function maskDates(text: string): string {
  if (!/\d/.test(text)) return text
  let plain = text
  const hide = (from: number, length: number) => {
    plain = plain.slice(0, from) + MASK.repeat(length) + plain.slice(from + length)
  }
  for (const part of PARTS) for (const { 0: found, index } of plain.matchAll(part)) hide(index, found.trimEnd().length)
  for (const part of NEXT_TO_MONTH) {
    for (const { 0: found, 1: word = '', index } of foldInPlace(plain).matchAll(part)) {
      const at = index + found.indexOf(word)
      // "ZAR 12 345,00" is money, though September is "září"
      if (isMonth(word) && !isCode(plain.slice(at, at + word.length))) hide(index, found.trimEnd().length)
    }
  }
  return plain
}
const isCode = (word: string): boolean => /^[A-Z]{3}$/.test(word) && isBankCurrency(word)
/** Sign in place of a date: no letter, digit, or sign of an amount. */
const MASK = '◦'

/** Writes Arabic digits as ASCII ones. */
const asDigits = (text: string): string =>
  text
    .replaceAll(/[٠-٩]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x660))
    .replaceAll(/[۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x6f0))

function readNumeric(
  match: RegExpMatchArray,
  order: DateOrder,
  language: PageLanguage | null,
): string | null | undefined {
  const [, first = '', sign, second = '', third = ''] = match
  if (first.length === 4) return third.length === 2 ? (dayOf(first, second, third) ?? undefined) : undefined
  if (first.length > 2) return undefined
  const year = third.length === 2 ? `20${third}` : third
  if (third.length === 2 && language !== null && YEAR_FIRST.has(language))
    return dayOf(`20${first}`, second, third) ?? undefined
  const asDay = dayOf(year, second, first)
  const asMonth = sign === '.' ? null : dayOf(year, first, second)
  if (asDay === null || asMonth === null || asDay === asMonth) return asDay ?? asMonth ?? undefined
  return order === null ? null : order === 'day' ? asDay : asMonth
}
/** Languages that write the year first, in short dates too. */
const YEAR_FIRST: ReadonlySet<PageLanguage> = new Set<PageLanguage>(['ja', 'zh', 'ko', 'hu', 'lt'])

/** Reads a date with a named month; null for a word that is a month of two languages. */
function readNamed(
  year: string | undefined,
  word: string | undefined,
  day: string | undefined,
  language: PageLanguage | null,
): string | null | undefined {
  if (!word || !isMonth(word)) return undefined
  const month = monthOf(word, language)
  if (month === null) return null
  const digits = (year ?? '').replace("'", '')
  return dayOf(digits.length === 2 ? `20${digits}` : digits, String(month), day) ?? undefined
}

function dayOf(year = '', month = '', day = ''): string | null {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isOnCalendar(written) ? written : null
}

/** Finds the order by an unambiguous date, else by language, and for English by country; null if unknown. */
export function orderOf(texts: readonly string[], language: PageLanguage | null): DateOrder {
  const whole = fold(texts.join('\n'))
  let [day, month] = [false, false]
  // six digits between dashes are a sort code
  for (const [, first = '', slashed, dashed] of whole.matchAll(
    /(?<![\d./-])(\d{1,2})(?:\/(\d{1,2})\/(?:\d{4}|\d{2})|-(\d{1,2})-\d{4})(?!\d)/g,
  )) {
    const second = Number(slashed ?? dashed)
    if (Number(first) > 12 && Number(first) <= 31 && second <= 12) day = true
    if (second > 12 && second <= 31 && Number(first) <= 12) month = true
  }
  if (day !== month) return day ? 'day' : 'month'
  if (day && month) return null
  if (language !== null && language !== 'en') return 'day'
  const american = /\brouting\b|\baba\b|\bein\b|\b[a-z]{2} \d{5}(?:-\d{4})?\b/.test(whole) && /\busd\b|\$/.test(whole)
  const elsewhere = /£|\bgbp\b|€|\beur\b|\baud\b|\bnzd\b|\bsort code\b|\biban\b|\bbsb\b|\babn\b/.test(whole)
  if (american === elsewhere) return null
  return american ? 'month' : 'day'
}

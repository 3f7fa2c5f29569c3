import { isOnCalendar } from '../../../domain/instants.ts'
import { fold } from './labels/fold.ts'
import type { Language } from './labels/languages.ts'

/** Order of 03/04: day first, month first, or unknown. */
export type DateOrder = 'day' | 'month' | null

const MONTHS: readonly RegExp[] = [
  /^(jan|ene|gen)/,
  /^(feb|fev|fevr)/,
  /^(mar|mrz|mrt|maa|maer|marz)/,
  /^(apr|avr|abr)/,
  /^(may|mai|mei|mag)/,
  /^(jun|juin|giu)/,
  /^(jul|juil|lug)/,
  /^(aug|aou|ago)/,
  /^(sep|set)/,
  /^(oct|okt|ott)/,
  /^(nov)/,
  /^(dec|dez|dic)/,
]

const NUMERIC = /(?<!\d)(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})(?!\d)/
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:\.|er|st|nd|rd|th|°)? ?(?:de |del |d'|of )?([a-z]{3,10})\.?,? ?(?:de |del )?(\d{4})(?!\d)/
const MONTH_FIRST = /(?<![a-z])([a-z]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/

export type DateFinding = { readonly date: string | null; readonly text: string }

/** Finds the first date; `date` is null if it could be two days. Undefined without any. */
export function dateIn(text: string, order: DateOrder): DateFinding | undefined {
  const plain = fold(text)
  const found = [numeric(plain, order), readNamedMonth(plain)].filter((one) => one !== undefined)
  const [first] = found.toSorted((a, b) => plain.indexOf(a.text) - plain.indexOf(b.text))
  return first
}

function numeric(text: string, order: DateOrder): DateFinding | undefined {
  const match = NUMERIC.exec(text)
  if (!match) return undefined
  const [whole, first = '', sign, second = '', third = ''] = match
  if (first.length === 4) return third.length === 2 ? { date: dayOf(first, second, third), text: whole } : undefined
  if (first.length > 2) return undefined
  const year = third.length === 2 ? `20${third}` : third
  const asDay = dayOf(year, second, first)
  const asMonth = sign === '.' ? null : dayOf(year, first, second)
  if (asDay === null || asMonth === null || asDay === asMonth) {
    const only = asDay ?? asMonth
    return only === null ? undefined : { date: only, text: whole }
  }
  return { date: order === null ? null : order === 'day' ? asDay : asMonth, text: whole }
}

function readNamedMonth(text: string): DateFinding | undefined {
  for (const [pattern, dayAt, monthAt] of [
    [DAY_FIRST, 1, 2],
    [MONTH_FIRST, 2, 1],
  ] as const) {
    const match = pattern.exec(text)
    const month = MONTHS.findIndex((names) => names.test(match?.[monthAt] ?? ''))
    const date = match && month >= 0 ? dayOf(match[3] ?? '', String(month + 1), match[dayAt] ?? '') : null
    if (match && date) return { date, text: match[0] }
  }
  return undefined
}

function dayOf(year: string, month: string, day: string): string | null {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isOnCalendar(written) ? written : null
}

/** Finds the order by an unambiguous date, else by language, and for English by country; null if unknown. */
export function orderOf(texts: readonly string[], language: Language | null): DateOrder {
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

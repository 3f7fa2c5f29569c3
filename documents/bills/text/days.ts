/** Days of a bill: by their labels, behind its number, or by its terms of payment. */
import type { Doubt } from '../../../domain/bills/reader.ts'
import { doubt } from '../verified.ts'
import { type DateOrder, dateOf, looksLikeDate } from './dates.ts'
import { fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import type { PageLanguage } from './labels/languages.ts'
import { matchStems } from './labels/stems.ts'
import { type Label, isUnderOtherBill, valuesOf } from './labelled.ts'
import type { FoundNumber } from './numbers.ts'
import { onlyDayOf } from './only-day.ts'
import { speaksOfOtherBill } from './roles.ts'
import { dayInSentence, dueByTerms } from './terms.ts'
import type { Cell, Line } from './words.ts'

type Day = 'issue_date' | 'due_date'
type FoundDays = {
  readonly found: readonly { readonly field: Day; readonly date: string; readonly cell: Cell }[]
  readonly doubts: readonly Doubt[]
}
type Dates = {
  /** Null for a date that could be two days. */
  readonly dates: readonly (readonly [date: string | null, cell: Cell])[]
  /** Whether a label has a day that cannot be read. */
  readonly isUnread: boolean
}

/** Finds the days of a bill. A labelled day that cannot be read, or could be two, is a doubt. */
export function daysOf(
  lines: readonly Line[],
  numbers: readonly FoundNumber[],
  order: DateOrder,
  language: PageLanguage | null,
): FoundDays {
  const issued = findIssueDates(lines, numbers, order, language)
  const due = findDueDates(lines, order, language)
  const stated = [
    ['issue_date', issued],
    ['due_date', due],
  ] as const
  const found = stated.flatMap(([field, { dates }]) =>
    dates.flatMap(([date, cell]) => (date === null ? [] : [{ field, date, cell }])),
  )
  const doubts = stated.flatMap(([field, { dates, isUnread }]) => {
    if (dates.length === 0) return isUnread ? [doubt('no_such_date', [field])] : []
    return dates.every(([date]) => date === null) ? [doubt('ambiguous_date', [field])] : []
  })
  const issue = issued.dates[0]?.[0]
  const terms = due.dates.length === 0 && !due.isUnread && issue ? dueByTerms(lines, issue) : undefined
  return { found: terms ? [...found, { field: 'due_date', ...terms }] : found, doubts }
}

/** Finds the dates of the bill: by label, and right behind its number; else by a bare "date". */
function findIssueDates(
  lines: readonly Line[],
  numbers: readonly FoundNumber[],
  order: DateOrder,
  language: PageLanguage | null,
): Dates {
  const behind = numbers.flatMap(({ dated }) => (dated ? [dated] : []))
  const labelled = datesAt(lines, LABELS.issued, order, language)
  const dates = [...labelled.dates, ...behind]
  if (dates.length > 0 || labelled.isUnread) return { dates, isUnread: labelled.isUnread }
  const told = datesByStems(lines, 'issued', order, language)
  if (told.dates.length > 0 || told.isUnread) return told
  const bare = datesAt(lines, LABELS.dated, order, language)
  if (bare.dates.length > 0) return bare
  const day = datesByStems(lines, 'day', order, language)
  if (day.dates.length > 0) return day
  const timed = datesBesideTimes(lines, order, language)
  if (timed.dates.length > 0) return timed
  const only = onlyDayOf(lines, order, language)
  return { dates: only ? [only] : [], isUnread: false }
}

/** Finds the last days by label, else in a sentence that asks to pay until then. */
function findDueDates(lines: readonly Line[], order: DateOrder, language: PageLanguage | null): Dates {
  const labelled = datesAt(lines, LABELS.due, order, language)
  if (labelled.dates.length > 0 || labelled.isUnread) return labelled
  const told = datesByStems(lines, 'due', order, language)
  if (told.dates.length > 0 || told.isUnread) return told
  const said = dayInSentence(lines, order, language)
  return { dates: said ? [said] : [], isUnread: false }
}

/** Finds the only day behind labels that stems tell. */
function datesByStems(lines: readonly Line[], kind: StemLabel, order: DateOrder, language: PageLanguage | null): Dates {
  const { dates, isUnread } = datesAt(lines, TOLD[kind], order, language)
  const isOne = new Set(dates.map(([date]) => date)).size === 1
  return { dates: isOne ? dates : [], isUnread }
}
type StemLabel = keyof typeof TOLD
const TOLD = { issued: matchStems('issued'), due: matchStems('due'), day: matchStems('day') } as const

const TIME = /(?<!\d)\d{1,2}[:h]\d{2}(?!\d)/

/** Finds the day beside which a till prints the time. */
function datesBesideTimes(lines: readonly Line[], order: DateOrder, language: PageLanguage | null): Dates {
  const timed = lines.flatMap(({ cells, text }) =>
    cells.flatMap((cell) => {
      const found = TIME.test(text) ? dateOf(cell.text, order, language) : undefined
      return found ? [[found.date, cell] as const] : []
    }),
  )
  return { dates: new Set(timed.map(([date]) => date)).size === 1 ? timed.slice(0, 1) : [], isUnread: false }
}

/** Characters within which a date follows its label. */
const DATE_WITHIN = 12

function datesAt(lines: readonly Line[], label: Label, order: DateOrder, language: PageLanguage | null): Dates {
  const weak = label === LABELS.dated || label === TOLD.day
  const isByStems = Object.values(TOLD).some((told) => told === label)
  let isUnread = false
  const found = valuesOf(lines, label).flatMap(({ cell, line, label: said, before, stands }) => {
    if (/(?:amount|balance|total|betrag) $/.test(before) || (weak && !/^(?:.*,)?[^\p{L},]*$/u.test(before))) return []
    if (speaksOfOtherBill(said) || isUnderOtherBill(lines, line, cell)) return []
    if ((label === LABELS.due || label === TOLD.due) && OF_DISCOUNT.test(said)) return []
    const date = dateOf(cell.text, order, language)
    if (!date) {
      isUnread ||= !weak && stands !== 'beneath' && looksLikeDate(cell.text)
      return []
    }
    const at = fold(cell.text).indexOf(date.text)
    const isNear = at <= (weak || isByStems ? 2 : DATE_WITHIN) || (isByStems && PLACE.test(cell.text.slice(0, at)))
    return isNear ? [[date.date, cell] as const] : []
  })
  const certain = found.filter(([date]) => date !== null)
  const dates = certain.length > 0 ? certain : found
  return { dates: weak ? dates.slice(0, 1) : dates, isUnread: isUnread && dates.length === 0 }
}

/** Place before a day: "Warszawa, ". */
const PLACE = /^\p{Lu}[\p{L} .'-]{1,30}, ?(?:\p{Ll}{1,4}\.? )?$/u

/** Words of a day until which less is to be paid. */
export const OF_DISCOUNT =
  /%|skonto|escompte|korting|sconto|descuento|desconto|discount|rabat|kassakorting|sleva|kontantrabatt/

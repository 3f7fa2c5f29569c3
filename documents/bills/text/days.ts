/** Days of a bill: by their labels, behind its number, or by its terms of payment. */
import { daysAfter } from '../../../domain/instants.ts'
import type { Doubt } from '../../../domain/bills/reader.ts'
import { doubt } from '../verified.ts'
import { type DateOrder, dateOf, looksLikeDate } from './dates.ts'
import { fold } from './labels/fold.ts'
import { LABELS } from './labels/labels.ts'
import type { PageLanguage } from './labels/languages.ts'
import { isUnderOtherBill, valuesOf } from './labelled.ts'
import type { FoundNumber } from './numbers.ts'
import { speaksOfOtherBill } from './roles.ts'
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
  const due = datesAt(lines, LABELS.due, order, language)
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
  const bare = datesAt(lines, LABELS.dated, order, language)
  return bare.dates.length > 0 ? bare : datesBesideTimes(lines, order, language)
}

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

function datesAt(lines: readonly Line[], label: RegExp, order: DateOrder, language: PageLanguage | null): Dates {
  const weak = label === LABELS.dated
  let isUnread = false
  const found = valuesOf(lines, label).flatMap(({ cell, line, label: said, before, stands }) => {
    if (/(?:amount|balance|total|betrag) $/.test(before) || (weak && !/^(?:.*,)?[^a-z,]*$/.test(before))) return []
    if (speaksOfOtherBill(said) || isUnderOtherBill(lines, line, cell)) return []
    if (label === LABELS.due && OF_DISCOUNT.test(said)) return []
    const date = dateOf(cell.text, order, language)
    if (!date) {
      isUnread ||= !weak && stands !== 'beneath' && looksLikeDate(cell.text)
      return []
    }
    const at = fold(cell.text).indexOf(date.text)
    return at <= (weak ? 2 : DATE_WITHIN) ? [[date.date, cell] as const] : []
  })
  const certain = found.filter(([date]) => date !== null)
  const dates = certain.length > 0 ? certain : found
  return { dates: weak ? dates.slice(0, 1) : dates, isUnread: isUnread && dates.length === 0 }
}

/** Words of a day until which less is to be paid. */
const OF_DISCOUNT =
  /%|skonto|escompte|korting|sconto|descuento|desconto|discount|rabat|kassakorting|sleva|kontantrabatt/

const TERMS = [
  /(?:innerhalb|binnen|zahlbar|zahlungsziel|netto|zahlung)(?: von)?\D{0,24}?(\d{1,3}) tag/,
  /\b(\d{1,3}) tagen? (?:netto|nach)/,
  /\bnet ?(\d{1,3})\b/,
  /(?:within|terms:?|payable in|due in)\D{0,12}(\d{1,3}) days/,
  /\b(\d{1,3}) days (?:net|from|after|of)/,
  /(?:paiement|reglement|payable|echeance|sous|delai)\D{0,24}?(\d{1,3}) jours/,
  /(?:pago|plazo|pagar|vencimiento)\D{0,24}?(\d{1,3}) dias/,
  /(?:betal\w{0,20}|binnen|termijn)\D{0,24}?(\d{1,3}) dagen/,
  /(?:pagament\w{0,20}|entro|scadenza)\D{0,24}?(\d{1,3}) (?:giorni|gg)/,
]
/** Words of discounts, reminders, or the end of a month. */
const NO_TERMS =
  /%|skonto|escompte|korting|sconto|descuento|discount|verzug|mahn|overdue|late|interest|retard|penalit|mora|rente|fin de mois|fine mese|fin de mes|monatsende|end of (?:the )?month|eom|einde (?:van de )?maand/

function dueByTerms(lines: readonly Line[], issue: string): { date: string; cell: Cell } | undefined {
  const cells = lines.flatMap((line) => line.cells)
  const found = cells.flatMap((cell) => {
    const text = fold(cell.text)
    if (NO_TERMS.test(text)) return []
    return TERMS.flatMap((terms) =>
      terms.exec(text)?.[1] ? [{ days: Number(terms.exec(text)?.[1]), cell }] : [],
    ).slice(0, 1)
  })
  const [only] = found
  if (!only || new Set(found.map(({ days }) => days)).size > 1) return undefined
  return { date: daysAfter(issue, only.days), cell: only.cell }
}

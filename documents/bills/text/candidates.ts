/** Candidates from a model, accepted only if the bill's own pages have them. */
import { STATED_FIELDS } from '../../../domain/bills/fields.ts'
import type { NotPayable, ReadField, Reading } from '../../../domain/bills/reader.ts'
import { verifyFields } from '../verified.ts'
import { ibansIn, isOfPayer } from './accounts.ts'
import { currencyOf } from './labels/currencies.ts'
import { type PageLanguage, languageOf } from './labels/languages.ts'
import { type Notation, amountsIn, decimalText } from './money/amounts.ts'
import { notationOf } from './money/notation.ts'
import { mayBeDollars } from './money/totals.ts'
import { dateIn, orderOf } from './dates.ts'
import { isOfCustomer } from '../parties/customer.ts'
import { isUnsure } from './reading.ts'
import type { Page } from '../../../domain/bills/page.ts'
import { type Cell, type Line, cellOf, linesOf } from './words.ts'

/** Fields that candidates may have. Of accounts only IBANs, which prove themselves. */
export const CANDIDATES = [...STATED_FIELDS, 'iban'] as const
export type Candidates = Readonly<Partial<Record<(typeof CANDIDATES)[number], string>>>

type Context = {
  readonly lines: readonly Line[]
  readonly notation: Notation
  readonly language: PageLanguage | null
  readonly notPayable: NotPayable | null
}

/**
 * Confirms candidates on the pages: word by word, and read by our own rules. An amount is one amount, a date one day,
 * an IBAN the only one but the payer's, and no name or number the customer's. Recognized text needs two agreeing
 * readings. Drops all else.
 */
export function confirmCandidates(
  candidates: Candidates,
  pages: readonly Page[],
  { method, notPayable }: Pick<Reading, 'method' | 'notPayable'>,
): Reading {
  const lines = pages.flatMap(linesOf)
  const texts = lines.map(({ text }) => text)
  const context: Context = { lines, notation: notationOf(lines), language: languageOf(texts), notPayable }
  const found = CANDIDATES.flatMap((field): ReadField[] => {
    const said = candidates[field]
    const one = said === undefined ? undefined : findOn(field, said, context)
    if (!one || isUnsure(field, one.cell, true)) return []
    const { cell, value } = one
    return [{ field, value, page: cell.page, box: cell.box, text: cell.text, confidence: cell.confidence }]
  })
  const { fields } = verifyFields(found)
  return { method, fields, doubts: [], notPayable: null }
}

type Candidate = { readonly value: string; readonly cell: Cell }

function findOn(field: keyof Candidates, said: string, context: Context): Candidate | undefined {
  const { lines } = context
  if (field === 'iban') return onlyIban(said, lines)
  const place = placeOf(said, lines)
  if (!place) return undefined
  const { cell, line } = place
  switch (field) {
    case 'amount':
      return amountAt(cell, context)
    case 'currency': {
      const codes = cell.words.map(({ text }) => currencyOf(text)).filter((code) => typeof code === 'string')
      const [code] = codes
      if (!code || codes.length > 1 || (code === 'GBP' && mayBeDollars(lines))) return undefined
      return { value: code, cell }
    }
    case 'issue_date':
    case 'due_date': {
      const texts = lines.map(({ text }) => text)
      const date = dateIn(cell.text, orderOf(texts, context.language), context.language)?.date
      return date ? { value: date, cell } : undefined
    }
    case 'bill_number':
    case 'payment_reference':
      return /\d/.test(said) ? { value: said, cell } : undefined
    default:
      return isOfCustomer(lines, line, cell) ? undefined : { value: said, cell }
  }
}

function onlyIban(said: string, lines: readonly Line[]): Candidate | undefined {
  const ibans = lines.flatMap(ibansIn)
  const payable = ibans.filter(({ cell, line }) => !isOfPayer(lines, line, cell))
  const [first] = payable
  const isOnly = new Set(payable.map(({ value }) => value)).size === 1
  return isOnly && first?.value === bare(said) ? first : undefined
}

function amountAt(cell: Cell, { notation, notPayable }: Context): Candidate | undefined {
  const [amount, ...others] = amountsIn(cell.text, notation)
  if (!amount || amount.isUnclear || others.length > 0) return undefined
  const { units } = amount
  const owed = { ...amount, units: notPayable === 'credit_note' && units > 0n ? -units : units }
  return { value: decimalText(owed), cell }
}

const bare = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '')
const stripMarks = (text: string): string => bare(text).replaceAll(/^[:(]+|(?<![.,;:)])[.,;:)]+$/g, '')

/** Finds the first run of whole words in one line that says this alone. */
function placeOf(said: string, lines: readonly Line[]): { cell: Cell; line: Line } | undefined {
  const wanted = stripMarks(said)
  if (wanted === '') return undefined
  for (const line of lines) {
    const words = line.cells.flatMap((cell) => cell.words)
    for (let from = 0; from < words.length; from += 1) {
      let text = ''
      for (let to = from; to < words.length && text.length <= wanted.length + SIGNS_MAX; to += 1) {
        text += bare(words[to]?.text ?? '')
        if (stripMarks(text) === wanted) return { cell: cellOf(words.slice(from, to + 1), line.page), line }
      }
    }
  }
  return undefined
}
/** Signs that may surround a candidate. */
const SIGNS_MAX = 4

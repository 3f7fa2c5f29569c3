/** Draft of an invoice in a form: read from it or from an invoice, and written as the body of an operation. */
import * as v from 'valibot'
import { INVOICE_LANGUAGES, TAX_CATEGORIES } from '../../../domain/invoice-documents/document.ts'
import { UNITS, type Unit, unitAt } from '../../../domain/invoice-documents/unit.ts'
import { type AnswerLine, type Invoice, LineItems } from '../../../domain/invoices/invoice.ts'
import { type Totals, totalsOf } from '../../../domain/invoices/totals.ts'
import { digitsOf } from '../../../domain/money/currencies.ts'
import { type Fault, Unclear } from '../../frame/act.ts'
import { readAmount } from '../../frame/forms/amounts.ts'
import type { Fields, Viewer } from '../../frame/viewer.ts'
import type { Language } from '../../words/words.ts'

/** Fields of the whole invoice, by the names of the API. */
const TEXTS = [
  'billing_contact_id',
  'currency',
  'issue_date',
  'due_date',
  'delivery_date',
  'order_number',
  'buyer_reference',
  'comments',
  'internal_description',
  'profile',
] as const
type Text = (typeof TEXTS)[number]

/** Fields of a line; `rest` is what the form does not show, as JSON. */
export const PARTS = ['description', 'quantity', 'price', 'tax', 'unit', 'category', 'reason', 'rest'] as const
export type Part = (typeof PARTS)[number]
export type Line = Readonly<Record<Part, string>>

export type Draft = Readonly<Record<Text, string>> & { readonly key: string; readonly lines: readonly Line[] }

const EMPTY: Line = { description: '', quantity: '', price: '', tax: '', unit: '', category: 'S', reason: '', rest: '' }
/** Most lines in the form: the API takes more. */
export const ROWS_MAX = 100
const ROWS_FIRST = 3
const ROWS_MORE = 5

/** Fills lines up to this number with empty ones; those have the tax of the line before them. */
const withRows = (lines: readonly Line[], count: number): Line[] => {
  const tax = lines.findLast(isUsed)?.tax ?? ''
  const missing = Math.max(0, Math.min(ROWS_MAX, count) - lines.length)
  return [...lines, ...Array.from({ length: missing }, () => ({ ...EMPTY, tax }))]
}

const isUsed = ({ description }: Pick<Line, 'description'>): boolean => description.trim() !== ''

/** Begins a draft. */
export const emptyDraft = (given: Partial<Record<Text, string>>, key: string): Draft => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, given[name] ?? ''])) as Record<Text, string>), // each is a key
  key,
  lines: withRows([], ROWS_FIRST),
})

/** Reads a form; `more` adds empty lines to it. */
export function draftIn(form: Fields, more = false): Draft {
  const rows = Math.min(ROWS_MAX, Math.max(1, Number(form.get('rows')) || 1))
  const lines = Array.from(
    { length: rows },
    (_, row) => Object.fromEntries(PARTS.map((part) => [part, form.get(`${part}_${row}`).trim()])) as Line, // as above
  )
  const texts = Object.fromEntries(TEXTS.map((name) => [name, form.get(name).trim()])) as Record<Text, string>
  return {
    ...texts,
    currency: texts.currency.toUpperCase(),
    key: form.get('key'),
    lines: more ? withRows(lines, rows + ROWS_MORE) : lines,
  }
}

/** Writes a decimal of the API as people of this language type it. */
export const toTyped = (decimal: string, language: Language): string =>
  language === 'de' ? decimalsOf(decimal).replace('.', ',') : decimalsOf(decimal)

/** Adds a zero to three decimals: they could be read as thousands. */
const decimalsOf = (decimal: string): string => (/^-?[1-9]\d{0,2}\.\d{3}$/.test(decimal) ? `${decimal}0` : decimal)

export const toLine = (line: AnswerLine, language: Language): Line => {
  const { discount, charge } = line
  const shareOf = ({ reason, percentage, amount }: NonNullable<typeof discount>) => ({ reason, percentage, amount })
  const rest = { ...(discount && { discount: shareOf(discount) }), ...(charge && { charge: shareOf(charge) }) }
  return {
    description: line.description,
    quantity: toTyped(line.quantity, language),
    price: toTyped(line.price, language),
    tax: toTyped(line.tax_percentage, language),
    unit: unitAt(line.unit, indexOf(language)),
    category: line.tax_category,
    reason: line.tax_exemption_reason ?? '',
    rest: Object.keys(rest).length > 0 ? JSON.stringify(rest) : '',
  }
}

/** Reads the draft of an invoice. */
export const draftOf = (invoice: Invoice, language: Language): Draft => ({
  ...emptyDraft({}, ''),
  ...(Object.fromEntries(
    TEXTS.filter((name) => name !== 'billing_contact_id').map((name) => [name, invoice[name] ?? '']),
  ) as Record<Text, string>), // each is a text of an invoice
  billing_contact_id: invoice.billing_contact.id,
  lines: withRows(
    invoice.line_items.map((line) => toLine(line, language)),
    invoice.line_items.length + 1,
  ),
})

const indexOf = (language: Language): number => INVOICE_LANGUAGES.indexOf(language)

/** Names the units that a line may have, in this language. */
export const unitNames = (language: Language): string[] =>
  UNITS.map((unit) => unitAt(unit, indexOf(language))).filter(Boolean)

function unitNamed(name: string, language: Language): Unit | undefined {
  const wanted = name.toLowerCase()
  return UNITS.find((unit) => [unit, unitAt(unit, indexOf(language))].some((one) => one.toLowerCase() === wanted))
}

/** Writes the lines that are used as the API takes them. Throws Unclear() for a number that could be another one. */
export function itemsIn(lines: readonly Line[], { words, language }: Viewer): object[] {
  const { form } = words.invoices
  const number = (row: number, part: 'quantity' | 'price' | 'tax', text: string): string => {
    const sign = /^[-−]/.test(text) ? '-' : ''
    const bare = part === 'tax' ? text.replace(/\s*%$/, '') : text // as people write a percentage
    const read = readAmount(bare.slice(sign.length), language)
    if (read === null) throw new Unclear(form.noAmount(row + 1, form[part]), `${part}_${row}`)
    return sign + read
  }
  return lines.flatMap((line, row) => {
    if (!isUsed(line)) return []
    const { description, category, reason, unit: unitName } = line
    const unit = unitName ? unitNamed(unitName, language) : null
    if (unit === undefined) throw new Unclear(form.noUnit(row + 1), `unit_${row}`)
    const known = TAX_CATEGORIES.find((one) => one === category && one !== 'S')
    return [
      {
        description,
        quantity: number(row, 'quantity', line.quantity),
        price: number(row, 'price', line.price),
        tax_percentage: number(row, 'tax', line.tax),
        ...(known && { tax_category: known }),
        tax_exemption_reason: reason || null,
        ...(unit && { unit }),
        ...restOf(line),
      },
    ]
  })
}

/** Reads what a line has that the form does not show. */
function restOf({ rest }: Line): object {
  if (rest === '') return {}
  try {
    const { discount, charge } = JSON.parse(rest) as { discount?: object; charge?: object } // the API checks it
    return { ...(discount && { discount }), ...(charge && { charge }) }
  } catch {
    return {}
  }
}

/** Writes a draft as the API takes it: of a change what is empty is null. */
export function bodyOfDraft(draft: Draft, viewer: Viewer): object {
  const items = itemsIn(draft.lines, viewer)
  if (items.length === 0) throw new Unclear(viewer.words.invoices.form.noLines, 'description_0')
  const {
    issue_date: issued,
    currency,
    due_date,
    billing_contact_id,
    profile,
    key: _key,
    lines: _lines,
    ...texts
  } = draft
  return {
    billing_contact_id,
    currency,
    due_date,
    profile: profile || 'none',
    ...(issued && { issue_date: issued }),
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value || null])),
    line_items: items,
  }
}

const FIELDS: Readonly<Record<string, Part>> = {
  tax_percentage: 'tax',
  tax_category: 'category',
  tax_exemption_reason: 'reason',
}

/** Names faults by the fields of the form: those of a line by its row, which empty rows before it move. */
export function wrongIn(wrong: Fault['wrong'], lines: readonly Line[]): Readonly<Record<string, string>> {
  const rows = lines.flatMap((line, row) => (isUsed(line) ? [row] : []))
  return Object.fromEntries(
    Object.entries(wrong).map(([path, text]) => {
      const [, index, name = ''] = /^line_items\.(\d+)\.(\w+)/.exec(path) ?? []
      return index === undefined ? [path, text] : [`${FIELDS[name] ?? name}_${rows[Number(index)] ?? 0}`, text]
    }),
  )
}

/** Adds up the lines of a draft as the service does; null if a line is not clear or not whole yet. */
export function totalsIn({ lines, currency }: Draft, viewer: Viewer): Totals | null {
  if (digitsOf(currency) === undefined) return null
  try {
    const items = v.safeParse(LineItems, itemsIn(lines, viewer))
    return items.success ? totalsOf(items.output, currency) : null
  } catch (error) {
    if (error instanceof Unclear) return null
    throw error
  }
}

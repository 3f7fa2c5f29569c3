/** Fields of a bill as a form: what each says, where that was read, and what is in doubt. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill, BillChange, Provenance } from '../../domain/bills/bill.ts'
import { ADDRESS_FIELDS, BANK_DETAILS, TYPED_FIELDS } from '../../domain/bills/fields.ts'
import { TYPED_NOT_PAYABLE } from '../../domain/bills/reader.ts'
import { type Fault, Unclear } from '../frame/act.ts'
import { readAmount } from '../frame/forms/amounts.ts'
import type { CompanyShell } from '../frame/company.ts'
import { type HiddenFields, isolate, keepFields } from '../frame/layout.ts'
import { type Choice, field, select } from '../frame/parts.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

export type TypedField = (typeof TYPED_FIELDS)[number]

/** Fields in the order in which a person compares them with the page. */
const WHO = ['supplier_name', 'supplier_tax_id', 'bill_number', 'payment_reference'] as const
const SUM = ['amount', 'currency'] as const
const WHEN = ['issue_date', 'due_date'] as const
const ACCOUNT = ['iban', 'account_holder_name'] as const
/** Other fields of the account, behind a line: those alone that name it open the line. */
const OTHERS = BANK_DETAILS.filter((name) => !isIn(ACCOUNT, name))
const NUMBERS = OTHERS.filter((name) => !isIn(['bank_country_alpha2', 'swift_code', 'bank_name'], name))

function isIn(names: readonly string[], name: string): boolean {
  return names.includes(name)
}

/** Names a field in the language of the viewer. */
export const labelOf = (name: string, { bills, payees }: Words): string =>
  (bills.fields as Readonly<Record<string, string>>)[name] ??
  (payees.fields as Readonly<Record<string, string>>)[name] ??
  name.replaceAll('_', ' ')

/** Contents of a form: the bill, if there is one yet, the source of each value, and the fault. */
export type Shown = {
  readonly bill: Bill | null
  readonly provenance: Provenance['data']
  readonly fault: Fault | undefined
}

type Way = { readonly shell: CompanyShell; readonly viewer: Viewer; readonly shown: Shown }

const DAYS: readonly string[] = ['issue_date', 'due_date']

/** Writes a value as its field shows it. An untouched form sends it back so. */
const textOf = (bill: Bill | null, name: TypedField, { formats }: CompanyShell): string => {
  const value = bill?.[name] ?? ''
  return name === 'amount' && value ? formats.figure(value) : value
}

function inputOf(name: TypedField, { shell, viewer, shown }: Way): Markup {
  const { words } = viewer
  const { bill, fault } = shown
  const sent = fault?.sent.entries.find(([key]) => key === name)?.[1]
  const doubt = bill?.doubts.find(({ fields }) => isIn(fields, name))
  const wrong = fault?.wrong[name] ?? (doubt && words.bills.doubts[doubt.code])
  return field({
    id: name,
    label: labelOf(name, words),
    value: sent ?? textOf(bill, name, shell),
    type: DAYS.includes(name) ? 'date' : 'text',
    hint: originOf(name, shown, words),
    wrong,
    more: html`maxlength="255" ${name === 'amount' ? html`inputmode="decimal"` : ''}`,
  })
}

/** Says where a value is from: a person, the data of the file, or a place on a page; nothing if all were typed. */
function originOf(name: string, { provenance }: Shown, { bills: { one } }: Words): Markup | undefined {
  const found = provenance.find(({ field: of }) => of === name)
  if (!found || provenance.every(({ method }) => method === 'user')) return undefined
  const { method, page, text, confidence } = found
  if (method === 'user') return html`${one.typedBy}`
  if (page === null) return html`${one.xml}`
  const unsure = confidence !== null && confidence < SURE ? html` (${one.unsure})` : ''
  return html`${one.readOn(page)}${text ? html`: ${isolate(text)}` : ''}${unsure}`
}
/** Confidence from which a recognized value is not marked. */
const SURE = 0.9

/** Shows all fields; a line opens those that bills seldom have. */
export function fieldsOf(way: Way): Markup {
  const { words } = way.viewer
  const { one } = words.bills
  const { bill, fault } = way.shown
  const of = (names: readonly TypedField[]) => names.map((name) => inputOf(name, way))
  const isDoubtful = (name: TypedField) => bill?.doubts.some(({ fields }) => isIn(fields, name)) ?? false
  const opens = (names: readonly TypedField[], by: readonly TypedField[]) =>
    by.some((name) => bill?.[name] != null) || names.some((name) => isDoubtful(name) || fault?.wrong[name])
  const group = (title: string, names: readonly TypedField[], by: readonly TypedField[]) =>
    html`<details ${opens(names, by) ? 'open' : ''}>
      <summary>${title}</summary>
      <div class="triple">${of(names)}</div>
    </details>`
  const reason = fault?.sent.get('not_payable') ?? bill?.not_payable ?? ''
  return html`${keepFields(wasOf(way))} ${of(WHO)}
    <div class="triple">${of(SUM)}</div>
    <div class="triple">${of(WHEN)}</div>
    <h2>${one.account}</h2>
    ${of(ACCOUNT)} ${group(one.others, OTHERS, NUMBERS)} ${group(one.address, ADDRESS_FIELDS, [])}
    ${select({ id: 'not_payable', label: one.nothingPaid, value: reason, choices: reasonsOf(bill, words) })}`
}

function reasonsOf(bill: Bill | null, { bills }: Words): Choice[] {
  const known = bill?.not_payable
  const reasons = known && !isIn(TYPED_NOT_PAYABLE, known) ? [known, ...TYPED_NOT_PAYABLE] : TYPED_NOT_PAYABLE
  return [['', bills.one.toPay], ...reasons.map((one): Choice => [one, bills.notPayable[one]])]
}

/** Values as the page had them: what is sent back as it was is no change, even if another person changed it since. */
const wasOf = ({ shell, shown: { bill, fault } }: Way): HiddenFields =>
  bill === null
    ? []
    : [...TYPED_FIELDS, 'not_payable' as const].map((name) => {
        const was = name === 'not_payable' ? (bill.not_payable ?? '') : textOf(bill, name, shell)
        return [`was_${name}`, fault?.sent.entries.find(([key]) => key === `was_${name}`)?.[1] ?? was] as const
      })

/**
 * Reads what a form changes: fields that are another text than the page had, and those that the viewer confirms. Throws
 * Unclear() for an amount that can be read in two ways.
 */
export function readChange(form: Fields, { language, words }: Viewer): BillChange {
  const confirmed = new Set(form.all('confirm').flatMap((names) => names.split(' ')))
  const sent = (name: string) => form.entries.some(([key]) => key === name)
  const changed = [...TYPED_FIELDS, 'not_payable' as const].filter(
    (name) => sent(name) && (form.get(name).trim() !== form.get(`was_${name}`) || confirmed.has(name)),
  )
  return Object.fromEntries(
    changed.map((name) => {
      const text = form.get(name).trim()
      if (text === '') return [name, null]
      if (name === 'currency' || name === 'bank_country_alpha2' || name === 'address_country') {
        return [name, text.toUpperCase()]
      }
      if (name !== 'amount') return [name, text]
      const amount = readAmount(text.replace(/^[-−]/, ''), language)
      if (amount === null) throw new Unclear(words.bills.one.wrongAmount, 'amount')
      return [name, amount]
    }),
  )
}

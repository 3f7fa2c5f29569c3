import type { AddressColumn } from '../../../domain/destinations/payee-address.ts'
import { ADDRESS_FIELDS, BILL_FIELDS, type BillField } from '../../../domain/bills/fields.ts'
import {
  UnreadableBill,
  type Doubt,
  type NotPayable,
  type ReadField,
  type Reading,
} from '../../../domain/bills/reader.ts'
import { isSelfBilled, settlementIn } from '../payable/sentences.ts'
import { dueDateByTerms } from '../terms.ts'
import { type Totals, addsUp, sumOf } from '../../../domain/bills/totals.ts'
import { doubt, verifyFields } from '../verified.ts'
import { type Account, accountFields, accountKey, isGiro } from './account.ts'
import type { StatedValue } from '../../xml/element.ts'
import { type StatedItem, lineItemsOf } from './items.ts'
import { plainDecimal } from './values.ts'

/** Means of payment (BG-16): code of UNTDID 4461, and the payee's account, never the payer's. */
export type PaymentMeans = {
  readonly code: string | null
  readonly reference: StatedValue | null
  readonly accounts: readonly Account[]
}

export type StatedTotals = {
  readonly [Total in keyof Totals]: Totals[Total] extends readonly string[]
    ? readonly StatedValue[]
    : StatedValue | null
}

export const NO_TOTALS = {
  lines: [],
  lineTotal: null,
  allowances: null,
  charges: null,
  net: null,
  taxes: [],
  tax: null,
  retained: null,
  gross: null,
  prepaid: null,
  withheld: null,
  rounding: null,
  others: [],
  payable: null,
} as const satisfies StatedTotals

export type Invoice = {
  /** Code of UNTDID 1001 (BT-3). */
  readonly typeCode: StatedValue | null
  readonly isCreditNote: boolean
  readonly number: StatedValue | null
  readonly issueDate: StatedValue | null
  readonly dueDates: readonly StatedValue[]
  readonly terms: readonly StatedValue[]
  /** Notes (BT-22), and means of payment in words (BT-82). */
  readonly notes: readonly StatedValue[]
  /** Process of the bill (BT-23). */
  readonly process: StatedValue | null
  readonly currency: StatedValue | null
  readonly isInOtherCurrency: boolean
  readonly supplierName: StatedValue | null
  readonly supplierCountry: string | null
  readonly supplierAddress: Readonly<Partial<Record<AddressColumn, StatedValue | null>>>
  readonly taxId: StatedValue | null
  /** Payee, if not the supplier (BT-59). */
  readonly payeeName: StatedValue | null
  /** Reference to quote (BT-83), if no means of payment has one. */
  readonly reference: StatedValue | null
  readonly means: readonly PaymentMeans[]
  readonly totals: StatedTotals
  readonly items: readonly StatedItem[]
  /** Whether the form has a place for prepaid amounts; without one the payable amount must be stated. */
  readonly saysPrepaid: boolean
  /** Whether lines or terms contradict the sums. */
  readonly isInconsistent?: boolean
  /** Whether the form says that it is paid. */
  readonly isPaid?: boolean
  readonly doubts?: readonly Doubt[]
}

const codes = (list: string): ReadonlySet<string> => new Set(list.split(' '))
/** Orders, offers, contracts and delivery notes, which UN/CEFACT writes as invoices. */
const NO_BILLS = codes('105 220 221 224 225 226 227 228 230 231 270 310 311 315 351 632')
const CREDIT_NOTES = codes('81 83 261 262 296 308 381 396 420 458 502 503 532')
/** Issued by the buyer: the receiver is paid. */
const SELF_BILLED = codes('389 471 473 500 501 527')
const PRO_FORMA = '325'
const DIRECT_DEBITS = codes('49 59')
const CARDS = codes('48 54 55')
/** Cash, instant payment services, and set-off. */
const AT_ONCE = codes('10 68 97')
/** Processes of the French reform for bills that are paid when submitted. */
const PAID_PROCESSES = codes('B2 S2 M2')

/** Reads the fields of an invoice. Throws UnreadableBill if it is no bill. */
export function readingOf(method: string, invoice: Invoice): Reading {
  if (NO_BILLS.has(invoice.typeCode?.value ?? ''))
    throw new UnreadableBill('not_a_bill', 'The XML is an order, an offer or a delivery note.')
  const payable = payableOf(invoice)
  const notPayable = whyNotPayable(invoice, payable.found)
  const payment = paymentOf(invoice)
  const due = dueDateOf(invoice)
  const found = [
    ...field('bill_number', invoice.number),
    ...field('issue_date', invoice.issueDate),
    ...due.found,
    ...field('currency', payable.contradicted ? null : invoice.currency),
    ...payable.found,
    ...taxOf(invoice, payable.found),
    ...field('supplier_name', invoice.supplierName),
    ...field('supplier_tax_id', invoice.taxId),
    ...addressOf(invoice),
    ...payment.found,
  ]
  const { fields, doubts } = verifyFields(found)
  return {
    method,
    fields,
    doubts: [...payable.doubts, ...due.doubts, ...payment.doubts, ...doubts, ...(invoice.doubts ?? [])],
    notPayable,
    lineItems: payable.found.length > 0 ? lineItemsOf(invoice.items) : [],
  }
}

/** Reads the only bill of a file; of several none, as each would be taken for the whole. */
export function readingOfAll(method: string, invoices: readonly Invoice[]): Reading {
  const [first, ...others] = invoices
  if (!first) throw new UnreadableBill('not_a_bill', 'The XML has no bill in it.')
  if (others.length === 0) return readingOf(method, first)
  return { method, fields: [], doubts: [doubt('several_bills', BILL_FIELDS)], notPayable: null }
}

type InvoiceFindings = { readonly found: readonly ReadField[]; readonly doubts: readonly Doubt[] }

const field = (name: BillField, given: StatedValue | null): ReadField[] =>
  given ? [{ field: name, value: given.value, page: null, box: null, text: given.path, confidence: 1 }] : []

/** Reads BT-115, or BT-112 in older forms if nothing was prepaid; with `-` for money that we get. */
function payableOf({
  totals,
  typeCode,
  saysPrepaid,
  isInconsistent,
  ...invoice
}: Invoice): InvoiceFindings & { contradicted: boolean } {
  const fields: BillField[] = ['amount', 'currency']
  if (invoice.isInOtherCurrency) return { found: [], doubts: [doubt('contradicted', fields)], contradicted: true }
  const numbers = numbersOf(totals)
  const stated = totals.payable ?? (totals.prepaid || totals.withheld ? null : totals.gross)
  if (!stated) return { found: [], doubts: [], contradicted: false }
  if (!numbers || isInconsistent || !addsUp(saysPrepaid ? numbers : { ...numbers, payable: null })) {
    return { found: [], doubts: [doubt('does_not_add_up', ['amount'])], contradicted: false }
  }
  const amount = plainDecimal(stated.value) ?? ''
  const value = isMoneyWeGet({ typeCode, ...invoice }) ? `-${amount.replace('-', '')}` : amount
  return { found: field('amount', { ...stated, value: isZero(value) ? '0' : value }), doubts: [], contradicted: false }
}

/** Reads all tax (BT-110), with the sign of the amount; none without an amount. */
function taxOf({ totals, ...invoice }: Invoice, amount: readonly ReadField[]): ReadField[] {
  const numbers = numbersOf(totals)
  const [first] = totals.taxes
  const stated = totals.tax ?? first
  if (amount.length === 0 || !numbers || !stated) return []
  const tax = numbers.tax ?? sumOf(numbers.taxes)
  const value = isMoneyWeGet(invoice) ? `-${tax.replace('-', '')}` : tax
  return field('tax_total', { ...stated, value: isZero(value) ? '0' : value })
}

const isZero = (amount: string): boolean => /^-?0(\.0+)?$/.test(amount)

/** Parses all amounts; null if one is no number. */
function numbersOf(totals: StatedTotals): Totals | null {
  const plain = (stated: StatedValue | null) => stated && plainDecimal(stated.value)
  const { lines, taxes, others, ...sums } = totals
  const all = [...lines, ...taxes, ...others, ...Object.values(sums)]
  if (!all.every((stated) => !stated || plain(stated))) return null
  return {
    lines: lines.map((stated) => plain(stated) ?? ''),
    others: others.map((stated) => plain(stated) ?? ''),
    lineTotal: plain(sums.lineTotal),
    allowances: plain(sums.allowances),
    charges: plain(sums.charges),
    net: plain(sums.net),
    taxes: taxes.map((stated) => plain(stated) ?? ''),
    tax: plain(sums.tax),
    retained: plain(sums.retained),
    gross: plain(sums.gross),
    prepaid: plain(sums.prepaid),
    withheld: plain(sums.withheld),
    rounding: plain(sums.rounding),
    payable: plain(sums.payable),
  }
}

function whyNotPayable(invoice: Invoice, amount: readonly ReadField[]): NotPayable | null {
  const { typeCode, means, terms, notes } = invoice
  if (isMoneyWeGet(invoice) || amount.some(({ value }) => value.startsWith('-'))) return 'credit_note'
  if (typeCode?.value === PRO_FORMA) return 'pro_forma'
  if (means.some((one) => DIRECT_DEBITS.has(one.code ?? ''))) return 'direct_debit'
  if (means.some((one) => CARDS.has(one.code ?? ''))) return 'card'
  if (isPaid(invoice, amount)) return 'paid'
  const settlement = settlementIn([...terms, ...notes].map(({ value }) => value).join('\n'))
  // a sentence about the prepaid part says nothing of the rest
  return settlement === 'paid' && isPartlyPaid(invoice, amount) ? null : settlement
}

/** Tells whether it is a credit note, or issued by the buyer in the seller's name. */
const isMoneyWeGet = ({ isCreditNote, typeCode, notes }: Pick<Invoice, 'isCreditNote' | 'typeCode' | 'notes'>) =>
  isCreditNote ||
  CREDIT_NOTES.has(typeCode?.value ?? '') ||
  SELF_BILLED.has(typeCode?.value ?? '') ||
  notes.some(({ value }) => isSelfBilled(value))

const isPartlyPaid = ({ totals }: Invoice, amount: readonly ReadField[]): boolean =>
  totals.prepaid !== null && !isZero(plainDecimal(totals.prepaid.value) ?? '0') && amount.length > 0

/** Tells whether it is paid, or leaves nothing to transfer. */
function isPaid({ means, process, totals, isPaid: isStated = false }: Invoice, amount: readonly ReadField[]): boolean {
  const gross = plainDecimal(totals.gross?.value ?? '') ?? '0'
  const nothingLeft = amount.some(({ value }) => isZero(value)) && !isZero(gross)
  const atOnce =
    means.length > 0 && means.every(({ code, accounts }) => accounts.length === 0 && AT_ONCE.has(code ?? ''))
  return isStated || nothingLeft || atOnce || PAID_PROCESSES.has(process?.value ?? '')
}

/** Reads the address of the supplier (BG-5), unless another party is the payee: no bill states theirs. */
const addressOf = ({ payeeName, supplierAddress }: Invoice): ReadField[] =>
  payeeName ? [] : ADDRESS_FIELDS.flatMap((name) => field(name, supplierAddress[name] ?? null))

/** Finds the first payee account with its reference; no account for a direct debit. */
function paymentOf(invoice: Invoice): InvoiceFindings {
  const { means, payeeName, supplierCountry, currency } = invoice
  const isDebited = means.some(({ code }) => DIRECT_DEBITS.has(code ?? '') || CARDS.has(code ?? ''))
  const accounts = isDebited
    ? []
    : means.flatMap(({ code, reference, ...one }) => one.accounts.map((account) => ({ account, code, reference })))
  const around = { payeeName, supplierCountry, currency: currency?.value ?? null }
  const transfers = accounts.filter(({ account, code }) => !isGiro(account, { ...around, code }))
  const [first = accounts[0]] = transfers
  const isGiroAlone = accounts.length > 0 && transfers.length === 0
  const others = new Map(means.flatMap(({ reference }) => (reference ? [[reference.value, reference]] : [])))
  // two are enough to contradict each other
  const stated = first?.reference ? [first.reference] : [...others.values()].slice(0, 2)
  const references = stated.length > 0 || !invoice.reference ? stated : [invoice.reference]
  const found = first && !isGiroAlone ? accountFields(first.account, around) : []
  const isSeveral = new Set(transfers.map(({ account }) => accountKey(account))).size > 1
  return {
    found: [...references.flatMap((reference) => field('payment_reference', reference)), ...found],
    doubts: [
      ...(isSeveral
        ? [doubt('several_accounts', [found.some(({ field }) => field === 'iban') ? 'iban' : 'account_number'])]
        : []),
      ...(isGiroAlone ? [doubt('giro_number', ['account_number'])] : []),
    ],
  }
}

/** Reads BT-9, or the day that the terms (BT-20) say. */
function dueDateOf({ dueDates, terms, issueDate }: Invoice): InvoiceFindings {
  const [first, ...others] = dueDates
  if (others.some(({ value }) => value !== first?.value))
    return { found: [], doubts: [doubt('several_due_dates', ['due_date'])] }
  if (first) return { found: field('due_date', first), doubts: [] }
  const value = dueDateByTerms(terms.map((term) => term.value).join('\n'), issueDate?.value ?? '')
  const [term] = terms
  if (!value || !term) return { found: [], doubts: [] }
  return { found: field('due_date', { ...term, value }).map((due) => ({ ...due, confidence: 0.9 })), doubts: [] }
}

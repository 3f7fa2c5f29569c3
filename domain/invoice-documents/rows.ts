import { creditWords } from './credit-note-words.ts'
import { groupInFours } from '../text.ts'
import { INVOICE_LANGUAGES, type InvoiceDocument } from './document.ts'
import { sumsOf } from './sums.ts'
import { unitAt } from './unit.ts'
import { WORDS, dayIn, decimalIn, moneyIn, rateIn } from './words.ts'

export type LabelledValue = readonly [label: string, value: string]

const present = (rows: readonly (readonly [label: string, value: string | null])[]): LabelledValue[] =>
  rows.flatMap(([label, value]) => (value?.trim() ? [[label, value] as const] : []))

export const titleOf = (document: InvoiceDocument): string =>
  document.corrects ? creditWords(document).title : WORDS[document.language].title

/**
 * Chooses the day of supply (BT-72): without another day or a period, an invoice means its own date (Directive
 * 2006/112/EC, Art. 226 No. 7), and a credit note that of its invoice.
 */
export const supplyDateOf = ({ delivery_date: delivered, period, corrects, issue_date }: InvoiceDocument) =>
  delivered ?? (period ? null : (corrects?.issue_date ?? issue_date))

/** Lists the rows of the head. */
export function headRows(document: InvoiceDocument): LabelledValue[] {
  const words = WORDS[document.language]
  const { corrects, period } = document
  const credit = corrects && creditWords(document)
  const supplied = supplyDateOf(document)
  return present([
    [credit?.number ?? words.number, document.number],
    [credit?.issued ?? words.issued, dayIn(document, document.issue_date)],
    ...(credit
      ? [[credit.invoice, `${corrects.number}, ${dayIn(document, corrects.issue_date)}`] as const]
      : [[words.due, dayIn(document, document.due_date)] as const]),
    [words.delivered, supplied && dayIn(document, supplied)],
    [words.period, period ? `${dayIn(document, period.from)} – ${dayIn(document, period.to)}` : null],
    [words.reference, document.buyer.buyer_reference],
    [words.order, document.order_number ?? null],
  ])
}

/** Most lines of an address below each other; more are joined by commas. */
const ADDRESS_LINES_MAX = 8

/** Writes the typed address, else the postal one with its country in this language. */
function addressOf({ address, postal_address: postal }: InvoiceDocument['buyer' | 'seller'], language: string): string {
  const country = postal && new Intl.DisplayNames(language, { type: 'region' }).of(postal.country_code)
  const lines = address?.trim()
    ? address.split(/[\r\n]+/)
    : [postal?.line1, postal?.line2, `${postal?.postal_code ?? ''} ${postal?.city ?? ''}`, country]
  const written = lines.flatMap((line) => line?.trim() || [])
  return written.join(written.length > ADDRESS_LINES_MAX ? ', ' : '\n')
}

/** Lists the rows beneath the name of the seller or customer. */
export function partyRows(document: InvoiceDocument, which: 'seller' | 'buyer'): string[] {
  const words = WORDS[document.language]
  const { seller, buyer } = document
  const party = document[which]
  const ids = present([
    [words.vatId, party.vat_id],
    [words.taxId, party.tax_id],
  ])
  const phone = [seller.contact_name, seller.contact_phone ?? seller.phone].filter((one) => one?.trim()).join(' · ')
  const reached = which === 'seller' ? [phone, seller.contact_email] : [buyer.phone, ...buyer.emails.slice(0, 1)]
  return [addressOf(party, document.language), ...ids.map(([label, value]) => `${label} ${value}`), ...reached].flatMap(
    (row) => (row?.trim() ? [row] : []),
  )
}

type Line = InvoiceDocument['lines'][number]

/** Writes a quantity with its unit. */
export function quantityIn(document: InvoiceDocument, { quantity, unit }: Line): string {
  const name = unitAt(unit, INVOICE_LANGUAGES.indexOf(document.language))
  return name ? `${decimalIn(document, quantity)} ${name}` : decimalIn(document, quantity)
}

/** Lists what is deducted from a line, and added to it. */
export function adjustmentRows(document: InvoiceDocument, { discount, charge }: Line): string[] {
  const money = (amount: string) => moneyIn(document, amount)
  return [
    ...(discount ? [`${adjustmentLabel(document, discount, 'discount')}: ${money(negate(discount.total))}`] : []),
    ...(charge ? [`${adjustmentLabel(document, charge, 'charge')}: ${money(charge.total)}`] : []),
  ]
}

type AdjustmentReason = { readonly reason: string | null; readonly percentage: string | null }

/** Names a discount or charge by its reason and rate. */
function adjustmentLabel(
  document: InvoiceDocument,
  { reason, percentage }: AdjustmentReason,
  kind: 'discount' | 'charge',
) {
  const name = reason?.trim() || WORDS[document.language][kind]
  return percentage === null ? name : `${name} ${rateIn(document, percentage)}`
}

const negate = (amount: string): string => {
  if (!/[1-9]/.test(amount)) return amount
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

/** Lists the discounts for early payment. */
export function earlyRows(document: InvoiceDocument): string[] {
  const { early } = WORDS[document.language]
  return (document.early_payment_discounts ?? []).map(({ percentage, until, amount }) =>
    early(rateIn(document, percentage), dayIn(document, until), moneyIn(document, amount)),
  )
}

export type SumRow = { readonly label: string; readonly value: string; readonly reason: string }

export function sumRows(document: InvoiceDocument): SumRow[] {
  const words = WORDS[document.language]
  const money = (amount: string) => moneyIn(document, amount)
  return [
    ...lineSumRows(document),
    { label: words.net, value: money(document.net_total), reason: '' },
    ...document.taxes.map((tax) => ({
      label: words.taxOn(rateIn(document, tax.tax_percentage), money(tax.base)),
      value: money(tax.amount),
      reason: reasonOf(document, tax),
    })),
    { label: words.total, value: money(document.total), reason: '' },
  ]
}

/** Lists what leads from the lines to the net sum; nothing without discounts and charges of the whole invoice. */
function lineSumRows(document: InvoiceDocument): SumRow[] {
  const { discounts = [], charges = [] } = document
  if (discounts.length + charges.length === 0) return []
  const row = (label: string, amount: string) => ({ label, value: moneyIn(document, amount), reason: '' })
  return [
    row(WORDS[document.language].lineTotal, sumsOf(document).lines),
    ...discounts.map((one) => row(adjustmentLabel(document, one, 'discount'), negate(one.total))),
    ...charges.map((one) => row(adjustmentLabel(document, one, 'charge'), one.total)),
  ]
}

function reasonOf({ language }: InvoiceDocument, tax: InvoiceDocument['taxes'][number]): string {
  const { tax_category: category, tax_exemption_reason: reason } = tax
  if (category === 'S') return ''
  const untaxed = WORDS[language].untaxed[category]
  return reason?.trim() ? `${untaxed}: ${reason}` : untaxed
}

/** Names of the national codes of banks and branches: the same in every language. */
const CODES: Readonly<Record<string, string>> = {
  aba_code: 'Routing number (ABA)',
  bank_code: 'Bank code',
  bsb_code: 'BSB',
  cnaps: 'CNAPS',
  ifsc_code: 'IFSC',
  sort_code: 'Sort code',
}

/** Lists the payment details and the reference; nothing without an account or service ID. */
export function paymentRows({ language, account, svc_id: svcId, number }: InvoiceDocument): LabelledValue[] {
  const words = WORDS[language]
  return present([
    [words.holder, account?.holder ?? null],
    ['IBAN', account?.iban ? groupInFours(account.iban.replaceAll(/\s/g, '')) : null],
    ['BIC', account?.bic ?? null],
    [words.accountNumber, account?.account_number ?? null],
    ...(account?.routing_codes ?? []).map(({ name, value }) => [CODES[name] ?? name, value] as const),
    [words.bank, account?.bank_name ?? null],
    [words.serviceId, svcId],
    [words.paymentReference, account || svcId ? number : null],
  ])
}

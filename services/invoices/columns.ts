/** Columns of a draft, computed from what is written in it. */
import { selectBankAccountIn } from '../accounts/receiving-accounts.ts'
import { lockContact } from '../billing-contacts/billing-contacts.ts'
import { refuse, refuseFirst } from '../../domain/errors.ts'
import type { Adjustment, AdjustmentItem } from '../../domain/invoice-documents/adjustment.ts'
import type { StoredAttachment } from '../../domain/invoice-documents/attachment.ts'
import { dateDiscounts } from '../../domain/invoice-documents/payment-terms.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import type { AnswerLine, Invoice, NewInvoice } from '../../domain/invoices/invoice.ts'
import type { ExternalChange } from '../../domain/external.ts'
import { referenceKeys } from '../../domain/invoices/matching.ts'
import { searchWords } from '../../domain/invoices/search.ts'
import { type Totals, totalsOf } from '../../domain/invoices/totals.ts'
import { MAX_WHOLE_DIGITS, formatAmount, fromMinor, moneyBlockers, toMinor } from '../../domain/money/money.ts'
import type { PostalAddress } from '../../domain/party.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'

export type WrittenInvoice = {
  -readonly [Field in Exclude<keyof NewInvoice, keyof ExternalChange>]-?: Exclude<NewInvoice[Field], undefined>
}

/** Discount or charge of an invoice as it is stored: as given, with its parts by tax. */
export type StoredAdjustment = AdjustmentItem & Adjustment

/** Selects columns under the names of the API. */
export const detailColumns = (invoice: Fragment): Fragment => sql`
  ${invoice}.order_number, ${invoice}.discounts, ${invoice}.charges, ${invoice}.payment_terms, ${invoice}.attachments,
  case when ${invoice}.period_from is not null
    then json_build_object('from', ${invoice}.period_from, 'to', ${invoice}.period_to) end as period`

/** Selects the warnings of a sent invoice, and those that a draft would have now. */
export const warningsNow = (invoice: Fragment): Fragment => sql`
  case when ${invoice}.number is not null then ${invoice}.warnings else
    case when exists (
      select from organizations o where o.id = ${invoice}.organization_id and o.svc_id is not null) or exists (
      select from receiving_accounts r where r.organization_id = ${invoice}.organization_id and r.rail = 'fiat'
        and r.currency = ${invoice}.currency and r.status = 'active') then '{}'
    else array['receiving_account'] end || case when ${isEarlierThanSent(invoice)} then array['chronology'] else '{}' end
  end as warnings`

/** Selects the seller of a draft with an account in Switzerland or Liechtenstein; else null. */
export const swissColumn = (invoice: Fragment): Fragment => sql`
  case when ${invoice}.number is null and ${invoice}.currency in ('CHF', 'EUR') then (
    select json_build_object('iban', r.details ->> 'iban', 'postal_address', o.postal_address,
      'holder', coalesce(r.details ->> 'account_holder_name', r.holder, o.name))
    from (${selectBankAccountIn(sql`${invoice}.organization_id`, sql`${invoice}.currency`)}) r
    join organizations o on o.id = r.organization_id
    where r.details ->> 'iban' ~* '^(CH|LI)') end as swiss`

/** Seller of a draft with an account in Switzerland or Liechtenstein. */
export type SwissSeller = {
  readonly iban: string
  readonly holder: string
  readonly postal_address: PostalAddress | null
}

/** Builds a condition: the invoice has an earlier day than one that has its number already. */
export const isEarlierThanSent = (invoice: Fragment): Fragment => sql`
  ${invoice}.issue_date < (select max(s.issue_date) from invoices s
    where s.organization_id = ${invoice}.organization_id and s.sequence is not null)`

/** Selects the members of an answer: where a file is stored is none. */
export const toAttachments = (stored: readonly StoredAttachment[]): Invoice['attachments'] =>
  stored.map(({ file_id, filename, content_type, byte_size, description }) => {
    return { file_id, filename, content_type, byte_size, description }
  })

export type StoredLine = Omit<AnswerLine, 'unit' | 'discount' | 'charge'> & Partial<AnswerLine>

/** Completes the lines of an answer: the members that a line does not have are not stored. */
export const toLines = (stored: readonly StoredLine[]): AnswerLine[] =>
  stored.map(({ unit = 'C62', discount = null, charge = null, ...line }) => ({ ...line, unit, discount, charge }))

/** Selects the members of an answer, and of a document, from stored discounts or charges. */
export const toAdjustments = (stored: readonly AdjustmentItem[]): Adjustment[] =>
  (stored as readonly StoredAdjustment[]) // as columnsOf() stores them
    .map(({ reason, percentage, amount, total, taxes }) => ({ reason, percentage, amount, total, taxes }))

type AdjustedRow = Readonly<Record<'currency' | 'net_total' | 'discount_total' | 'charge_total', string>> & {
  readonly line_items: readonly StoredLine[]
  readonly discounts: readonly StoredAdjustment[]
  readonly charges: readonly StoredAdjustment[]
}

/** Selects lines, discounts and charges of an answer, with their sums. */
export function toAdjusted({ currency, net_total: net, ...row }: AdjustedRow) {
  const minor = (amount: string) => toMinor({ amount, currency })
  const lines = minor(net) + minor(row.discount_total) - minor(row.charge_total)
  return {
    line_total: fromMinor(lines, currency).amount,
    discount_total: formatAmount(row.discount_total, currency),
    charge_total: formatAmount(row.charge_total, currency),
    line_items: toLines(row.line_items),
    discounts: toAdjustments(row.discounts),
    charges: toAdjustments(row.charges),
  }
}

/** Computes the columns of a draft, with totals and words. Locks the contact. */
export async function columnsOf(tx: Tx, written: WrittenInvoice, attachments: readonly StoredAttachment[]) {
  const { line_items: items, currency, issue_date, due_date, billing_contact_id, delivery_date, profile } = written
  const { comments, internal_description, internal_reference_number, buyer_reference, order_number, period } = written
  const [discounts, charges] = [written.discounts ?? [], written.charges ?? []]
  if (due_date < issue_date) {
    const message = 'is before the issue date'
    refuse('invalid_request', { errors: [{ path: 'due_date', code: 'due_before_issued', message }] })
  }
  const sums = adjustmentColumns({ line_items: items, discounts, charges, currency })
  const { total } = sums
  if (total.startsWith('-')) refuse('invoice_total_negative', { total })
  const terms = termsOf(written, total)
  await lockContact(tx, billing_contact_id)
  const texts = [comments, internal_description, internal_reference_number, buyer_reference, order_number]
  const described = items.map(({ description }) => description)
  return {
    billing_contact_id,
    currency,
    issue_date,
    delivery_date,
    due_date,
    profile,
    comments,
    internal_description,
    internal_reference_number,
    buyer_reference,
    order_number,
    period_from: period?.from ?? null,
    period_to: period?.to ?? null,
    payment_terms: terms && sql.json(terms),
    ...sums,
    attachments: sql.json(attachments),
    reference_keys: referenceKeys([internal_reference_number, buyer_reference]),
    own_words: searchWords([...texts, total, currency, ...described]).join(' '),
  }
}

type PricedInvoice = Required<Pick<WrittenInvoice, 'line_items' | 'currency'>> & {
  readonly discounts: readonly AdjustmentItem[]
  readonly charges: readonly AdjustmentItem[]
}

/** Computes the columns of lines, discounts and charges. Refuses amounts that are too large or too precise. */
export function adjustmentColumns({ line_items: items, discounts, charges, currency }: PricedInvoice) {
  requireFitting(items.map(({ price }) => price))
  requirePrecise({ line_items: items, discounts, charges, currency })
  const totals = totalsOf(items, currency, { discounts, charges })
  const { lines, adjusted, taxes, net, tax, total, discounted, charged } = totals
  requireFitting([...lines, net, tax, total, discounted, charged])
  requireFewParts(totals)
  return {
    line_items: sql.json(items.map((item, index) => ({ ...item, ...adjusted[index], total: lines[index] ?? '' }))),
    discounts: sql.json(storeAdjustments(discounts, totals.discounts)),
    charges: sql.json(storeAdjustments(charges, totals.charges)),
    discount_total: discounted,
    charge_total: charged,
    taxes: sql.json(taxes),
    net_total: net,
    tax_total: tax,
    total,
  }
}

const storeAdjustments = (given: readonly AdjustmentItem[], computed: Totals['discounts']): StoredAdjustment[] =>
  computed.flatMap((one, index) => {
    const tax = given[index]?.tax ?? null
    return { ...one, tax }
  })

function requireFitting(amounts: readonly string[]): void {
  const isTooLarge = (amount: string) => amount.replace('-', '').split('.')[0]!.length > MAX_WHOLE_DIGITS
  if (amounts.some(isTooLarge)) refuse('amount_too_large', { max_whole_digits: MAX_WHOLE_DIGITS })
}

/** Most parts by tax of all discounts and charges, and characters of the reasons in them. */
const [PARTS_MAX, REASONS_MAX] = [500, 100_000]

/** Refuses discounts and charges whose parts are much more than what was sent: each is one by every tax of the lines. */
function requireFewParts({ discounts, charges }: Totals): void {
  const parts = [...discounts, ...charges].flatMap(({ taxes }) => taxes)
  const reasons = parts.reduce((sum, { tax_exemption_reason: reason }) => sum + (reason?.length ?? 0), 0)
  if (parts.length <= PARTS_MAX && reasons <= REASONS_MAX) return
  const message = `have more than ${PARTS_MAX} parts by tax, or ${REASONS_MAX} characters of exemption reasons in them`
  const path = discounts.length > 0 ? 'discounts' : 'charges'
  refuse('invalid_request', { errors: [{ path, code: 'too_many_parts', message }] })
}

/** Refuses amounts of discounts and charges that have more digits than money of the currency. */
function requirePrecise({ currency, line_items: items, discounts, charges }: PricedInvoice): void {
  const given = [...items.flatMap(({ discount, charge }) => [discount, charge]), ...discounts, ...charges]
  const amounts = given.flatMap((one) => one?.amount ?? [])
  refuseFirst(amounts.flatMap((amount) => moneyBlockers({ amount, currency })))
}

/** Keeps the terms of payment. Refuses a discount that lasts longer than the invoice is not due. */
function termsOf({ issue_date, due_date, currency, payment_terms: terms }: WrittenInvoice, total: string) {
  if (!terms) return null
  const { early_payment_discounts: given } = terms
  const isAfter = (day: string) => day.length > due_date.length || day > due_date // the year 10000 has a digit more
  const isLate = dateDiscounts(given, { issue_date, total, currency }).some(({ until }) => isAfter(until))
  if (isLate) {
    const [path, message] = ['payment_terms.early_payment_discounts', 'must end on the due date or before']
    refuse('invalid_request', { errors: [{ path, code: 'discount_after_due', message }] })
  }
  return { early_payment_discounts: given.map(({ percentage, days }) => ({ percentage, days })) }
}

/** Selects what approvers see of them, attachments with the hashes of the bytes; nothing that the invoice lacks. */
export function proveAdded({
  discounts,
  charges,
  payment_terms: terms,
  attachments,
}: Omit<AddedTerms, 'period' | 'order_number'>) {
  return {
    ...(discounts?.length && { discounts: toAdjustments(discounts) }),
    ...(charges?.length && { charges: toAdjustments(charges) }),
    ...(terms && { early_payment_discounts: terms.early_payment_discounts }),
    ...(attachments.length > 0 && { attachments: attachments.map(({ stored_as: _where, ...shown }) => shown) }),
  }
}

type Texts = Pick<
  WrittenInvoice,
  'issue_date' | 'delivery_date' | 'period' | 'order_number' | 'buyer_reference' | 'comments'
>

/** Selects what the hash of an approval covers of days and texts on the document: nothing that the invoice lacks. */
export const proveTexts = ({ issue_date, ...texts }: Texts) => ({
  issue_date,
  ...(texts.delivery_date && { delivery_date: texts.delivery_date }),
  ...(texts.period && { period: texts.period }),
  ...(texts.order_number && { order_number: texts.order_number }),
  ...(texts.buyer_reference && { buyer_reference: texts.buyer_reference }),
  ...(texts.comments && { comments: texts.comments }),
})

type FrozenColumns = Pick<
  InvoiceDocument,
  | 'order_number'
  | 'period'
  | 'discounts'
  | 'charges'
  | 'early_payment_discounts'
  | 'attachments'
  | 'issue_date'
  | 'total'
  | 'currency'
>
type AddedTerms = Pick<WrittenInvoice, 'order_number' | 'period' | 'discounts' | 'charges' | 'payment_terms'> & {
  readonly attachments: readonly StoredAttachment[]
}

/** Selects what a document has of them: nothing that the invoice lacks. */
export function freezeAdded(
  added: AddedTerms,
  owing: Pick<FrozenColumns, 'issue_date' | 'total' | 'currency'>,
): Partial<FrozenColumns> {
  const { order_number: order, period, discounts, charges, payment_terms: terms, attachments } = added
  return {
    ...(order !== null && { order_number: order }),
    ...(period && { period }),
    ...(discounts?.length && { discounts: toAdjustments(discounts) }),
    ...(charges?.length && { charges: toAdjustments(charges) }),
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(terms && { early_payment_discounts: dateDiscounts(terms.early_payment_discounts, owing) }),
  }
}

import { embeddedContact } from '../billing-contacts/billing-contacts.ts'
import { rulesOf } from '../approvals/policies.ts'
import { externalColumns, type ExternalSearch, isExternal } from '../external.ts'
import { now } from '../../platform/clock.ts'
import type { Rule } from '../../domain/approvals/policy.ts'
import { ruleFor } from '../../domain/approvals/matching.ts'
import { refuse } from '../../domain/errors.ts'
import type { InvoiceState } from '../../domain/invoices/flow.ts'
import type { InvoiceId, UserId } from '../../domain/ids.ts'
import type { StoredAttachment } from '../../domain/invoice-documents/attachment.ts'
import { dateDiscounts } from '../../domain/invoice-documents/payment-terms.ts'
import { swissFaultsOf } from '../../domain/invoice-documents/swiss-code.ts'
import { dueAmount, reductionOf, refundDue } from '../../domain/invoices/due.ts'
import { reduceTotals } from '../../domain/invoices/early-payment.ts'
import type { InvoiceSummary, SummaryFilters } from '../../domain/invoices/allocation.ts'
import type { Invoice, InvoiceFilters, NewInvoice } from '../../domain/invoices/invoice.ts'
import { toPrefixQueries } from '../../domain/invoices/search.ts'
import { formatAmount } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'
import {
  type StoredAdjustment,
  type StoredLine,
  detailColumns,
  toAdjusted,
  toAttachments,
  swissColumn,
  type SwissSeller,
  warningsNow,
} from './columns.ts'
import { afterCredits, creditNotesOf, earlyPercentage, isOverdue, pageUrl } from '../invoice-delivery/documents.ts'
import { type WriterRow, toWriter, writerColumn } from './writer.ts'

/** Person to whose own invoices a read is limited; undefined for all invoices. */
export type OwnOnly = UserId | undefined

type InvoiceRow = Omit<
  Invoice,
  | 'next_valid_states'
  | 'due_amount'
  | 'refund_due'
  | 'reduced_totals'
  | 'line_total'
  | 'discounts'
  | 'line_items'
  | 'charges'
  | 'payment_terms'
  | 'attachments'
  | 'approval_requester'
  | 'created_by'
  | 'public_url'
> & {
  readonly line_items: readonly StoredLine[]
  readonly discounts: readonly StoredAdjustment[]
  readonly charges: readonly StoredAdjustment[]
  readonly attachments: readonly StoredAttachment[]
  readonly payment_terms: NewInvoice['payment_terms']
  readonly approval_requester: WriterRow | null
  readonly created_by: WriterRow | null
  /** Encrypted token in hexadecimal; null without a public page. */
  readonly page_token: string | null
  /** Amount that a person said was paid elsewhere. */
  readonly paid_elsewhere: string | null
  /** Discount in percent by which an early payment settled it. */
  readonly early_percentage: string | null
  readonly swiss: SwissSeller | null
}

/** Selects the amount that was paid elsewhere; invoices of before credit notes have none of it written down. */
const elsewhereColumn = (invoice: Fragment): Fragment => sql`
  (case when ${invoice}.paid_elsewhere_at is not null then coalesce(${invoice}.paid_elsewhere_amount,
    greatest(coalesce(${invoice}.accepted_amount, ${invoice}.total) - ${invoice}.allocated, 0)) end)::text`

const selectInvoice = (): Fragment => sql`
  select invoices.id, invoices.organization_id, invoices.status as state, invoices.number, invoices.currency,
    invoices.accepted_amount, invoices.net_total, invoices.tax_total, invoices.total, invoices.taxes, invoices.allocated,
    invoices.credited, ${creditNotesOf(sql`invoices`)} as credit_notes, ${elsewhereColumn(sql`invoices`)} as paid_elsewhere,
    case when invoices.status = 'paid' then invoices.settled_by end as settled_by,
    ${earlyPercentage(sql`invoices`)} as early_percentage,
    invoices.discount_total, invoices.charge_total, ${detailColumns(sql`invoices`)},
    ${warningsNow(sql`invoices`)}, ${swissColumn(sql`invoices`)},
    invoices.due_date, invoices.issue_date, invoices.delivery_date,
    ${isOverdue(sql`invoices`)} as is_overdue,
    invoices.approval_request_id, ${writerColumn(sql`invoices.submitted_by`)} as approval_requester,
    ${writerColumn(sql`invoices.created_by`)} as created_by, invoices.created_by as created_by_id,
    ${embeddedContact(sql`invoices.billing_contact_id`)} as billing_contact, invoices.comments,
    invoices.internal_description, invoices.internal_reference_number, invoices.buyer_reference, invoices.profile,
    invoices.completed_at, invoices.sent_at, invoices.paid_at, invoices.line_items,
    encode(invoices.page_token_sealed, 'hex') as page_token, ${externalColumns(sql`invoices`)},
    invoices.inserted_at, invoices.updated_at
  from invoices where invoices.deleted_at is null`

const ownOf = (own: OwnOnly): Fragment => (own ? sql`and invoices.created_by = ${own}` : sql``)

/** Reads an invoice of the organization. Refuses `not_found`, with `own` also if another person wrote it. */
export async function findInvoice(reader: Reader, id: InvoiceId, own: OwnOnly): Promise<Invoice> {
  const [row, rules] = await Promise.all([
    first(
      reader<InvoiceRow>(sql`
        ${selectInvoice()} and invoices.id = ${id} and invoices.organization_id = ${reader.organizationId} ${ownOf(own)}`),
    ),
    rulesOf(reader),
  ])
  return row ? toInvoice(row, rules) : refuse('not_found')
}

/** Refuses `not_found` like findInvoice(). */
export async function requireInvoice(reader: Reader, id: InvoiceId, own: OwnOnly): Promise<void> {
  const found = await reader(sql`
    select invoices.id from invoices
    where invoices.id = ${id} and invoices.organization_id = ${reader.organizationId} and invoices.deleted_at is null
      ${ownOf(own)}`)
  if (found.length === 0) refuse('not_found')
}

/** Lists invoices, newest first; with `own`, only those of the person. */
export async function listInvoices(
  reader: Reader,
  filters: InvoiceFilters & ExternalSearch,
  own: OwnOnly,
): Promise<Page<Invoice>> {
  const { billing_contact_id: contact, state, currency, overdue } = filters
  const { due_date_from: dueFrom, due_date_to: dueTo, issue_date_from: issuedFrom, issue_date_to: issuedTo } = filters
  const late = isOverdue(sql`invoices`)
  const select = (having: Fragment) => sql`${selectInvoice()} ${ownOf(own)}
    ${contact ? sql`and invoices.billing_contact_id = ${contact}` : sql``}
    ${state ? sql`and invoices.status = ${state}` : sql``}
    ${currency ? sql`and invoices.currency = ${currency}` : sql``}
    ${dueFrom ? sql`and invoices.due_date >= ${dueFrom}` : sql``}
    ${dueTo ? sql`and invoices.due_date <= ${dueTo}` : sql``}
    ${issuedFrom ? sql`and invoices.issue_date >= ${issuedFrom}` : sql``}
    ${issuedTo ? sql`and invoices.issue_date <= ${issuedTo}` : sql``}
    ${overdue === undefined ? sql`` : overdue ? sql`and ${late}` : sql`and not ${late}`}
    ${isExternal(sql`invoices`, filters)}
    ${having}`
  const pageWith = (having: Fragment) => pageOf<InvoiceRow>(reader, 'invoices', filters, select(having))
  const [page, rules] = await Promise.all([searchPage(reader, filters, pageWith), rulesOf(reader)])
  return { ...page, data: page.data.map((row) => toInvoice(row, rules)) }
}

/** Most invoices looked up by words, before other filters leave out some. */
const FOUND_MAX = 200

/**
 * Reads a page of invoices that have all words of the search. Row-level security prevents the use of a word index, so a
 * function of the definer looks up the newest ids. If other filters leave too few, all invoices are scanned.
 */
async function searchPage<Row extends object>(
  reader: Reader,
  { full_text_search: search = '', limit, cursor, ...others }: InvoiceFilters,
  pageWith: (having: Fragment) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  const words = toPrefixQueries(search)
  if (words.length === 0) return pageWith(sql``)
  const most = Object.values(others).every((other) => other === undefined) ? limit + 1 : FOUND_MAX
  const found = await first(
    reader<{ ids: string[]; are_all: boolean }>(sql`
      select ids, are_all from newest_invoices_with(${words}::text[], ${cursor ?? null}::uuid, ${limit + 1}, ${most})`),
  )
  if (!found) throw new Error('newest_invoices_with() answers one row')
  const page = await pageWith(sql`and invoices.id = any (${found.ids}::uuid[])`)
  if (found.are_all || page.has_more) return page
  return pageWith(sql`
    and (select w.words from invoice_words w where w.invoice_id = invoices.id)
      @@ query_within(${reader.organizationId}, ${words}::text[])`)
}

function toInvoice(
  { page_token: token, paid_elsewhere: elsewhere, early_percentage: early, swiss, ...row }: InvoiceRow,
  rules: readonly Rule[],
): Invoice {
  const { currency, accepted_amount: accepted, payment_terms: terms } = row
  const text = (amount: string) => formatAmount(amount, currency)
  const reduction = reductionOf({ ...row, early_percentage: early })
  return {
    ...row,
    ...toAdjusted(row),
    attachments: toAttachments(row.attachments),
    payment_terms: terms
      ? { early_payment_discounts: dateDiscounts(terms.early_payment_discounts, { ...row, total: text(row.total) }) }
      : null,
    next_valid_states: [...nextStates(row, rules)],
    accepted_amount: accepted === null ? null : text(accepted),
    due_amount: dueAmount(row),
    credited: text(row.credited),
    credit_notes: row.credit_notes.map((note) => ({ ...note, total: text(note.total) })),
    refund_due: refundDue({ ...row, paid_elsewhere: elsewhere, early_percentage: early }),
    reduced_totals: reduction > 0n ? reduceTotals(row, reduction) : null,
    net_total: text(row.net_total),
    tax_total: text(row.tax_total),
    total: text(row.total),
    allocated: text(row.allocated),
    warnings: [...row.warnings, ...(swiss ? swissFaultsOf({ ...row, account: swiss, seller: swiss }) : [])],
    approval_requester: toWriter(row.approval_requester),
    created_by: toWriter(row.created_by),
    public_url: pageUrl(row.id, token),
  }
}

type PricedRow = Pick<InvoiceRow, 'state' | 'total' | 'currency'>

/** Lists the next possible states. The policy decides if a draft is sent, or approved first. */
function nextStates({ state, total, currency }: PricedRow, rules: readonly Rule[]): readonly InvoiceState[] {
  if (state !== 'draft') return NEXT[state]
  const rule = ruleFor(rules, { action_type: 'billing_invoice', amount: { amount: total, currency } })
  return [rule ? 'awaiting_approval' : 'sent']
}

const NEXT = {
  awaiting_approval: ['draft', 'sent'],
  sent: ['finalized', 'paid'],
  finalized: ['paid'],
  paid: [],
} as const

const MONTHS = 12

/** Sums up all invoices by currency, and by month. Refuses `invalid_request` for months in the wrong order. */
export async function summarizeInvoices(reader: Reader, filters: SummaryFilters): Promise<InvoiceSummary> {
  const { from, to } = monthsOf(filters)
  const row = await first(
    reader<InvoiceSummary>(sql`
      with mine as materialized (
        select i.currency, i.status, i.number is not null as is_sent, i.issue_date, i.paid_at, i.total,
          case when is_open_invoice(i.status)
            then greatest(${afterCredits(sql`i`)} - i.allocated, 0) else 0 end as due,
          i.credited, i.allocated + coalesce(${elsewhereColumn(sql`i`)}::numeric, 0) as received,
          ${isOverdue(sql`i`)} as is_overdue
        from invoices i where i.organization_id = ${reader.organizationId} and i.deleted_at is null
      ), by_currency as (
        select currency, sum(due) as outstanding, coalesce(sum(due) filter (where is_overdue), 0) as overdue,
          coalesce(sum(received) filter (where status = 'paid'), 0) as paid, sum(credited) as credited,
          coalesce(sum(total) filter (where not is_sent), 0) as draft
        from mine group by currency
      ), by_month as (
        select to_char(m.day, 'YYYY-MM') as month, currency, sum(m.invoiced) as invoiced, sum(m.paid) as paid
        from mine, lateral (values (case when is_sent then issue_date end, total, 0),
          ((paid_at at time zone 'UTC')::date, 0, received)) m (day, invoiced, paid)
        where m.day >= ${`${from}-01`}::date and m.day < ${`${to}-01`}::date + interval '1 month'
        group by 1, 2
      )
      select
        (select coalesce(json_agg(json_build_object('currency', currency, 'outstanding', outstanding::text,
          'overdue', overdue::text, 'paid', paid::text, 'credited', credited::text, 'draft', draft::text) order by currency), '[]') from by_currency)
          as by_currency,
        (select coalesce(json_agg(json_build_object('month', month, 'currency', currency, 'invoiced', invoiced::text,
          'paid', paid::text) order by month, currency), '[]') from by_month) as by_month`),
  )
  if (!row) throw new Error('a sum of nothing is a row, too')
  return { by_currency: row.by_currency.map(atPrecision), by_month: row.by_month.map(atPrecision) }
}

function atPrecision<Row extends { readonly currency: string; readonly month?: string }>(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) =>
    name === 'currency' || name === 'month' ? [name, value] : [name, formatAmount(value, row.currency)],
  )
  return Object.fromEntries(entries) as Row // the same names, and texts
}

function monthsOf({ from, to = now().toISOString().slice(0, 'YYYY-MM'.length) }: SummaryFilters) {
  const [year = 0, month = 0] = to.split('-').map(Number)
  const begin = from ?? new Date(Date.UTC(year, month - MONTHS, 1)).toISOString().slice(0, 'YYYY-MM'.length)
  if (begin > to) {
    refuse('invalid_request', { errors: [{ path: 'to', code: 'before_from', message: 'is before the first month' }] })
  }
  return { from: begin, to }
}

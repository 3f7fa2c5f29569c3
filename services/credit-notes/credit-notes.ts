import { rulesOf } from '../approvals/policies.ts'
import { externalColumns, type ExternalSearch, isExternal } from '../external.ts'
import { embeddedContact } from '../billing-contacts/billing-contacts.ts'
import type { OwnOnly } from '../invoices/invoices.ts'
import { type StoredAdjustment, type StoredLine, toAdjusted } from '../invoices/columns.ts'
import { type WriterRow, toWriter, writerColumn } from '../invoices/writer.ts'
import type { Rule } from '../../domain/approvals/policy.ts'
import { ruleFor } from '../../domain/approvals/matching.ts'
import type { CreditNote, CreditNoteFilters } from '../../domain/credit-notes/credit-note.ts'
import { refuse } from '../../domain/errors.ts'
import type { CreditNoteState } from '../../domain/invoices/credit-note-flow.ts'
import type { CreditNoteId } from '../../domain/ids.ts'
import { formatAmount } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

type Row = Omit<
  CreditNote,
  'next_valid_states' | 'approval_requester' | 'created_by' | 'line_total' | 'line_items' | 'discounts' | 'charges'
> & {
  readonly line_items: readonly StoredLine[]
  readonly discounts: readonly StoredAdjustment[]
  readonly charges: readonly StoredAdjustment[]
  readonly approval_requester: WriterRow | null
  readonly created_by: WriterRow | null
}

const selectCreditNote = (own: OwnOnly): Fragment => sql`
  select credit_notes.id, credit_notes.organization_id, credit_notes.invoice_id, i.number as invoice_number,
    credit_notes.status as state, credit_notes.number, i.currency, credit_notes.reason, credit_notes.issue_date,
    credit_notes.discounts, credit_notes.charges, credit_notes.discount_total, credit_notes.charge_total,
    credit_notes.net_total, credit_notes.tax_total, credit_notes.total, credit_notes.taxes, credit_notes.line_items,
    i.profile, ${embeddedContact(sql`i.billing_contact_id`)} as billing_contact, credit_notes.approval_request_id,
    ${writerColumn(sql`credit_notes.submitted_by`)} as approval_requester,
    ${writerColumn(sql`credit_notes.created_by`)} as created_by, credit_notes.created_by as created_by_id,
    credit_notes.sent_at, ${externalColumns(sql`credit_notes`)}, credit_notes.inserted_at, credit_notes.updated_at
  from credit_notes join invoices i on i.id = credit_notes.invoice_id
  where credit_notes.deleted_at is null ${ownOf(sql`i`, own)}`

/** Builds the condition: the person wrote the invoice `i`. */
const ownOf = (i: Fragment, own: OwnOnly): Fragment => (own ? sql`and ${i}.created_by = ${own}` : sql``)

/** Reads a credit note. Refuses `not_found`, with `own` also if another person wrote its invoice. */
export async function findCreditNote(reader: Reader, id: CreditNoteId, own: OwnOnly): Promise<CreditNote> {
  const [row, rules] = await Promise.all([
    first(
      reader<Row>(sql`
        ${selectCreditNote(own)} and credit_notes.id = ${id}
          and credit_notes.organization_id = ${reader.organizationId}`),
    ),
    rulesOf(reader),
  ])
  return row ? toCreditNote(row, rules) : refuse('not_found')
}

/** Refuses `not_found` like findCreditNote(). */
export async function requireCreditNote(reader: Reader, id: CreditNoteId, own: OwnOnly): Promise<void> {
  const found = await reader(sql`
    select from credit_notes n join invoices i on i.id = n.invoice_id
    where n.id = ${id} and n.organization_id = ${reader.organizationId} and n.deleted_at is null ${ownOf(sql`i`, own)}`)
  if (found.length === 0) refuse('not_found')
}

/** Lists credit notes, newest first; with `own`, only those of the person's invoices. */
export async function listCreditNotes(
  reader: Reader,
  filters: CreditNoteFilters & ExternalSearch,
  own: OwnOnly,
): Promise<Page<CreditNote>> {
  const { state, invoice_id: invoice, billing_contact_id: contact, currency } = filters
  const { issue_date_from: from, issue_date_to: to } = filters
  const select = sql`${selectCreditNote(own)}
    ${state ? sql`and credit_notes.status = ${state}` : sql``}
    ${invoice ? sql`and credit_notes.invoice_id = ${invoice}` : sql``}
    ${contact ? sql`and i.billing_contact_id = ${contact}` : sql``}
    ${currency ? sql`and i.currency = ${currency}` : sql``}
    ${from ? sql`and credit_notes.issue_date >= ${from}` : sql``}
    ${to ? sql`and credit_notes.issue_date <= ${to}` : sql``}
    ${isExternal(sql`credit_notes`, filters)}`
  const [page, rules] = await Promise.all([pageOf<Row>(reader, 'credit_notes', filters, select), rulesOf(reader)])
  return { ...page, data: page.data.map((row) => toCreditNote(row, rules)) }
}

function toCreditNote(row: Row, rules: readonly Rule[]): CreditNote {
  const text = (amount: string) => formatAmount(amount, row.currency)
  return {
    ...row,
    ...toAdjusted(row),
    next_valid_states: nextStates(row, rules),
    net_total: text(row.net_total),
    tax_total: text(row.tax_total),
    total: text(row.total),
    approval_requester: toWriter(row.approval_requester),
    created_by: toWriter(row.created_by),
  }
}

/** Lists the next possible states. The policy decides if a draft is sent, or approved first. */
function nextStates({ state, total: amount, currency }: Row, rules: readonly Rule[]): CreditNoteState[] {
  if (state === 'sent') return []
  if (state === 'awaiting_approval') return ['draft', 'sent']
  return [
    ruleFor(rules, { action_type: 'billing_invoice', amount: { amount, currency } }) ? 'awaiting_approval' : 'sent',
  ]
}

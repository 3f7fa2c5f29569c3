/** Payments: found, listed, and what people write beside them. */
import { newCause, record } from '../events.ts'
import type { Person } from '../../domain/actor.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Reviewer } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId, PaymentId, UserId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import type { PaymentStatus } from '../../domain/flows/payment.ts'
import { type Payment, type PaymentChange, type PaymentFilters, isCancellable } from '../../domain/payments/payment.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'
import { amountRange, containing, timeRange } from '../filters.ts'
import type { Rail } from '../../domain/rails.ts'

export type PaymentRow = {
  id: string
  organization_id: OrganizationId
  payment_contact_id: string
  destination_id: string
  destination_name: string
  approval_request_id: string | null
  transaction_id: string | null
  payment_batch_id: string | null
  quote_id: string | null
  event_id: string
  rail: Rail
  status: PaymentStatus
  custody_decided: boolean
  status_detail: string
  deducting_amount: string
  deducting_currency: string
  landing_amount: string
  landing_currency: string
  internal_notes: string | null
  tag: Payment['tag']
  created_by: UserId
  created_at: string
}

/** The columns of a PaymentRow, of `payments`. */
export const paymentColumns = (): Fragment => sql`
  payments.id, payments.organization_id, payment_contact_id, destination_id, destination_name, approval_request_id,
  transaction_id, payment_batch_id, quote_id, event_id, rail, status, custody_decided, status_detail,
  deducting_amount, deducting_currency, landing_amount, landing_currency, internal_notes, tag, created_by,
  inserted_at as created_at`

const selectPayment = (): Fragment => sql`select ${paymentColumns()} from payments where true`

/** Those that the person made, or reviews. */
const ownOf = ({ userId, role }: Reviewer): Fragment => sql`
  and (payments.created_by = ${userId} or exists (select from approvals a join approval_waits w on w.id = a.wait_id
    where a.id = coalesce(payments.approval_request_id,
        (select b.approval_request_id from payment_batches b where b.id = payments.payment_batch_id))
      and (${role} = any (w.named_roles) or ${userId} = any (w.named_user_ids))))`

/**
 * One payment of the reader's organization; with `own`, only if that person made or reviews it. Refuses `not_found`.
 */
export async function findPayment(reader: Reader, id: PaymentId, own?: Reviewer): Promise<Payment> {
  const row = await first(
    reader<PaymentRow>(sql`
      ${selectPayment()} and payments.id = ${id} and payments.organization_id = ${reader.organizationId}
      ${own ? ownOf(own) : sql``}`),
  )
  return row ? toPayment(row) : refuse('not_found')
}

/** Payments, newest first, by the filters of the operation; with `own`, only what that person made or reviews. */
export async function listPayments(reader: Reader, filters: PaymentFilters, own?: Reviewer): Promise<Page<Payment>> {
  const f = filters
  const page = await pageOf<PaymentRow>(
    reader,
    'payments',
    f,
    sql`${selectPayment()}
      ${own ? ownOf(own) : sql``}
      ${f.status ? sql`and status = ${f.status}` : sql``}
      ${f.rail ? sql`and rail = ${f.rail}` : sql``}
      ${f.payment_contact_id ? sql`and payment_contact_id = ${f.payment_contact_id}` : sql``}
      ${f.payment_batch_id ? sql`and payment_batch_id = ${f.payment_batch_id}` : sql``}
      ${f.tag ? sql`and tag = ${f.tag}` : sql``}
      ${timeRange(sql`payments.inserted_at`, f)}
      ${amountRange(sql`deducting_amount`, f)}
      ${f.currency ? sql`and deducting_currency = ${f.currency}` : sql``}
      ${containing(f.q, sql`destination_name, statement_description, internal_notes`)}`,
  )
  return { ...page, data: page.data.map(toPayment) }
}

/** A row as every operation answers it. */
export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    organization_id: row.organization_id,
    payment_contact_id: row.payment_contact_id,
    destination_id: row.destination_id,
    approval_request_id: row.approval_request_id,
    cancellable: isCancellable(row),
    created_at: row.created_at,
    deducting: moneyOf(row.deducting_amount, row.deducting_currency),
    landing: moneyOf(row.landing_amount, row.landing_currency),
    destination_name: row.destination_name,
    event: { id: row.event_id, stream: 'payments', subject_id: row.id, type: 'payment.created' },
    internal_notes: row.internal_notes,
    payment_batch_id: row.payment_batch_id,
    quote_id: row.quote_id,
    rail: row.rail,
    status: row.status,
    status_detail: row.status_detail,
    tag: row.tag,
    transaction_id: row.transaction_id,
  }
}

/**
 * Changes notes and tag of a payment in any state; what is absent stays, null clears. The log says which of them
 * changed, and never what notes say. Refuses `not_found`. The caller has checked that the person sees the payment.
 */
export async function changePayment(tx: Tx, person: Person, id: PaymentId, change: PaymentChange): Promise<void> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  const [before] = await tx<Pick<Payment, 'internal_notes' | 'tag'>[]>`
    select internal_notes, tag from payments where id = ${id} for no key update`
  if (!before) refuse('not_found')
  const { internal_notes: notes = before.internal_notes, tag = before.tag } = change
  const changed = [
    ...(notes === before.internal_notes ? [] : (['internal_notes'] as const)),
    ...(tag === before.tag ? [] : (['tag'] as const)),
  ]
  if (changed.length === 0) return
  await tx`update payments set internal_notes = ${notes}, tag = ${tag}, updated_at = business_now() where id = ${id}`
  await record(tx, paymentEvents.updated, {
    subjectId: id,
    cause: newCause(),
    payload: { changed, ...(changed.includes('tag') && { tag }) },
  })
}

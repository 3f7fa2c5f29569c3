/** Payments: created, found, listed. */
import { refuseUnbalanced } from '../ledger/books.ts'
import { policyFor } from '../approvals/policies.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { payeeOf } from '../contacts/contacts.ts'
import { contactBlockers } from './checks.ts'
import { writePayment } from './creation.ts'
import type { Reviewer } from '../model/approvals/requirements.ts'
import { refuse, refuseFirst } from '../model/errors.ts'
import type { OrganizationId, PaymentId, UserId } from '../model/ids.ts'
import { moneyOf } from '../model/money/money.ts'
import type { Page } from '../model/pagination.ts'
import { type PaymentStatus } from '../model/flows/payment.ts'
import { type Payment, type PaymentFilters, type PaymentRequest, SVC_ID_CURRENCY } from '../model/payments/payment.ts'
import { type Role, can } from '../model/permissions.ts'
import { isGone } from '../model/flows/organization.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../sql.ts'
import { amountRange, containing, timeRange } from '../filters.ts'
import type { Rail } from '../model/rails.ts'

/** Refuses what can be known before a payment exists: contact, destination, rail, payer and payee, currency. */
export async function checkPayable(reader: Reader, contactId: string, currency: string) {
  if (currency !== SVC_ID_CURRENCY) refuse('unsupported_currency', { currency, supported: [SVC_ID_CURRENCY] })
  const payee = await payeeOf(reader, contactId)
  if (payee.type !== 'svc_id' || !payee.payee_organization_id) refuse('unsupported_rail', { rail: payee.type })
  refuseFirst(contactBlockers(payee.contact_status))
  if (payee.payee_organization_id === reader.organizationId) refuse('same_account')
  return { ...payee, payee_organization_id: payee.payee_organization_id }
}

/**
 * Writes payment, approval, events and claim in one transaction; false when the claim was taken by another request: then
 * nothing is written. Refuses what checkPayable() and checkRequester() refuse.
 */
export async function createPayment(
  tx: Tx,
  claim: Claim,
  requesterId: UserId,
  request: PaymentRequest,
): Promise<boolean> {
  const money = { amount: request.amount, currency: request.currency }
  const claiming = takeClaim(tx, claim) // first: it waits for who has it, and what follows sees what that one wrote
  const [taken, policy, allowed, payable] = await Promise.allSettled([
    claiming,
    policyFor(tx, { action_type: 'withdrawal', amount: money }),
    checkRequester(tx, requesterId),
    checkPayable(within(tx), request.payment_contact_id, request.currency),
  ])
  if (taken.status === 'rejected') throw taken.reason
  if (!taken.value) return false
  if (policy.status === 'rejected') throw policy.reason
  if (!policy.value) throw new Error('a payment always waits for approval')
  if (allowed.status === 'rejected') throw allowed.reason
  if (payable.status === 'rejected') throw payable.reason
  const payee = payable.value
  await writePayment(tx, claim.id, {
    requesterId,
    request,
    policy: policy.value,
    terms: {
      id: null,
      contact_id: request.payment_contact_id,
      contact_name: payee.name,
      destination_id: payee.destination_id,
      fingerprint: null,
      payee_organization_id: payee.payee_organization_id,
      rail: 'svc_id',
      deducting: money,
      landing: money,
      fee: { amount: '0', currency: money.currency },
      rate: null,
    },
    tag: payee.tag,
  })
  return true
}

/** Since the request was let in it may have waited: who asked must still be somebody who may. */
async function checkRequester(tx: Tx, userId: UserId): Promise<void> {
  const [member] = await tx<{ role: Role; status: string; stopped: boolean }[]>`
    select m.role, o.status, o.books_stopped_at is not null as stopped from members m join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  if (!member || isGone(member.status)) refuse('not_found')
  if (member.status === 'paused') refuse('organization_unavailable')
  if (!can(member.role, 'payments.send_fiat')) refuse('forbidden', { permission: 'payments.send_fiat' })
  if (member.stopped) refuseUnbalanced()
}

type PaymentRow = {
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

const selectPayment = (): Fragment => sql`
  select payments.id, payments.organization_id, payment_contact_id, destination_id, destination_name,
    approval_request_id, transaction_id, payment_batch_id, quote_id, event_id, rail, status, custody_decided, status_detail,
    deducting_amount, deducting_currency, landing_amount, landing_currency, internal_notes, tag, created_by,
    inserted_at as created_at
  from payments where true`

/** Those that the person made, or reviews. */
const ownOf = ({ userId, role }: Reviewer): Fragment => sql`
  and (payments.created_by = ${userId} or exists (select from approvals a join approval_waits w on w.id = a.wait_id
    where a.id = payments.approval_request_id and (${role} = any (w.named_roles) or ${userId} = any (w.named_user_ids))))`

/** One payment of the reader's organization; with `own`, only where that person made or reviews it. Refuses `not_found`. */
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

function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    organization_id: row.organization_id,
    payment_contact_id: row.payment_contact_id,
    destination_id: row.destination_id,
    approval_request_id: row.approval_request_id,
    cancellable: row.rail === 'crypto' && !row.custody_decided && ['submitted', 'processing'].includes(row.status),
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

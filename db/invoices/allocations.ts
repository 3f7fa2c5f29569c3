/** What transactions pay of invoices: allocated, listed, taken back. Never more than there is of either. */
import { record } from '../events.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { now } from '../../platform/clock.ts'
import { inOrder } from '../in-order.ts'
import { refuse } from '../../domain/errors.ts'
import { type AllocationId, type InvoiceId, type TransactionId, newId } from '../../domain/ids.ts'
import type { Allocation, NewAllocation } from '../../domain/invoices/allocation.ts'
import { dueAmount } from '../../domain/invoices/due.ts'
import { incomingPaymentFlow } from '../../domain/flows/incoming-payment.ts'
import { invoiceEvents, invoiceMoves } from '../../domain/invoices/events.ts'
import { type Money, canonicalMoney, compare, formatAmount, moneyOf, subtract } from '../../domain/money/money.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'
import { type Editor, type LockedInvoice, lockInvoice, requireState } from './drafts.ts'

/** Those that count. */
const stand = (): Fragment => sql`invoice_allocations.taken_back_at is null`

const selectAllocation = (): Fragment => sql`
  select invoice_allocations.id, invoice_allocations.organization_id, invoice_allocations.invoice_id,
    invoice_allocations.transaction_id, invoice_allocations.amount, invoices.currency,
    invoice_allocations.created_by as created_by_id, invoice_allocations.inserted_at
  from invoice_allocations join invoices on invoices.id = invoice_allocations.invoice_id`

const toAllocation = (row: Allocation): Allocation => ({ ...row, amount: formatAmount(row.amount, row.currency) })

/** One allocation of the reader's organization as it was made, also if it was taken back. Refuses `not_found`. */
export async function findAllocation(reader: Reader, id: AllocationId): Promise<Allocation> {
  const row = await first(
    reader<Allocation>(sql`
      ${selectAllocation()}
      where invoice_allocations.id = ${id} and invoice_allocations.organization_id = ${reader.organizationId}`),
  )
  return row ? toAllocation(row) : refuse('not_found')
}

/** What pays an invoice, newest first. */
export async function listAllocations(reader: Reader, id: InvoiceId, page: PageRequest): Promise<Page<Allocation>> {
  const select = sql`${selectAllocation()} where invoice_allocations.invoice_id = ${id} and ${stand()}`
  const found = await pageOf<Allocation>(reader, 'invoice_allocations', page, select)
  return { ...found, data: found.data.map(toAllocation) }
}

/**
 * Allocates so much of a transaction to an invoice that was sent, which is paid if nothing of it is left; false if
 * another request has the claim. Refuses `not_found`, `forbidden`, `invalid_state`, `amount_precision`, and
 * `allocation_exceeds` with what is available.
 */
export async function createAllocation(
  tx: Tx,
  editor: Editor,
  {
    claim,
    invoiceId,
    wanted,
  }: { readonly claim: Claim; readonly invoiceId: InvoiceId; readonly wanted: NewAllocation },
): Promise<boolean> {
  const invoice = await lockInvoice(tx, editor, invoiceId, 'billing_invoices.allocate')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  requireState(invoice, 'sent', 'finalized')
  const { currency } = invoice
  const amount = canonicalMoney({ amount: wanted.amount, currency })
  await allocate(tx, invoice, { id: claim.id, transactionId: wanted.transaction_id, amount, by: editor.person.userId })
  return true
}

/**
 * Pays what is due of an invoice from one transaction, on its day unless another is given. Refuses `not_found`,
 * `forbidden`, `invalid_state`, `invalid_request` for an instant to come, and `allocation_exceeds` if the transaction
 * does not suffice.
 */
export async function payInvoiceBy(
  tx: Tx,
  editor: Editor,
  id: InvoiceId,
  { transactionId, paidAt }: { readonly transactionId: TransactionId; readonly paidAt: string | undefined },
): Promise<void> {
  const invoice = await lockInvoice(tx, editor, id, 'billing_invoices.allocate')
  requireInPast(paidAt)
  requireState(invoice, 'sent', 'finalized')
  const { currency } = invoice
  const amount = moneyOf(dueOf(invoice), currency)
  await allocate(tx, invoice, { id: newId(), transactionId, amount, by: editor.person.userId, paidAt })
}

/** Refuses `invalid_request` for the instant of a payment that is yet to come. */
export function requireInPast(paidAt: string | undefined): void {
  if (paidAt === undefined || Date.parse(paidAt) <= now().getTime()) return
  refuse('invalid_request', { errors: [{ path: 'paid_at', code: 'in_future', message: 'is not past yet' }] })
}

export const dueOf = ({ status: state, ...invoice }: LockedInvoice): string => dueAmount({ ...invoice, state })

type New = {
  readonly id: AllocationId
  readonly transactionId: TransactionId
  readonly amount: Money
  /** Null for the service. */
  readonly by: string | null
  /** By what the service knows which invoice is paid. */
  readonly matched?: string
  readonly paidAt?: string | undefined
}

/** Allocates to an open invoice, which the caller has locked. Refuses `not_found` and `allocation_exceeds`. */
export async function allocate(tx: Tx, invoice: LockedInvoice, given: New): Promise<void> {
  const { id, transactionId, amount, by, matched, paidAt } = given
  const { currency } = invoice
  const left = await leftOf(tx, transactionId, currency)
  const due = moneyOf(dueOf(invoice), currency)
  const available = compare(left, due) < 0 ? left : due
  if (compare(amount, available) > 0 || Number(amount.amount) === 0) {
    refuse('allocation_exceeds', { available: available.amount })
  }
  await tx`
    insert into invoice_allocations (id, organization_id, invoice_id, transaction_id, amount, created_by)
    values (${id}, ${tx.organizationId}, ${invoice.id}, ${transactionId}, ${amount.amount}, ${by})`
  const cause = `allocation:${id}`
  const money = { transaction_id: transactionId, amount: amount.amount, currency }
  await record(tx, invoiceEvents.allocated, {
    subjectId: invoice.id,
    cause,
    payload: { allocation_id: id, ...money, ...(matched && { matched, same_amount: true }) },
  })
  const isPaid = compare(amount, due) === 0
  await wakeCandidates(tx, { invoiceId: isPaid ? invoice.id : null, transactionId })
  if (!isPaid) return sumUp(tx, invoice.id)
  await transition(tx, invoiceMoves, invoice.id, {
    events: ['pay'],
    cause,
    set: sql`allocated = ${allocatedTo(invoice.id)}, paid_at = coalesce(${paidAt ?? null}::timestamptz,
        ${latestPosting(invoice.id)}), completed_at = coalesce(completed_at, business_now())`,
    payload: { elsewhere: false, transaction_id: transactionId, paid_at: paidAt ?? null },
  })
}

type Touched = { readonly invoiceId: InvoiceId | null; readonly transactionId?: TransactionId | string }

/**
 * Wakes incoming money that a person was asked about: more or less of it is left, or an invoice that it may pay is
 * closed or open again.
 */
export async function wakeCandidates(tx: Tx, { invoiceId, transactionId = '' }: Touched): Promise<void> {
  const asked = await tx<{ id: string }[]>`
    select id from incoming_payments where organization_id = ${tx.organizationId} and candidates <> '{}'
      and (${invoiceId}::uuid = any (candidates) or id::text = ${transactionId})`
  if (asked.length > 0) wake(tx, incomingPaymentFlow, { ids: asked.map(({ id }) => id), why: 'candidates_changed' })
}

/** The sum of what pays an invoice. */
const allocatedTo = (id: InvoiceId): Fragment => sql`(
  select coalesce(sum(amount), 0) from invoice_allocations where invoice_id = ${id} and ${stand()})`

/** When the last of the money that pays an invoice came. */
const latestPosting = (id: InvoiceId): Fragment => sql`(
  select max(t.posted_at) from invoice_allocations join transactions t on t.id = invoice_allocations.transaction_id
  where invoice_allocations.invoice_id = ${id} and ${stand()})`

/** Writes how much of an invoice is paid. */
async function sumUp(tx: Tx, id: InvoiceId): Promise<void> {
  await tx`update invoices set allocated = ${allocatedTo(id)}, updated_at = business_now() where id = ${id}`
}

type Incoming = {
  readonly amount: string
  readonly currency: string
  readonly status: string
  readonly direction: string
}

/**
 * Locks a transaction, so that nobody else allocates of it, and answers what is left of it. Refuses `not_found`, and
 * `allocation_exceeds` for one that pays nothing in this currency.
 */
export async function leftOf(tx: Tx, id: TransactionId, currency: string): Promise<Money> {
  const [[row], [taken]] = await inOrder(
    () => tx<Incoming[]>`
      select amount, currency, status, direction from transactions
      where id = ${id} and discarded_at is null for no key update`,
    () => tx<{ amount: string }[]>`
      select coalesce(sum(amount), 0) as amount from invoice_allocations where transaction_id = ${id} and ${stand()}`,
  )
  if (!row || !taken) refuse('not_found')
  const reason = pointless(row, currency)
  if (reason) refuse('allocation_exceeds', { available: moneyOf('0', currency).amount, reason })
  return subtract(moneyOf(row.amount, currency), moneyOf(taken.amount, currency))
}

function pointless({ direction, status, currency }: Incoming, wanted: string): string | undefined {
  if (direction !== 'in') return 'not_incoming'
  if (status !== 'posted') return 'not_posted'
  return currency === wanted ? undefined : 'other_currency'
}

/**
 * Takes an allocation back: what it paid is due again, and an invoice that is not paid any more is what it was before.
 * Refuses `not_found`, also for one that was taken back, and `forbidden`.
 */
export async function takeBackAllocation(
  tx: Tx,
  editor: Editor,
  invoiceId: InvoiceId,
  id: AllocationId,
): Promise<void> {
  const invoice = await lockInvoice(tx, editor, invoiceId, 'billing_invoices.allocate')
  const [taken] = await tx<{ transaction_id: string; amount: string }[]>`
    update invoice_allocations set taken_back_at = business_now(), taken_back_by = ${editor.person.userId}
    where id = ${id} and invoice_id = ${invoiceId} and ${stand()} returning transaction_id, amount`
  if (!taken) refuse('not_found')
  const { currency } = invoice
  const amount = formatAmount(taken.amount, currency)
  const cause = `allocation:${id}:back`
  await record(tx, invoiceEvents.allocation_taken_back, {
    subjectId: invoiceId,
    cause,
    payload: { allocation_id: id, transaction_id: taken.transaction_id, amount, currency },
  })
  const allocated = subtract(moneyOf(invoice.allocated, currency), { amount, currency })
  const due = dueAmount({ ...invoice, state: 'sent', allocated: allocated.amount })
  const opens = invoice.status === 'paid' && Number(due) !== 0
  await wakeCandidates(tx, { invoiceId: opens ? invoiceId : null, transactionId: taken.transaction_id })
  if (!opens) return sumUp(tx, invoiceId)
  await reopen(tx, invoice, { cause, due })
}

type Reopening = { readonly cause: string; readonly due: string }

/** Opens a paid invoice, which the caller has locked, as it was before it was paid. */
async function reopen(
  tx: Tx,
  { id, currency, finalized_at: finalizedAt }: Pick<LockedInvoice, 'id' | 'currency' | 'finalized_at'>,
  { cause, due }: Reopening,
): Promise<void> {
  await transition(tx, invoiceMoves, id, {
    events: [finalizedAt === null ? 'reopen' : 'reopen_finalized'],
    cause,
    set: sql`allocated = ${allocatedTo(id)}, paid_at = null, paid_elsewhere_at = null, completed_at = finalized_at`,
    payload: { due_amount: due, currency },
  })
}

/**
 * Allocates to an invoice, which the caller has locked, what pays it for certain. One that a person has called paid
 * elsewhere is opened first, so that it is paid by this money alone. Refuses `not_found` and `allocation_exceeds`.
 */
export async function allocateCertain(tx: Tx, invoice: LockedInvoice, given: New): Promise<void> {
  if (invoice.status !== 'paid') return allocate(tx, invoice, given)
  const open = { ...invoice, status: invoice.finalized_at === null ? ('sent' as const) : ('finalized' as const) }
  await reopen(tx, invoice, { cause: `allocation:${given.id}:instead`, due: dueOf(open) })
  await allocate(tx, open, given)
}

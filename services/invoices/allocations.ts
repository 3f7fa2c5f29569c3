/** Allocations of transactions to invoices: made, listed, taken back. They never exceed what is left of either. */
import { record } from '../events.ts'
import { now } from '../../platform/clock.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type AllocationId, type InvoiceId, type TransactionId, newId } from '../../domain/ids.ts'
import type { Allocation, NewAllocation } from '../../domain/invoices/allocation.ts'
import { dueAmount } from '../../domain/invoices/due.ts'
import { type EarlyOffer, earlyOffers } from '../../domain/invoices/early-payment.ts'
import { incomingPaymentFlow } from '../../domain/incoming-payments/flow.ts'
import { invoiceEvents, invoiceMoves } from '../../domain/invoices/events.ts'
import {
  type Money,
  add,
  canonicalMoney,
  compare,
  formatAmount,
  isZero,
  moneyOf,
  subtract,
} from '../../domain/money/money.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type Editor, type LockedInvoice, lockInvoice, requireState } from './locked.ts'
import type { OwnOnly } from './invoices.ts'

const stand = (): Fragment => sql`invoice_allocations.taken_back_at is null`

const selectAllocation = (): Fragment => sql`
  select invoice_allocations.id, invoice_allocations.organization_id, invoice_allocations.invoice_id,
    invoice_allocations.transaction_id, invoice_allocations.amount, invoices.currency,
    invoice_allocations.created_by as created_by_id, invoice_allocations.inserted_at
  from invoice_allocations join invoices on invoices.id = invoice_allocations.invoice_id`

const toAllocation = (row: Allocation): Allocation => ({ ...row, amount: formatAmount(row.amount, row.currency) })

/** Reads an allocation as it was made, even if it was taken back. Refuses `not_found`. */
export async function findAllocation(reader: Reader, id: AllocationId): Promise<Allocation> {
  const row = await first(
    reader<Allocation>(sql`
      ${selectAllocation()}
      where invoice_allocations.id = ${id} and invoice_allocations.organization_id = ${reader.organizationId}`),
  )
  return row ? toAllocation(row) : refuse('not_found')
}

export async function listAllocations(reader: Reader, id: InvoiceId, page: PageRequest): Promise<Page<Allocation>> {
  const select = sql`${selectAllocation()} where invoice_allocations.invoice_id = ${id} and ${stand()}`
  const found = await pageOf<Allocation>(reader, 'invoice_allocations', page, select)
  return { ...found, data: found.data.map(toAllocation) }
}

/** Allocates an amount of a transaction to a sent invoice, which may be paid by that. */
export async function createAllocation(
  tx: Tx,
  { person, own }: Editor,
  {
    id,
    invoiceId,
    wanted,
  }: { readonly id: AllocationId; readonly invoiceId: InvoiceId; readonly wanted: NewAllocation },
): Promise<void> {
  const invoice = await lockInvoice(tx, invoiceId, own)
  requireState(invoice, 'sent', 'finalized')
  const amount = canonicalMoney({ amount: wanted.amount, currency: invoice.currency })
  await allocate(tx, invoice, { id, transactionId: wanted.transaction_id, amount, by: person.userId })
}

/** Pays an invoice from one transaction, by default as of its posting: all that is due, or an early payment. */
export async function payInvoiceBy(
  tx: Tx,
  { person, own }: Editor,
  id: InvoiceId,
  { transactionId, paidAt }: { readonly transactionId: TransactionId; readonly paidAt: string | undefined },
): Promise<void> {
  await requirePermissionLocked(tx, person, 'billing_invoices.allocate')
  const invoice = await lockInvoice(tx, id, own)
  requireInPast(paidAt)
  requireState(invoice, 'sent', 'finalized')
  const left = await leftOf(tx, transactionId, invoice.currency)
  const day = await latestDay(tx, invoice.id, transactionId)
  const isEarlyPayment = earlyOffers(invoice).some(({ until, payable }) => payable === left.amount && day <= until)
  const amount = isEarlyPayment ? left : dueOf(invoice)
  await allocate(tx, invoice, { id: newId(), transactionId, amount, by: person.userId, paidAt })
}

/** Refuses `invalid_request` for a payment in the future. */
export function requireInPast(paidAt: string | undefined): void {
  if (paidAt === undefined || Date.parse(paidAt) <= now().getTime()) return
  refuse('invalid_request', { errors: [{ path: 'paid_at', code: 'in_future', message: 'is not past yet' }] })
}

export const dueOf = ({ status: state, ...invoice }: LockedInvoice): Money =>
  moneyOf(dueAmount({ ...invoice, state }), invoice.currency)

type New = {
  readonly id: AllocationId
  readonly transactionId: TransactionId
  readonly amount: Money
  /** Person who allocates; null for the service. */
  readonly by: string | null
  /** Reference by which the service recognized the invoice. */
  readonly matched?: string
  readonly paidAt?: string | undefined
}

/** Allocates to an open invoice, which the caller has locked. Refuses `not_found` and `allocation_exceeds`. */
export async function allocate(tx: Tx, invoice: LockedInvoice, given: New): Promise<void> {
  const { id, transactionId, amount, by, matched, paidAt } = given
  const { currency } = invoice
  const left = await leftOf(tx, transactionId, currency)
  const due = dueOf(invoice)
  const available = compare(left, due) < 0 ? left : due
  if (compare(amount, available) > 0 || isZero(amount)) {
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
  const early = await findEarlyPayment(tx, {
    ...invoice,
    allocated: add(moneyOf(invoice.allocated, currency), amount).amount,
  })
  const isPaid = compare(amount, due) === 0 || early !== undefined
  await wakeCandidates(tx, { invoiceId: isPaid ? invoice.id : null, transactionId })
  if (!isPaid) return sumUp(tx, invoice.id)
  await transition(tx, invoiceMoves, invoice.id, {
    events: ['pay'],
    cause,
    set: sql`allocated = ${sumAllocated(invoice.id)}, paid_at = coalesce(${paidAt ?? null}::timestamptz,
        ${latestPosting(invoice.id)}), completed_at = coalesce(completed_at, business_now()),
      ${settlement(invoice, early)}`,
    payload: {
      elsewhere: false,
      transaction_id: transactionId,
      paid_at: paidAt ?? null,
      ...(isEarly(invoice, early) && { settled_by: 'early_payment' as const }),
    },
  })
}

/**
 * Finds the discount by which the allocations of an open invoice settle it: they come to what it offers, and the latest
 * was posted in time, in the organization's time zone.
 */
export async function findEarlyPayment(tx: Tx, invoice: LockedInvoice): Promise<EarlyOffer | undefined> {
  const offers = earlyOffers(invoice).filter(({ payable }) => isZero(moneyOf(payable, invoice.currency)))
  if (offers.length === 0) return undefined
  const day = await latestDay(tx, invoice.id)
  return offers.find(({ until }) => day <= until)
}

/** Reads the day of the latest posting that pays an invoice, `more` included. */
async function latestDay(tx: Tx, id: InvoiceId, more: TransactionId | null = null): Promise<string> {
  const [row] = await tx<{ day: string | null }[]>`
    select local_date(${tx.organizationId}, greatest(${latestPosting(id)},
      (select posted_at from transactions where id = ${more}))) as day`
  return row?.day ?? NEVER
}
/** A day after all others: what was not posted is not in time. */
const NEVER = '9999-12-31'

/** Tells if a discount settles an invoice: one that was taken in time, or that a person accepted. */
export const isEarly = ({ early_percentage: accepted }: LockedInvoice, taken?: EarlyOffer): boolean =>
  taken !== undefined || accepted !== null

/** Assigns the columns that say by which discount an invoice is paid; `early_percentage` of an open one was accepted. */
export const settlement = (invoice: LockedInvoice, taken?: EarlyOffer): Fragment => sql`
  settled_by = ${isEarly(invoice, taken) ? 'early_payment' : null},
  early_percentage = ${taken?.percentage ?? invoice.early_percentage}`

/** Wakes proposed incoming payments after their rest, or a candidate's state, changed. */
export async function wakeCandidates(
  tx: Tx,
  { invoiceId, transactionId = '' }: { readonly invoiceId: InvoiceId | null; readonly transactionId?: string },
): Promise<void> {
  const asked = await tx<{ id: string }[]>`
    select id from incoming_payments where organization_id = ${tx.organizationId} and candidates <> '{}'
      and (${invoiceId}::uuid = any (candidates) or id::text = ${transactionId})`
  if (asked.length > 0) wake(tx, incomingPaymentFlow, { ids: asked.map(({ id }) => id), why: 'candidates_changed' })
}

const sumAllocated = (id: InvoiceId): Fragment => sql`(
  select coalesce(sum(amount), 0) from invoice_allocations where invoice_id = ${id} and ${stand()})`

const latestPosting = (id: InvoiceId): Fragment => sql`(
  select max(t.posted_at) from invoice_allocations join transactions t on t.id = invoice_allocations.transaction_id
  where invoice_allocations.invoice_id = ${id} and ${stand()})`

/** Writes the sum of the allocations. A paid invoice that they do not cover is settled by its credit notes. */
async function sumUp(tx: Tx, id: InvoiceId, isPaid = false): Promise<void> {
  const settled = sql`case when ${isPaid} and settled_by = 'early_payment' then settled_by
    when ${isPaid} and paid_elsewhere_at is null and ${sumAllocated(id)} < coalesce(accepted_amount, total) then 'credit' end`
  await tx`
    update invoices set allocated = ${sumAllocated(id)}, settled_by = ${settled}, updated_at = business_now()
    where id = ${id}`
}

type Incoming = Readonly<Record<'amount' | 'currency' | 'status' | 'direction', string>>

/**
 * Locks a transaction for its allocations, and computes its remaining amount. Refuses `not_found`, and
 * `allocation_exceeds` for one that pays nothing in this currency.
 */
export async function leftOf(tx: Tx, id: TransactionId, currency: string): Promise<Money> {
  const [row] = await tx<Incoming[]>`
    select amount, currency, status, direction from transactions
    where id = ${id} and discarded_at is null for no key update`
  const [taken] = await tx<{ amount: string }[]>`
    select coalesce(sum(amount), 0) as amount from invoice_allocations where transaction_id = ${id} and ${stand()}`
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

/** Takes an allocation back: an invoice that is not paid any more has the state from before. Refuses `not_found`. */
export async function takeBackAllocation(
  tx: Tx,
  { person, own }: { readonly person: Person; readonly own: OwnOnly },
  { invoiceId, id }: { readonly invoiceId: InvoiceId; readonly id: AllocationId },
): Promise<void> {
  const invoice = await lockInvoice(tx, invoiceId, own)
  const [taken] = await tx<{ transaction_id: string; amount: string }[]>`
    update invoice_allocations set taken_back_at = business_now(), taken_back_by = ${person.userId}
    where id = ${id} and invoice_id = ${invoiceId} and ${stand()} returning transaction_id, amount`
  if (!taken) refuse('not_found')
  const { currency } = invoice
  const { transaction_id: transactionId } = taken
  const amount = formatAmount(taken.amount, currency)
  const cause = `allocation:${id}:back`
  await record(tx, invoiceEvents.allocation_taken_back, {
    subjectId: invoiceId,
    cause,
    payload: { allocation_id: id, transaction_id: transactionId, amount, currency },
  })
  const allocated = subtract(moneyOf(invoice.allocated, currency), { amount, currency }).amount
  const due = dueOf({ ...invoice, status: 'sent', allocated })
  const opens = invoice.status === 'paid' && !isZero(due)
  await wakeCandidates(tx, { invoiceId: opens ? invoiceId : null, transactionId })
  if (opens) await reopen(tx, invoice, { cause, due })
  else await sumUp(tx, invoiceId, invoice.status === 'paid')
}

/** Opens a paid invoice, which the caller has locked, in the state from before it was paid. */
async function reopen(
  tx: Tx,
  { id, finalized_at: finalizedAt }: LockedInvoice,
  { cause, due }: { readonly cause: string; readonly due: Money },
): Promise<void> {
  await transition(tx, invoiceMoves, id, {
    events: [finalizedAt === null ? 'reopen' : 'reopen_finalized'],
    cause,
    set: sql`allocated = ${sumAllocated(id)}, paid_at = null, paid_elsewhere_at = null, paid_elsewhere_amount = null,
      settled_by = null, completed_at = finalized_at,
      early_percentage = case when accepted_amount < total then early_percentage end`,
    payload: { due_amount: due.amount, currency: due.currency },
  })
}

/**
 * Allocates money that pays an invoice for certain; the caller has locked the invoice. One that a person marked as paid
 * elsewhere is opened first, so that only this money pays it. Refuses `not_found` and `allocation_exceeds`.
 */
export async function allocateCertain(tx: Tx, invoice: LockedInvoice, given: New): Promise<void> {
  if (invoice.status !== 'paid') return allocate(tx, invoice, given)
  const open = { ...invoice, status: invoice.finalized_at === null ? ('sent' as const) : ('finalized' as const) }
  await reopen(tx, invoice, { cause: `allocation:${given.id}:instead`, due: dueOf(open) })
  await allocate(tx, open, given)
}

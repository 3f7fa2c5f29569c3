/** Settlement of payments by service ID: both legs, status, both feed rows, or none of it. */
import { postedRows } from '../ledger/feed.ts'
import { type Transfer, available, credit, debit, held, post } from '../ledger/ledger.ts'
import type { OrganizationId, PaymentId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { PaymentStatus } from '../../domain/flows/payment.ts'
import { paymentMoves } from '../../domain/payments/events.ts'
import { feedRow } from './payout-postings.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'

/** What a payment by service ID moves, and whether its payee can take it. */
export type Transferring = {
  id: PaymentId
  payee: OrganizationId
  payee_can_receive: boolean
  amount: string
  currency: string
}
type Settling = Transferring & { status: PaymentStatus }

export type Settled = { id: PaymentId; status: PaymentStatus }

/**
 * Moves submitted payments of one organization to succeeded, or to failed with their money released if the payee is
 * gone: one lock of all rows, one posting, whether it is one payment or a page of them. A payment that is past this
 * answers the state that it reached.
 */
export async function settleInternally(tx: Tx, ids: readonly PaymentId[]): Promise<Settled[]> {
  const rows = await tx<Settling[]>`
    select id, status, payee_organization_id as payee, can_receive(payee_organization_id) as payee_can_receive,
      deducting_amount as amount, deducting_currency as currency
    from payments where id = any (${[...ids]}) and rail = 'svc_id' order by id for update`
  const submitted = rows.filter((row) => row.status === 'submitted')
  const settling = submitted.filter((row) => row.payee_can_receive)
  const failing = submitted.filter((row) => !row.payee_can_receive)
  const idsOf = (some: Settling[]) => some.map((row) => row.id)
  if (submitted.length > 0) {
    await Promise.all([
      settling.length > 0 &&
        transition(tx, paymentMoves, idsOf(settling), {
          events: ['accept', 'settle'],
          cause: settleKey,
          set: sql`status_detail = 'settled', transaction_id = feed_id`,
        }),
      failing.length > 0 &&
        transition(tx, paymentMoves, idsOf(failing), {
          events: ['fail'],
          cause: releaseKey,
          set: sql`status_detail = 'payee unavailable'`,
        }),
      post(
        tx,
        [...settling.map((row) => settlement(tx, row)), ...failing.map((row) => release(tx, row))],
        // joined with nothing, the postings would never be evaluated
        settling.length > 0 ? (postings) => feed(tx, postings, idsOf(settling)) : undefined,
      ),
    ])
  }
  const failed = new Set(idsOf(failing))
  return rows.map(({ id, status }) => ({
    id,
    status: status === 'submitted' ? (failed.has(id) ? 'failed' : 'succeeded') : status,
  }))
}

/**
 * Submits a payment that was just approved and settles it in the same instant: reserve and both legs in one posting.
 * One whose payee is gone fails, with its money released. Answers its status detail then. Refuses `insufficient_funds`,
 * which leaves it as it was.
 */
export async function settleApproved(tx: Tx, payment: Transferring, cause: string): Promise<string> {
  const { id, payee_can_receive: settles } = payment
  const detail = settles ? 'settled' : 'payee unavailable'
  await Promise.all([
    transition(tx, paymentMoves, id, {
      events: settles ? ['submit', 'accept', 'settle'] : ['submit', 'fail'],
      cause,
      set: sql`status_detail = ${detail} ${settles ? sql`, transaction_id = feed_id` : sql``}`,
    }),
    post(
      tx,
      [reserve(tx, payment), settles ? settlement(tx, payment) : release(tx, payment)],
      settles ? (postings) => feed(tx, postings, [id]) : undefined,
    ),
  ])
  return detail
}

const settleKey = (id: string): string => `payment:${id}:settle`
const releaseKey = (id: string): string => `payment:${id}:release`
const sumOf = ({ amount, currency }: { amount: string; currency: string }): Money => moneyOf(amount, currency)

/** Takes a payment's money aside: what is deducted is held until it is paid or given back. */
export const reserve = (tx: Tx, row: { id: PaymentId; amount: string; currency: string }): Transfer => ({
  key: `payment:${row.id}:reserve`,
  organizationId: tx.organizationId,
  legs: [debit(available(tx.organizationId), sumOf(row)), credit(held(tx.organizationId), sumOf(row))],
})

/** Pays what is held for a payment by service ID to its payee. */
export const settlement = (tx: Tx, row: Omit<Transferring, 'payee_can_receive'>): Transfer => ({
  key: settleKey(row.id),
  organizationId: tx.organizationId,
  legs: [debit(held(tx.organizationId), sumOf(row)), credit(available(row.payee), sumOf(row))],
})

const release = (tx: Tx, row: Transferring): Transfer => ({
  key: releaseKey(row.id),
  organizationId: tx.organizationId,
  legs: [debit(held(tx.organizationId), sumOf(row)), credit(available(tx.organizationId), sumOf(row))],
})

/** The payer's and the payee's row of each settled payment, with the running total that its posting left. */
export function feed(tx: Tx, postings: Fragment, settled: readonly PaymentId[]): Fragment {
  const keys = settled.map(settleKey)
  return sql`
    with posting as materialized (
      select p.*, s.id as payment_id from (${postings}) p
      join unnest(${keys}::text[], ${[...settled]}::uuid[]) s (key, id) on s.key = p.key
    ), mine as (
      ${postedRows(tx, { ...feedRow('payment'), id: sql`p.feed_id` }, sql`join payments p on p.id = posting.payment_id`)}
    ), theirs as (
      select array_agg(payment_id) as ids, array_agg(total) as totals, array_agg(posted_at) as instants,
        array_agg(feed_seq) as seqs
      from posting where organization_id <> ${tx.organizationId}
    )
    select feed_payees(ids, totals, instants, seqs) from theirs where ids is not null`
}

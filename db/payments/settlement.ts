/** Settlement of payments by service ID: both legs, status, both feed rows, or none of it. */
import { noteIncomingPayments } from '../incoming-payments/noting.ts'
import { postedRows } from '../ledger/feed.ts'
import { type Transfer, available, credit, debit, held, post } from '../ledger/ledger.ts'
import type { OrganizationId, PaymentId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { movePayments } from './moves.ts'
import { feedRow } from './payout-postings.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'

/** The transfer of a payment by service ID, and whether its payee can receive it. */
export type Transferring = {
  id: PaymentId
  payee: OrganizationId
  payee_can_receive: boolean
  amount: string
  currency: string
}

type Settlement = {
  /** They were approved in this instant, and are submitted first. */
  readonly submits?: boolean
  /** The cause of each in the log; the key of its own posting by default. */
  readonly cause?: (id: string) => string
  /** Their postings, payOrRelease() of each, in their order; those of other payments may be among them. */
  readonly transfers: readonly Transfer[]
  /** False if none of them has a run that has to see it. */
  readonly wakes?: boolean
}

/**
 * Settles payments by service ID of one organization, a page or one, in one posting; one whose payee is gone fails, and
 * its money is released. The caller has locked them. Refuses `insufficient_funds`, which leaves all as they were.
 */
export async function settle(
  tx: Tx,
  payments: readonly Transferring[],
  { submits = false, cause, transfers, wakes = true }: Settlement,
): Promise<void> {
  const idsOf = (settles: boolean) =>
    payments.filter((payment) => payment.payee_can_receive === settles).map(({ id }) => id)
  const [settling, failing] = [idsOf(true), idsOf(false)]
  // before accounts are locked: what a payment leaves unpaid is locked too
  if (failing.length > 0) {
    await movePayments(tx, failing, {
      events: submits ? ['submit', 'fail'] : ['fail'],
      cause: cause ?? releaseKey,
      set: sql`status_detail = ${PAYEE_UNAVAILABLE}`,
      wakes,
    })
  }
  // sent at once: what moves no row is not sent
  await Promise.all([
    settling.length > 0 &&
      movePayments(tx, settling, {
        events: submits ? ['submit', 'accept', 'settle'] : ['accept', 'settle'],
        cause: cause ?? settleKey,
        set: sql`status_detail = ${SETTLED}, transaction_id = feed_id`,
        wakes,
      }),
    // joined with nothing, the postings would never be evaluated
    post(tx, transfers, settling.length > 0 ? (postings) => feed(tx, postings, settling) : undefined),
  ])
}

const SETTLED = 'settled'
const PAYEE_UNAVAILABLE = 'payee unavailable'

/** Names the status detail of a payment once it is settled. */
export const detailOf = ({ payee_can_receive: settles }: Transferring): string =>
  settles ? SETTLED : PAYEE_UNAVAILABLE

/** Transfers the held money of a payment by service ID to its payee, or back if that is gone. */
export const payOrRelease = (tx: Tx, payment: Transferring): Transfer =>
  payment.payee_can_receive ? settlement(tx, payment) : release(tx, payment)

const settleKey = (id: string): string => `payment:${id}:settle`
const releaseKey = (id: string): string => `payment:${id}:release`
const sumOf = ({ amount, currency }: { amount: string; currency: string }): Money => moneyOf(amount, currency)

/** Takes a payment's money aside: what is deducted is held until it is paid or given back. */
export const reserve = (tx: Tx, row: { id: PaymentId; amount: string; currency: string }): Transfer => ({
  key: `payment:${row.id}:reserve`,
  organizationId: tx.organizationId,
  legs: [debit(available(tx.organizationId), sumOf(row)), credit(held(tx.organizationId), sumOf(row))],
})

const settlement = (tx: Tx, row: Transferring): Transfer => ({
  key: settleKey(row.id),
  organizationId: tx.organizationId,
  legs: [debit(held(tx.organizationId), sumOf(row)), credit(available(row.payee), sumOf(row))],
})

const release = (tx: Tx, row: Transferring): Transfer => ({
  key: releaseKey(row.id),
  organizationId: tx.organizationId,
  legs: [debit(held(tx.organizationId), sumOf(row)), credit(available(tx.organizationId), sumOf(row))],
})

/** Writes the payer's and the payee's row of each settled payment, with the total that its posting left. */
function feed(tx: Tx, postings: Fragment, settled: readonly PaymentId[]): Fragment {
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
    select ${noteIncomingPayments(sql`feed_payees(ids, totals, instants, seqs)`)} from theirs where ids is not null`
}

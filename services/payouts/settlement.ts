/** Moves payments and their money: status, postings and rows of the feed, in one transaction. */
import type { PayloadOf } from '../../domain/event-type.ts'
import { finalStates } from '../../domain/flow.ts'
import { type PaymentState, paymentFlow } from '../../domain/payments/flow.ts'
import type { OrganizationId, PaymentId } from '../../domain/ids.ts'
import { type Money, moneyOf, subtract } from '../../domain/money/money.ts'
import { paymentMoves } from '../../domain/payments/events.ts'
import type { PaymentEvent, TransferPart } from '../../domain/payments/payout.ts'
import { noteIncomingPayments } from '../incoming-payments/noting.ts'
import { type FeedRow, pendingRows, insertPosted } from '../ledger/feed.ts'
import { type Transfer, available, credit, debit, held, post } from '../ledger/ledger.ts'
import { reopenBills } from '../paid-bills/reopening.ts'
import { inOrder } from '../../db/postgres/pipeline.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { type Move, transition } from '../../db/processes/transition.ts'

/** Statuses of payments that have ended without having paid: as `has_ended_unpaid()` says in SQL. */
const UNPAID = finalStates(paymentFlow)

type Types = (typeof paymentMoves)['types']

/** Moves payments along their flow, and reopens bills that they leave unpaid: the only way. Refuses as transition(). */
export async function movePayments<Happening extends PaymentEvent>(
  tx: Tx,
  target: string | readonly string[],
  move: Move<Happening, PayloadOf<Types[Happening]>>,
): Promise<void> {
  await transition(tx, paymentMoves, target, move)
  const [first] = move.events
  const last = move.events.at(-1) ?? first
  if (!UNPAID.includes(paymentFlow.events[last].to)) return
  const from: readonly PaymentState[] = paymentFlow.events[first].from
  const waited = from.some((state) => state === 'awaiting_approval' || state === 'scheduled')
  await reopenBills(tx, [target].flat(), { waited })
}

type Reversal = NonNullable<PayloadOf<Types['reverse']>>
type Return = {
  /** Part that came back, if that is less than was sent. */
  readonly returned: Money | null
  /** Update that says so; null if operators have booked it. */
  readonly word: Reversal | null
}

/** Moves a payment by what its partner says. A short return has its amounts in the event of the reversal alone. */
export async function moveReturned(
  tx: Tx,
  { id, landing_amount: amount, landing_currency: currency }: Delivery,
  move: Move<PaymentEvent, PayloadOf<Types['fail']>> & { readonly set: Fragment },
  { returned, word }: Return,
): Promise<void> {
  if (!returned) return movePayments(tx, id, move)
  const { events, set, ...reason } = move
  const [first, ...rest] = events.filter((event) => event !== 'reverse')
  if (first) await movePayments(tx, id, { events: [first, ...rest], ...reason })
  const payload = word && { ...word, returned, charges: subtract(moneyOf(amount, currency), returned) }
  await movePayments(tx, id, { events: ['reverse'], set, cause: reason.cause, payload })
}

type Delivery = { readonly id: PaymentId; readonly landing_amount: string; readonly landing_currency: string }

/** A payment whose money is held, or is to be. `payee` is null if a partner pays it. */
export type PaymentToSettle = {
  readonly id: PaymentId
  readonly amount: string
  readonly currency: string
  readonly payee: OrganizationId | null
  readonly payee_can_receive: boolean
}

/** Outcome of settle(): paid, money released, or left to the run that asks its partner. */
type Outcome = 'settle' | 'release' | 'leave'

const DETAILS: Readonly<Record<Outcome, string>> = {
  settle: 'settled',
  release: 'payee unavailable',
  leave: 'approved',
}

function outcomeOf({ payee, payee_can_receive: receives }: PaymentToSettle): Outcome {
  if (payee === null) return 'leave'
  return receives ? 'settle' : 'release'
}

/** Names the status detail of a payment after settle(). */
export const detailOf = (payment: PaymentToSettle): string => DETAILS[outcomeOf(payment)]

type Settlement = {
  /** They wait for approval, or for their day, and are submitted in this instant. */
  readonly submits?: boolean
  /** Their money is not held yet: it is, in the same posting. */
  readonly reserves?: boolean
  /** Cause of each in the log; the key of its own posting by default. */
  readonly cause?: (id: string) => string
  /** False if none of them has a run that has to see it. */
  readonly wakes?: boolean
}

/**
 * Settles payments of one organization, a page or one, in one posting. Those by service ID are paid, or fail if the
 * payee is gone; those that are reserved for a partner become pending in the feed. The caller has locked them. Refuses
 * `insufficient_funds`, which leaves all as they were.
 */
export async function settle(
  tx: Tx,
  payments: readonly PaymentToSettle[],
  { submits = false, reserves = submits, cause, wakes = true }: Settlement = {},
): Promise<void> {
  const idsOf = (outcome: Outcome) => payments.filter((one) => outcomeOf(one) === outcome).map(({ id }) => id)
  const move = async (outcome: Outcome, ...along: PaymentEvent[]) => {
    const ids = idsOf(outcome)
    const [event, ...events] = submits ? (['submit', ...along] as const) : along
    if (!event || ids.length === 0) return
    const feedId = outcome === 'release' ? sql`transaction_id` : sql`feed_id`
    await movePayments(tx, ids, {
      events: [event, ...events],
      cause: cause ?? ((id) => keyOf(id, outcome)),
      set: sql`status_detail = ${DETAILS[outcome]}, transaction_id = ${feedId}`,
      wakes,
    })
  }
  // first, before accounts are locked: bills that they leave unpaid are locked too
  await move('release', 'fail')
  const transfers = payments.flatMap((payment) => [
    ...(reserves ? [reserve(tx, payment)] : []),
    ...payOrRelease(tx, payment),
  ])
  await inOrder([
    move('settle', 'accept', 'settle'),
    move('leave'),
    post(tx, transfers, (postings) => feed(tx, postings, idsOf('settle'), reserves ? idsOf('leave') : [])),
  ])
}

/** Names the posting of a part of a payment. */
export const keyOf = (id: string, part: Outcome | TransferPart | 'reserve'): string => `payment:${id}:${part}`

/** Takes a payment's money aside: what is deducted is held until it is paid or given back. */
export const reserve = (
  tx: Tx,
  { id, amount, currency }: Pick<PaymentToSettle, 'id' | 'amount' | 'currency'>,
): Transfer => {
  const money = moneyOf(amount, currency)
  const legs = [debit(available(tx.organizationId), money), credit(held(tx.organizationId), money)]
  return { key: keyOf(id, 'reserve'), organizationId: tx.organizationId, legs }
}

/** Transfers the held money of a payment by service ID to its payee, or back if that is gone; none of a partner's. */
function payOrRelease(tx: Tx, payment: PaymentToSettle): Transfer[] {
  const { id, payee } = payment
  if (payee === null) return []
  const money = moneyOf(payment.amount, payment.currency)
  const outcome = outcomeOf(payment)
  const receiver = outcome === 'settle' ? payee : tx.organizationId
  const legs = [debit(held(tx.organizationId), money), credit(available(receiver), money)]
  return [{ key: keyOf(id, outcome), organizationId: tx.organizationId, legs }]
}

/**
 * Writes the feed: the payer's and the payee's row of each settled payment, with the total that its posting left; and
 * pending rows of those that leave through a partner, of each itself and of its fee.
 */
function feed(tx: Tx, postings: Fragment, settled: readonly PaymentId[], leaving: readonly PaymentId[]): Fragment {
  const keys = settled.map((id) => keyOf(id, 'settle'))
  const money = { amount: sql`part.amount`, currency: sql`p.deducting_currency` }
  const pending = { ...feedRow(sql`part.type`), ...money, id: sql`part.id`, direction: 'out' } as const
  const parts = sql`
    from payments p, lateral (values (p.feed_id, 'payment', p.deducting_amount - p.fee_amount),
      (p.fee_feed_id, 'fee', p.fee_amount)) part (id, type, amount)
    where p.id = any (${[...leaving]}) and part.id is not null`
  // a left join: joined with nothing, the postings would never be evaluated
  return sql`
    with posting as materialized (
      select p.*, s.id as payment_id from (${postings}) p
      left join unnest(${keys}::text[], ${[...settled]}::uuid[]) s (key, id) on s.key = p.key
    ), pending as (
      ${pendingRows(tx, pending, parts)}
    ), mine as (
      ${insertPosted(tx, { ...feedRow('payment'), id: sql`p.feed_id` }, sql`join payments p on p.id = posting.payment_id`)}
    ), theirs as (
      select array_agg(payment_id) as ids, array_agg(total) as totals, array_agg(posted_at) as instants,
        array_agg(feed_seq) as seqs
      from posting where organization_id <> ${tx.organizationId} and payment_id is not null
    )
    select ${noteIncomingPayments(sql`feed_payees(ids, totals, instants, seqs)`)} from theirs where ids is not null`
}

/** Describes the payment `p` in a row of the feed. */
export const feedRow = (type: FeedRow['type']): FeedRow => ({
  type,
  counterparty: sql`p.destination_name`,
  description: sql`p.statement_description`,
  paymentId: sql`p.id`,
  contactId: sql`p.payment_contact_id`,
  billId: sql`p.bill_id`,
  createdBy: sql`p.created_by`,
})

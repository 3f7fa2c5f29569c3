/** What a payment through a partner moves in the books and in the feed, event by event. */
import { type FeedRow, discardRows, pendingRows, postPending, postedRows } from '../ledger/feed.ts'
import { type Transfer, available, credit, debit, held, system } from '../ledger/ledger.ts'
import type { PaymentId } from '../model/ids.ts'
import { moneyOf, subtract } from '../model/money/money.ts'
import type { PaymentEvent } from '../model/payments/payout.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'
import { type PartnerRail, clearingOf, partnerOf } from '../model/rails.ts'

/** What is paid, what arrives, what is charged, and where it stands in the feed. */
export type Paid = {
  readonly id: PaymentId
  readonly rail: PartnerRail
  readonly deducting_amount: string
  readonly deducting_currency: string
  readonly landing_amount: string
  readonly landing_currency: string
  readonly fee_amount: string
  readonly feed_id: string
  readonly fee_feed_id: string | null
}

/** Its money is given back, and it has no row in the feed any more. */
export const comesToNothing = (event: PaymentEvent): boolean => event === 'fail' || event === 'confirm_cancel'

const keyOf = (row: Paid, part: 'settle' | 'fee' | 'reverse' | 'release'): string => `payment:${row.id}:${part}`

/** What the events of a path move, in their order. */
export function transfersOf(tx: Tx, row: Paid, path: readonly PaymentEvent[]): Transfer[] {
  const [mine, fee] = [available(tx.organizationId), moneyOf(row.fee_amount, row.deducting_currency)]
  const whole = moneyOf(row.deducting_amount, row.deducting_currency)
  const net = subtract(whole, fee)
  const outside = system(clearingOf(partnerOf(row.rail)))
  const landing = moneyOf(row.landing_amount, row.landing_currency)
  const exchanged = net.currency !== landing.currency
  const at = { organizationId: tx.organizationId }
  return path.flatMap((event): Transfer[] => {
    if (comesToNothing(event)) {
      return [{ ...at, key: keyOf(row, 'release'), legs: [debit(held(tx.organizationId), whole), credit(mine, whole)] }]
    }
    if (event === 'settle') {
      const across = [credit(system('fx'), net), debit(system('fx'), landing)]
      const paid = [debit(held(tx.organizationId), net), ...(exchanged ? across : []), credit(outside, landing)]
      const charged = [debit(held(tx.organizationId), fee), credit(system('fees'), fee)]
      return [
        { ...at, key: keyOf(row, 'settle'), legs: paid },
        ...(row.fee_feed_id ? [{ ...at, key: keyOf(row, 'fee'), legs: charged }] : []),
      ]
    }
    if (event !== 'reverse') return []
    const back = [credit(system('fx'), landing), debit(system('fx'), net)]
    const legs = [debit(outside, landing), ...(exchanged ? back : []), credit(mine, net)]
    return [{ ...at, key: keyOf(row, 'reverse'), legs }] // what was charged for it stays charged
  })
}

/** What a row of the feed tells of the payment `p`. */
export const feedRow = (type: FeedRow['type']): FeedRow => ({
  type,
  counterparty: sql`p.destination_name`,
  description: sql`p.statement_description`,
  paymentId: sql`p.id`,
  contactId: sql`p.payment_contact_id`,
  createdBy: sql`p.created_by`,
})

/** The pending rows of payment and fee take their place in the feed; what came back gets a row of its own. */
export function postedFeed(tx: Tx, postings: Fragment, row: Paid): Fragment {
  const pending = sql`
    (t.id, posting.key) in ((${row.feed_id}, ${keyOf(row, 'settle')}), (${row.fee_feed_id}, ${keyOf(row, 'fee')}))`
  const reversed = sql`join payments p on p.id = ${row.id} and posting.key = ${keyOf(row, 'reverse')}`
  return sql`
    with posting as materialized (${postings}), posted as (${postPending(tx, pending)})
    ${postedRows(tx, feedRow('reversal'), reversed)}`
}

/** What is pending in the feed of a payment that was submitted: it itself, and what is charged for it. */
export async function writePendingFeed(tx: Tx, id: PaymentId): Promise<void> {
  const money = { amount: sql`part.amount`, currency: sql`p.deducting_currency` }
  const row = { ...feedRow(sql`part.type`), ...money, id: sql`part.id`, direction: 'out' } as const
  const parts = sql`
    from payments p, lateral (values (p.feed_id, 'payment', p.deducting_amount - p.fee_amount),
      (p.fee_feed_id, 'fee', p.fee_amount)) part (id, type, amount)
    where p.id = ${id} and part.id is not null`
  await tx`${pendingRows(tx, row, parts)}`
}

/** Nothing of it is pending in the feed any more. */
export const discardFeed = (tx: Tx, { id }: Paid): Promise<unknown> => tx`${discardRows(tx, sql`t.payment_id = ${id}`)}`

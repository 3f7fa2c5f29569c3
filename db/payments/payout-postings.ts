/** What a payment through a partner moves in the books and in the feed, part by part. */
import { v5 } from 'uuid'
import { type NewCover, type Opened, openingLegs } from '../covers/covers.ts'
import { adjustmentKey } from '../ledger/adjustments.ts'
import { type FeedRow, discardRows, pendingRows, postPending, postedRows } from '../ledger/feed.ts'
import { type Leg, type Transfer, available, credit, debit, held, system } from '../ledger/ledger.ts'
import type { AdjustmentId, CoverId, PaymentId } from '../../domain/ids.ts'
import { moneyOf, subtract } from '../../domain/money/money.ts'
import type { TransferPart } from '../../domain/payments/payout-plan.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'
import { type PartnerRail, RAIL } from '../../domain/rails.ts'

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
  /** What is exchanged was worth so many US dollars when it was quoted; null if nothing is. */
  readonly value_usd: string | null
}

const keyOf = (row: Paid, part: TransferPart): string => `payment:${row.id}:${part}`

/** What these parts move, in their order. */
export function transfersOf(tx: Tx, row: Paid, parts: readonly TransferPart[]): Transfer[] {
  const [mine, reserved] = [available(tx.organizationId), held(tx.organizationId)]
  const { whole, fee, net, landing } = amountsOf(row)
  const outside = system(RAIL[row.rail].clearing)
  const across = (part: TransferPart): Leg[] => {
    const opened = openedBy(row, part)
    return opened ? openingLegs(opened) : []
  }
  const legs: Readonly<Record<TransferPart, readonly Leg[]>> = {
    settle: [debit(reserved, net), ...across('settle'), credit(outside, landing)],
    fee: [debit(reserved, fee), credit(system('fees'), fee)],
    reverse: [debit(outside, landing), ...across('reverse'), credit(mine, net)],
    release: [debit(reserved, whole), credit(mine, whole)],
  }
  return parts.map((part) => ({ organizationId: tx.organizationId, key: keyOf(row, part), legs: legs[part] }))
}

/** `net` is what is left of the whole less the fee; that lands, exchanged if it is another currency. */
function amountsOf(row: Paid) {
  const whole = moneyOf(row.deducting_amount, row.deducting_currency)
  const fee = moneyOf(row.fee_amount, row.deducting_currency)
  const landing = moneyOf(row.landing_amount, row.landing_currency)
  return { whole, fee, net: subtract(whole, fee), landing }
}

/** What a part opens in our own position; null if it exchanges nothing. A reversal opens the opposite. */
function openedBy(row: Paid, part: TransferPart): Opened | null {
  const { net, landing } = amountsOf(row)
  if (net.currency === landing.currency) return null
  if (part === 'settle') return { sell: net, buy: landing }
  return part === 'reverse' ? { sell: landing, buy: net } : null
}

const COVERS_NAMESPACE = 'b0a6b5a2-0c0f-4a57-9d6c-2f6a3f1f8a1e'

/**
 * What these parts give us to cover. The trade of a settlement has the id of the payment, and that of a reversal the id
 * of its own cover, which is derived.
 */
export function coversOf(row: Paid, parts: readonly TransferPart[]): NewCover[] {
  return parts.flatMap((part) => {
    const opened = openedBy(row, part)
    if (!opened) return []
    if (row.value_usd === null) throw new Error(`payment ${row.id} exchanges currencies, and has no value`)
    const transferKey = keyOf(row, part)
    const id = v5(transferKey, COVERS_NAMESPACE) as CoverId // this is where its kind is given
    return {
      id,
      tradeId: part === 'settle' ? row.id : id,
      transferKey,
      openedBy: row.id,
      valueUsd: row.value_usd,
      ...opened,
    }
  })
}

/** What a row of the feed tells of the payment `p`. */
export const feedRow = (type: FeedRow['type']): FeedRow => ({
  type,
  counterparty: sql`p.destination_name`,
  description: sql`p.statement_description`,
  paymentId: sql`p.id`,
  contactId: sql`p.payment_contact_id`,
  billId: sql`p.bill_id`,
  createdBy: sql`p.created_by`,
})

/**
 * The pending rows of payment and fee take their place in the feed; what came back, or was given back by an adjustment,
 * gets a row of its own.
 */
export function postedFeed(tx: Tx, postings: Fragment, row: Paid, adjustmentId?: AdjustmentId): Fragment {
  const pending = sql`
    (t.id, posting.key) in ((${row.feed_id}, ${keyOf(row, 'settle')}), (${row.fee_feed_id}, ${keyOf(row, 'fee')}))`
  const reverse = keyOf(row, 'reverse')
  const adjustment = adjustmentId ? adjustmentKey(adjustmentId) : null
  const back = sql`join payments p on p.id = ${row.id} and posting.key in (${reverse}, ${adjustment})`
  const type = sql`case posting.key when ${reverse} then 'reversal' else 'refund' end`
  const adjusted = sql`case posting.key when ${adjustment} then ${adjustmentId ?? null}::uuid end`
  return sql`
    with posting as materialized (${postings}), posted as (${postPending(tx, pending)})
    ${postedRows(tx, { ...feedRow(type), adjustmentId: adjusted }, back)}`
}

/** What is pending in the feed of payments that were submitted: each itself, and what is charged for it. */
export async function writePendingFeed(tx: Tx, ids: readonly PaymentId[]): Promise<void> {
  const money = { amount: sql`part.amount`, currency: sql`p.deducting_currency` }
  const row = { ...feedRow(sql`part.type`), ...money, id: sql`part.id`, direction: 'out' } as const
  const parts = sql`
    from payments p, lateral (values (p.feed_id, 'payment', p.deducting_amount - p.fee_amount),
      (p.fee_feed_id, 'fee', p.fee_amount)) part (id, type, amount)
    where p.id = any (${[...ids]}) and part.id is not null`
  await tx`${pendingRows(tx, row, parts)}`
}

/** Nothing of it is pending in the feed any more. */
export const discardFeed = (tx: Tx, { id }: Paid): Promise<unknown> => tx`${discardRows(tx, sql`t.payment_id = ${id}`)}`

/** Postings and feed rows of a payment through a partner, part by part. */
import { v5 } from 'uuid'
import type { AdjustmentId, CoverId, PaymentId } from '../../domain/ids.ts'
import { type Money, isZero, moneyOf, subtract } from '../../domain/money/money.ts'
import type { TransferPart } from '../../domain/payments/payout.ts'
import { type Charge, describeShortReturn, refundOf, shareOf } from '../../domain/payments/returns.ts'
import { type AtConnection, clearingOf, connectionOf } from '../../domain/rails.ts'
import { type NewCover, openCover, openingLegs } from '../covers/covers.ts'
import type { OpenPosition } from '../../domain/covers/trade.ts'
import { adjustmentKey, adjustmentTransfers } from '../ledger/adjustments.ts'
import { type FeedRow, postPending, insertPosted } from '../ledger/feed.ts'
import { type Leg, available, credit, debit, held, post, system } from '../ledger/ledger.ts'
import { chargeTransfers, chargesAccount, writeCharges } from './charges.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { feedRow, keyOf } from './settlement.ts'

/** Amounts of a payment, and its rows of the feed. */
export type PaidPayment = AtConnection & {
  readonly id: PaymentId
  readonly deducting_amount: string
  readonly deducting_currency: string
  readonly landing_amount: string
  readonly landing_currency: string
  readonly fee_amount: string
  readonly feed_id: string
  readonly fee_feed_id: string | null
  /** Value in US dollars of what is exchanged, when it was quoted; null if nothing is. */
  readonly value_usd: string | null
}

const COVERS_NAMESPACE = 'b0a6b5a2-0c0f-4a57-9d6c-2f6a3f1f8a1e'

type Booking = {
  readonly parts: readonly TransferPart[]
  /** Part that came back, if that is less than was sent. */
  readonly returned: Money | null
  readonly charges: readonly Charge[]
  /** Booking of operators beside the parts. */
  readonly adjustment: { readonly id: AdjustmentId; readonly legs: readonly Leg[] } | undefined
  /** Reference of the partner. */
  readonly reference: string | null
}

/** Books parts of a payment, its charges and an adjustment: ledger, feed and covers, each once. */
export async function bookParts(tx: Tx, row: PaidPayment, booked: Booking): Promise<void> {
  const { parts, returned, charges, adjustment, reference } = booked
  const { transfers, covers } = postingsOf(tx, row, parts, returned)
  const adjusted = adjustment ? adjustmentTransfers(tx, adjustment) : []
  const moved = [...transfers, ...chargeTransfers(tx, row, charges), ...adjusted]
  if (moved.length === 0) return
  await post(tx, moved, (postings) => postFeed(tx, postings, row, { returned, adjustmentId: adjustment?.id ?? null }))
  await writeCharges(tx, row, charges, reference)
  for (const cover of covers) await openCover(tx, cover)
}

/**
 * Makes the transfers of these parts, in their order, and the covers of what they exchange. A reversal gives back the
 * part of a payment that came back, and keeps the rest for the partner's charges.
 */
function postingsOf(tx: Tx, row: PaidPayment, parts: readonly TransferPart[], returned: Money | null) {
  const [mine, reserved, outside] = [available(tx.organizationId), held(tx.organizationId), system(clearingOf(row))]
  const whole = moneyOf(row.deducting_amount, row.deducting_currency)
  const fee = moneyOf(row.fee_amount, row.deducting_currency)
  const landing = moneyOf(row.landing_amount, row.landing_currency)
  const net = subtract(whole, fee)
  const back = returned ?? landing
  const [refund, kept] = [refundOf(net, landing, back), subtract(landing, back)]
  const settled = { settle: { sell: net, buy: landing } }
  const exchanged = isZero(back) ? settled : { ...settled, reverse: { sell: back, buy: refund } }
  const opened: Partial<Record<TransferPart, OpenPosition>> = net.currency === landing.currency ? {} : exchanged
  const legs: Readonly<Record<TransferPart, readonly Leg[]>> = {
    settle: [debit(reserved, net), ...openingLegs(opened.settle), credit(outside, landing)],
    fee: [debit(reserved, fee), credit(system('fees'), fee)],
    reverse: [
      debit(outside, landing),
      ...openingLegs(opened.reverse),
      ...(isZero(kept) ? [] : [credit(chargesAccount(connectionOf(row)), kept)]),
      ...(isZero(back) ? [] : [credit(mine, refund)]),
    ],
    release: [debit(reserved, whole), credit(mine, whole)],
  }
  return {
    transfers: parts.map((part) => ({ organizationId: tx.organizationId, key: keyOf(row.id, part), legs: legs[part] })),
    covers: parts.flatMap((part) => {
      const [exchange, value] = [opened[part], part === 'reverse' ? back : landing]
      return exchange ? [coverOf(row, part, exchange, [value, landing])] : []
    }),
  }
}

/**
 * Makes a cover, worth its share of the payment. The trade of a settlement has the payment's id, that of a reversal the
 * derived id of its cover.
 */
function coverOf(row: PaidPayment, part: TransferPart, opened: OpenPosition, share: readonly [Money, Money]): NewCover {
  if (row.value_usd === null) throw new Error(`payment ${row.id} exchanges currencies, and has no value`)
  const transferKey = keyOf(row.id, part)
  const id = v5(transferKey, COVERS_NAMESPACE) as CoverId // this is where its kind is given
  const tradeId = part === 'settle' ? row.id : id
  return { id, tradeId, transferKey, openedBy: row.id, valueUsd: shareOf(row.value_usd, ...share), ...opened }
}

type FeedOf = { readonly returned: Money | null; readonly adjustmentId: AdjustmentId | null }

/** Posts the feed rows of payment and fee; writes those of a reversal or an adjustment. */
function postFeed(tx: Tx, postings: Fragment, row: PaidPayment, { returned, adjustmentId }: FeedOf): Fragment {
  const [settle, fee, reverse] = [keyOf(row.id, 'settle'), keyOf(row.id, 'fee'), keyOf(row.id, 'reverse')]
  const pending = (t: Fragment) =>
    sql`(${t}.id, posting.key) in ((${row.feed_id}, ${settle}), (${row.fee_feed_id}, ${fee}))`
  const adjustment = adjustmentId ? adjustmentKey(adjustmentId) : null
  const back = sql`join payments p on p.id = ${row.id} and posting.key in (${reverse}, ${adjustment})`
  const type = sql`case posting.key when ${reverse} then 'reversal' else 'refund' end`
  const adjusted = sql`case posting.key when ${adjustment} then ${adjustmentId}::uuid end`
  const short = returned && shortRow(row, returned, sql`posting.key = ${reverse}`)
  return sql`
    with posting as materialized (${postings}), posted as (${postPending(tx, pending)})
    ${insertPosted(tx, { ...feedRow(type), adjustmentId: adjusted, ...short }, back)}`
}

/** Names in a reversal how much came back, and what was kept. */
function shortRow(row: PaidPayment, returned: Money, isReversal: Fragment): Pick<FeedRow, 'description' | 'charges'> {
  const sent = moneyOf(row.landing_amount, row.landing_currency)
  const [words, kept] = [` (${describeShortReturn(sent, returned)})`, subtract(sent, returned)]
  return {
    description: sql`p.statement_description || case when ${isReversal} then ${words} else '' end`,
    charges: [
      sql`case when ${isReversal} then ${kept.amount}::numeric end`,
      sql`case when ${isReversal} then ${kept.currency}::text end`,
    ],
  }
}

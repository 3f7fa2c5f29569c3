/** Postings and feed rows of a payment through a partner, part by part. */
import { v5 } from 'uuid'
import type { AdjustmentId, CoverId, PaymentId } from '../../domain/ids.ts'
import { moneyOf, subtract } from '../../domain/money/money.ts'
import type { TransferPart } from '../../domain/payments/payout.ts'
import { type AtConnection, clearingOf } from '../../domain/rails.ts'
import { type NewCover, openingLegs } from '../covers/covers.ts'
import type { OpenPosition } from '../../domain/covers/trade.ts'
import { adjustmentKey } from '../ledger/adjustments.ts'
import { postPending, insertPosted } from '../ledger/feed.ts'
import { type Leg, available, credit, debit, held, system } from '../ledger/ledger.ts'
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

/** Makes the transfers of these parts, in their order, and the covers of what they exchange. */
export function postingsOf(tx: Tx, row: PaidPayment, parts: readonly TransferPart[]) {
  const [mine, reserved, outside] = [available(tx.organizationId), held(tx.organizationId), system(clearingOf(row))]
  const whole = moneyOf(row.deducting_amount, row.deducting_currency)
  const fee = moneyOf(row.fee_amount, row.deducting_currency)
  const landing = moneyOf(row.landing_amount, row.landing_currency)
  const net = subtract(whole, fee)
  const exchanged = { settle: { sell: net, buy: landing }, reverse: { sell: landing, buy: net } }
  const opened: Partial<Record<TransferPart, OpenPosition>> = net.currency === landing.currency ? {} : exchanged
  const legs: Readonly<Record<TransferPart, readonly Leg[]>> = {
    settle: [debit(reserved, net), ...openingLegs(opened.settle), credit(outside, landing)],
    fee: [debit(reserved, fee), credit(system('fees'), fee)],
    reverse: [debit(outside, landing), ...openingLegs(opened.reverse), credit(mine, net)],
    release: [debit(reserved, whole), credit(mine, whole)],
  }
  return {
    transfers: parts.map((part) => ({ organizationId: tx.organizationId, key: keyOf(row.id, part), legs: legs[part] })),
    covers: parts.flatMap((part) => (opened[part] ? [coverOf(row, part, opened[part])] : [])),
  }
}

/** Makes a cover. The trade of a settlement has the payment's id, that of a reversal the derived id of its cover. */
function coverOf(row: PaidPayment, part: TransferPart, opened: OpenPosition): NewCover {
  if (row.value_usd === null) throw new Error(`payment ${row.id} exchanges currencies, and has no value`)
  const transferKey = keyOf(row.id, part)
  const id = v5(transferKey, COVERS_NAMESPACE) as CoverId // this is where its kind is given
  const tradeId = part === 'settle' ? row.id : id
  return { id, tradeId, transferKey, openedBy: row.id, valueUsd: row.value_usd, ...opened }
}

/** Posts the feed rows of payment and fee; writes those of a reversal or an adjustment. */
export function postFeed(tx: Tx, postings: Fragment, row: PaidPayment, adjustmentId?: AdjustmentId): Fragment {
  const [settle, fee, reverse] = [keyOf(row.id, 'settle'), keyOf(row.id, 'fee'), keyOf(row.id, 'reverse')]
  const pending = (t: Fragment) =>
    sql`(${t}.id, posting.key) in ((${row.feed_id}, ${settle}), (${row.fee_feed_id}, ${fee}))`
  const adjustment = adjustmentId ? adjustmentKey(adjustmentId) : null
  const back = sql`join payments p on p.id = ${row.id} and posting.key in (${reverse}, ${adjustment})`
  const type = sql`case posting.key when ${reverse} then 'reversal' else 'refund' end`
  const adjusted = sql`case posting.key when ${adjustment} then ${adjustmentId ?? null}::uuid end`
  return sql`
    with posting as materialized (${postings}), posted as (${postPending(tx, pending)})
    ${insertPosted(tx, { ...feedRow(type), adjustmentId: adjusted }, back)}`
}

/** What a confirmed adjustment moves: one transfer, beside those that take its payment to where the partner is. */
import type { AdjustmentKind, Booking } from './amounts.ts'
import { record } from '../events.ts'
import { adjustmentKey, adjustmentTransfers } from '../ledger/adjustments.ts'
import { noteIncomingPayments } from '../incoming-payments/noting.ts'
import { type FeedRow, postToFeed } from '../ledger/feed.ts'
import { type Account, type Leg, available, system } from '../ledger/ledger.ts'
import { depositEvents } from '../../domain/deposits/events.ts'
import type { AdjustmentId, DepositId, PaymentId } from '../../domain/ids.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import type { PaymentEvent } from '../../domain/payments/payout.ts'
import { type PartnerRail, RAIL, partnerOf } from '../../domain/rails.ts'
import { adjustPayout } from '../payments/steps.ts'
import type { Tx } from '../sql.ts'

type Confirmed = Booking & {
  readonly id: AdjustmentId
  readonly kind: AdjustmentKind
  readonly payment_id: PaymentId | null
  readonly deposit_id: DepositId | null
  readonly reference: string | null
}

/** Books it, and tells the payment's or deposit's own history. */
export async function bookAdjustment(tx: Tx, row: Confirmed, events: readonly PaymentEvent[]): Promise<void> {
  const { id, payment_id: paymentId, deposit_id: depositId } = row
  const told = { cause: adjustmentKey(id), payload: { adjustment_id: id } }
  if (paymentId) {
    await record(tx, paymentEvents.adjusted, { subjectId: paymentId, ...told })
    return bookPayment(tx, row, paymentId, events)
  }
  if (depositId) await record(tx, depositEvents.adjusted, { subjectId: depositId, ...told })
  const legs = legsOf(tx, row, depositId ? await railOf(tx, depositId) : null, row.currency)
  const [transfer] = adjustmentTransfers(tx, { id, legs })
  if (transfer) await postToFeed(tx, transfer, feedRow(row), noteIncomingPayments)
}

async function bookPayment(tx: Tx, row: Confirmed, id: PaymentId, events: readonly PaymentEvent[]): Promise<void> {
  const [payment] = await tx<{ rail: PartnerRail; deducting_currency: string }[]>`
    select rail, deducting_currency from payments where id = ${id}`
  if (!payment) throw new Error('an adjustment refers to its payment')
  const { rail, deducting_currency: feeCurrency } = payment
  const statusDetail = `an operator has booked that the ${partnerOf(rail)} calls it ${row.partner_status}`
  await adjustPayout(tx, id, { id: row.id, events, statusDetail, legs: legsOf(tx, row, rail, feeCurrency) })
}

async function railOf(tx: Tx, id: DepositId): Promise<PartnerRail> {
  const [deposit] = await tx<{ rail: PartnerRail }[]>`select rail from deposits where id = ${id}`
  if (!deposit) throw new Error('an adjustment refers to its deposit')
  return deposit.rail
}

function legsOf(tx: Tx, row: Confirmed, rail: PartnerRail | null, feeCurrency: string): Leg[] {
  const mine = available(tx.organizationId)
  const credits: readonly (readonly [Account, string, string])[] = [
    ...(rail ? [[system(RAIL[rail].clearing), row.clearing, row.currency] as const] : []),
    [system('receivable'), row.receivable, row.currency],
    [system('payable'), row.payable, row.currency],
    [mine, row.available, row.currency],
    [system('fees'), `-${row.refunded_fee}`, feeCurrency],
    [mine, row.refunded_fee, feeCurrency],
  ]
  return credits
    .filter(([, amount]) => Number(amount) !== 0)
    .map(([account, amount, currency]) => ({ ...account, currency, amount: formatAmount(amount, currency) }))
}

/** How the organization sees what it was given, or what was taken from it. */
function feedRow({ id, kind, deposit_id: depositId, reference }: Confirmed): FeedRow {
  const row = { adjustmentId: id, depositId }
  if (kind === 'disbursement') return { ...row, type: 'payment', description: `Paid outside: ${reference}` }
  if (kind === 'collection') return { ...row, type: 'reversal', description: 'What was owed' }
  return { ...row, type: 'deposit', description: 'Came in another amount' }
}

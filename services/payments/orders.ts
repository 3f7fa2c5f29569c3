/** Orders of payments at their partners: what is asked for, and how an order begins. */
import type { ConnectionName } from '../../domain/partner.ts'
import { type SentAddress, selectSent } from '../../domain/destinations/payee-address.ts'
import { type Coordinates, payable } from '../../domain/destinations/destination.ts'
import { refuse } from '../../domain/errors.ts'
import type { SentPayer } from '../../domain/organizations/payer.ts'
import type { PaymentState } from '../../domain/payments/flow.ts'
import { type Pace, type SpeedRow, paceOf } from '../../domain/payments/speed.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { type PartnerRail, connectionOf } from '../../domain/rails.ts'
import { hasUnprocessedCallbacks } from '../../db/processes/asking.ts'
import { type SealedAddress, addressAt, openAddress } from '../contacts/addresses.ts'
import { type PauseRow, joinPause, pauseColumns, waitsForPause } from '../connections/pauses.ts'
import { coordinatesOf } from '../contacts/destinations.ts'
import { accountNameAt, payerToSend } from '../payers/payers.ts'
import { type HeldRow, heldColumns, waitsForPayee } from '../screening/payments.ts'
import { type Fragment, type Transaction, type Tx, sql } from '../../db/postgres/sql.ts'
import { type PayeeDue, isPayeeDue, payeeDueColumns } from '../payee-checks/answers.ts'

/** Payout as its partner is asked for it. It holds coordinates in the clear: never return it to a workflow. */
export type Payout = {
  readonly rail: PartnerRail
  readonly partner: ConnectionName
  readonly status: PaymentState
  /** Count of callbacks when this was read. */
  readonly callbacksReceived: number
  readonly hasUnprocessedCallbacks: boolean
  /** The partner has answered about it before. */
  readonly accepted: boolean
  /** It is still to be sent: it has not ended, and no partner ever took it. */
  readonly sendable: boolean
  readonly amount: Money
  readonly pace: Pace
  /** Its instant order came to nothing: a standard one takes its place. */
  readonly fellBack: boolean
  /** Shown to the recipient. */
  readonly reference: string
  readonly beneficiary: Coordinates
  readonly payeeType: 'business' | 'individual'
  /** Address of the payee in the letters of banks; null for a coin, and if none is known. */
  readonly payeeAddress: SentAddress | null
  /** Payer; null of a payment that was made without. */
  readonly payer: (SentPayer & { readonly account?: string }) | null
  /** Name of the payee. */
  readonly payeeName: string
  /** The bank is asked about the payee first. */
  readonly payeeDue: boolean
} & PauseRow &
  HeldRow

type PayoutRow = Pick<
  Payout,
  | 'status'
  | 'callbacksReceived'
  | 'hasUnprocessedCallbacks'
  | 'accepted'
  | 'sendable'
  | 'reference'
  | 'payeeType'
  | 'fellBack'
> &
  SpeedRow &
  PayeeDue &
  HeldRow &
  PauseRow & {
    rail: PartnerRail
    connection: ConnectionName | null
    money: string
    currency: string
    destination: string
    sealed: string | null
    address: SealedAddress | null
    payer: SentPayer | null
    payer_account: string | null
    payee_name: string
  }

/** Reads a payout; refuses `not_found` for a payment that no partner pays. */
export async function payoutOf(tx: Tx, id: PaymentId): Promise<Payout> {
  const [row] = await tx<PayoutRow[]>`
    select p.rail, p.connection, p.status, p.callbacks_received as "callbacksReceived",
      ${hasUnprocessedCallbacks(sql`p`)} as "hasUnprocessedCallbacks", p.partner_version >= 0 as accepted,
      ${isSendable(sql`p`)} as sendable, p.speed, p.fallback, p.fell_back_at is not null as "fellBack",
      p.landing_amount as money, p.landing_currency as currency, p.statement_description as reference,
      d.id as destination, encode(d.sealed, 'hex') as sealed, ${addressAt(sql`p.payee_address_id`)} as address,
      ${payerToSend(sql`p.payer_id`)} as payer, ${accountNameAt(sql`p.payer_account_id`)} as payer_account,
      p.destination_name as payee_name, t.type as "payeeType", ${payeeDueColumns(sql`p`)}, ${heldColumns(sql`p`)}, ${pauseColumns(sql`p`, sql`c`)}
    from payments p join payment_destinations d on d.id = p.destination_id
      join payment_contacts t on t.id = d.payment_contact_id ${joinPause(sql`p`)}
    where p.id = ${id} and p.rail in ('fiat', 'crypto')`
  if (!row) refuse('not_found')
  const { money, currency, destination, sealed, address, status } = row
  const { callbacksReceived, hasUnprocessedCallbacks: called, accepted, sendable, reference, paused, ordered } = row
  const { payeeType } = row
  const beneficiary = coordinatesOf({ id: destination, sealed })
  if (!beneficiary) throw new Error(`the destination of payment ${id} has no coordinates`)
  const named = openAddress(address)
  const { payer, payer_account: account, payee_name: payeeName } = row
  return {
    status,
    callbacksReceived,
    hasUnprocessedCallbacks: called,
    accepted,
    sendable,
    reference,
    paused,
    ordered,
    payee_held: row.payee_held,
    held_look_at: row.held_look_at,
    payeeDue: isPayeeDue(status, row),
    rail: row.rail,
    partner: connectionOf(row),
    amount: moneyOf(money, currency),
    pace: paceOf(row),
    fellBack: row.fellBack,
    beneficiary: payable(beneficiary),
    payeeType,
    payeeAddress: named && selectSent(named),
    payer: payer && { ...payer, ...(account !== null && { account }) },
    payeeName,
  }
}

/** Locks a payment: before the memory of its order, as each transaction does that takes both. */
export const lockPayment = (tx: Transaction, id: string): Promise<unknown> =>
  tx`select from payments where id = ${id} for no key update`.execute()

/** Locks a payment that was to be sent when it was read, and tells if it still is: it may have ended meanwhile. */
export async function lockSendable(tx: Transaction, id: string): Promise<boolean> {
  await lockPayment(tx, id)
  return (await tx`select from payments p where p.id = ${id} and ${isSendable(sql`p`)}`).length > 0
}

const isSendable = (p: Fragment): Fragment => sql`
  (${p}.partner_version < 0 and ${p}.status in ('submitted', 'on_hold', 'cancelling'))`

/**
 * Begins the order of a submitted payment, and reads its payout. From here on its payee is not asked about again: the
 * partner may have it. One whose payee is to be asked about first, or that waits for a pause, stays as it is.
 */
export async function beginOrder(tx: Tx, id: PaymentId): Promise<Payout> {
  await lockPayment(tx, id)
  const payout = await payoutOf(tx, id)
  if (payout.status === 'submitted' && !payout.payeeDue && !waitsForPause(payout) && !waitsForPayee(payout)) {
    await tx`update payments set payee_check_due_at = null where id = ${id} and payee_check_due_at is not null`
  }
  return payout
}

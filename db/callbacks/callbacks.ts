/** What partners told us: taken down once for each id of theirs, and whatever drives what it is about is woken. */
import { partnerOfRow } from '../asking.ts'
import { depositFlow } from '../../domain/flows/deposit.ts'
import { depositIdOf } from '../../domain/deposits/deposit.ts'
import { type DepositId, type OrganizationId, isOwnId } from '../../domain/ids.ts'
import type { MoneyPartner } from '../../domain/callbacks/partner.ts'
import { type PaymentStatus, paymentFlow } from '../../domain/flows/payment.ts'
import { PARTNER_CALLED } from '../../domain/process.ts'
import { type Rows, type Fragment, type Transaction, type Tx, sql, transaction } from '../sql.ts'
import { wake } from '../wakes.ts'
import { type PartnerRail, railOf } from '../../domain/rails.ts'

/** `id` is the partner's for this message, `subjectId` names a payment of ours or a deposit of the partner's. */
export type PartnerCallback = {
  readonly partner: MoneyPartner
  readonly id: string
  readonly subject: 'payment' | 'deposit'
  readonly subjectId: string
  /** Of the payout that it is about, if it says one. */
  readonly version?: number
}

/** Older than any word of a partner. */
const NO_VERSION = -1

type Called = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly status: string
  readonly rail: PartnerRail
}

/**
 * Takes a callback down, once for each id of the partner's, and wakes what it is about: a payment, a held deposit, or
 * the process that asks about money which nobody has yet. One about something that is none of ours, or over, changes
 * nothing. `isUnknown`: it is about a payment with an id such as ours, which the database does not have.
 */
export function recordCallback(callback: PartnerCallback): Promise<{ readonly isUnknown: boolean }> {
  const { partner, id, subject, subjectId, version = NO_VERSION } = callback
  return transaction(async (tx) => {
    const noted = await tx`
      insert into partner_callbacks (partner, id, subject, subject_id, handled_at)
      values (${partner}, ${id}, ${subject}, ${subjectId}, business_now()) on conflict do nothing returning id`
    if (noted.length === 0) return { isUnknown: false }
    if (subject === 'deposit') {
      await noteDepositCall(tx, callback)
      return { isUnknown: false }
    }
    const called = await notePaymentCall(tx, subjectId, version)
    return { isUnknown: called === null && isOwnId(subjectId) && (await isUnknownPayment(tx, subjectId)) }
  })
}

async function isUnknownPayment(tx: Transaction, id: string): Promise<boolean> {
  const unknown = await tx`select from unknown_payments(${[id]}::uuid[])`
  return unknown.length > 0
}

/** Has a payment's partner asked again, as if it had called; null for a payment that no partner pays. */
export const callAgain = (paymentId: string): Promise<CalledPayment | null> =>
  transaction((tx) => notePaymentCall(tx, paymentId, NO_VERSION))

/** A payment that its partner has called about. */
export type CalledPayment = { readonly organization_id: OrganizationId; readonly status: PaymentStatus }

async function notePaymentCall(tx: Transaction, id: string, version: number): Promise<CalledPayment | null> {
  const [called] = await tx<(CalledPayment & { rail: PartnerRail })[]>`
    select organization_id, status, rail from record_payment_callback(${id}, ${version})`
  if (!called) return null
  const { organization_id: organizationId, status, rail } = called
  wake(tx, paymentFlow, { ids: [id], why: PARTNER_CALLED, status, organizationId, rail })
  return called
}

/**
 * A held deposit is asked about by its own process. What nobody has booked, or an operator still decides about, by
 * another.
 */
async function noteDepositCall(tx: Transaction, { partner, id, subjectId: partnerDepositId }: PartnerCallback) {
  const [booked] = await tx<Called[]>`
    select id, organization_id, status, rail from record_deposit_callback(${partner}, ${partnerDepositId})`
  const why = PARTNER_CALLED
  if (booked) {
    const { status, organization_id: organizationId, rail } = booked
    if (status === 'held') wake(tx, depositFlow, { ids: [booked.id], why, status, organizationId, rail })
    return
  }
  const returned = await tx`
    select from unmatched_deposits
    where partner = ${partner} and partner_deposit_id = ${partnerDepositId} and status = 'returned'`
  if (returned.length > 0) return
  await tx`update partner_callbacks set handled_at = null where partner = ${partner} and id = ${id}`
  wake(tx, depositFlow, {
    ids: [depositIdOf(partner, partnerDepositId)],
    why,
    status: 'announced',
    organizationId: null,
    rail: railOf(partner),
    ref: { partner, partnerDepositId },
  })
}

/** Lists the callbacks about a partner's deposit that it was not asked about yet. */
export async function openDepositCalls(
  rows: Rows,
  { partner, partnerDepositId }: { partner: MoneyPartner; partnerDepositId: string },
): Promise<string[]> {
  const open = await rows<{ id: string }>(sql`
    select id from partner_callbacks
    where partner = ${partner} and subject_id = ${partnerDepositId} and subject = 'deposit' and handled_at is null`)
  return open.map(({ id }) => id)
}

/** Closes the callbacks that the partner was asked about. */
export async function closeDepositCalls(partner: MoneyPartner, ids: readonly string[]): Promise<void> {
  await sql`
    update partner_callbacks set handled_at = business_now()
    where partner = ${partner} and id = any (${[...ids]}) and handled_at is null`
}

/** Selects callbacks `c` that came while a deposit was being booked. */
const openCallsOf = (deposit: Fragment): Fragment => sql`
  c.subject = 'deposit' and c.subject_id = ${deposit}.partner_deposit_id and c.handled_at is null
    and c.partner = ${partnerOfRow(deposit)}`

/** Asks for callbacks that `takeInCalls` takes in. */
export const hasOpenCalls = (deposit: Fragment): Fragment =>
  sql`exists (select from partner_callbacks c where ${openCallsOf(deposit)})`

/** Counts the callbacks that came after the partner was asked and before the deposit was booked. */
export async function takeInCalls(tx: Tx, id: DepositId): Promise<void> {
  const taken = await tx`
    with earlier as (
      update partner_callbacks c set handled_at = business_now() from deposits d
      where d.id = ${id} and ${openCallsOf(sql`d`)} returning c.partner, c.subject_id)
    select called.id from (select distinct partner, subject_id from earlier) e,
      record_deposit_callback(e.partner, e.subject_id) called`
  if (taken.length > 0) wake(tx, depositFlow, { ids: [id], why: 'calls_taken_in' })
}

/** Callbacks of partners: stored once for each id, and the run of their subject is woken. */
import { partnerOfRow } from '../../db/processes/asking.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { depositIdOf } from '../../domain/deposits/deposit.ts'
import { depositFlow } from '../../domain/deposits/flow.ts'
import { type PaymentState, paymentFlow } from '../../domain/payments/flow.ts'
import { type DepositId, type OrganizationId, isOwnId } from '../../domain/ids.ts'
import { PARTNER_CALLED } from '../../domain/process.ts'
import type { PartnerRail } from '../../domain/rails.ts'
import { railOf } from '../connections/connections.ts'
import { type Fragment, type Rows, type Transaction, type Tx, sql, transaction } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'

/** A callback. `id` is the partner's for this message, `subjectId` a payment of ours or a deposit of the partner's. */
export type PartnerCallback = {
  readonly partner: ConnectionName
  readonly id: string
  readonly subject: 'payment' | 'deposit'
  readonly subjectId: string
  /** The version of the payout that it is about, if it says one. */
  readonly version?: number
}

/** Older than any version of a partner. */
const NO_VERSION = -1

/**
 * Stores a callback, once for each id of the partner's, and wakes the run of its subject. One about something that is
 * none of ours, or over, changes nothing. `isUnknown`: the database lacks a payment with an id such as ours.
 */
export function recordCallback(callback: PartnerCallback): Promise<{ readonly isUnknown: boolean }> {
  const { partner, id, subject, subjectId, version = NO_VERSION } = callback
  return transaction(async (tx) => {
    const noted = await tx`
      insert into partner_callbacks (partner, id, subject, subject_id, handled_at)
      values (${partner}, ${id}, ${subject}, ${subjectId}, business_now()) on conflict do nothing returning id`
    if (noted.length === 0) return { isUnknown: false }
    if (subject === 'deposit') {
      await noteDepositCalls(tx, partner, [callback])
      return { isUnknown: false }
    }
    if ((await notePaymentCall(tx, { partner, id: subjectId, version })) || !isOwnId(subjectId))
      return { isUnknown: false }
    const unknown = await tx`select from unknown_payments(${[subjectId]}::uuid[])`
    return { isUnknown: unknown.length > 0 }
  })
}

/** Callbacks of one partner about subjects of one kind, as one message tells of them. */
type ManyCallbacks = Pick<PartnerCallback, 'partner' | 'subject'> & {
  /** Beginning of their ids, which the ids of the subjects follow. */
  readonly prefix: string
  readonly subjectIds: readonly string[]
}

/** Callbacks that one transaction records. */
const AT_ONCE = 200

/** Stores callbacks as recordCallback() does, pages of them at a time: a file tells of thousands. */
export async function recordCallbacks({ subjectIds, ...of }: ManyCallbacks): Promise<void> {
  const sorted = subjectIds.toSorted() // rows are locked by their ids, ascending
  for (let from = 0; from < sorted.length; from += AT_ONCE)
    await recordPage({ ...of, subjectIds: sorted.slice(from, from + AT_ONCE) })
}

const recordPage = ({ partner, prefix, subject, subjectIds }: ManyCallbacks): Promise<void> =>
  transaction(async (tx) => {
    const noted = await tx<{ subject_id: string }[]>`
      insert into partner_callbacks (partner, id, subject, subject_id, handled_at)
      select ${partner}, ${prefix} || s.id, ${subject}, s.id, business_now()
      from unnest(${[...subjectIds]}::uuid[]) s (id)
      on conflict do nothing returning subject_id`
    const ids = noted.map((row) => row.subject_id).toSorted()
    if (ids.length === 0) return
    if (subject === 'deposit') {
      const calls = ids.map((subjectId) => ({ id: `${prefix}${subjectId}`, subjectId }))
      return noteDepositCalls(tx, partner, calls)
    }
    const called = await tx<CalledRow<PaymentState>[]>`
      select s.id, c.organization_id, c.status, c.rail
      from (select id from unnest(${ids}::uuid[]) i (id) order by id) s,
        lateral record_call_about_payment(${partner}, s.id, ${NO_VERSION}) c`
    for (const { id, organization_id: organizationId, status, rail } of called)
      wake(tx, paymentFlow, { ids: [id], why: PARTNER_CALLED, status, organizationId, rail })
  })

/** Has a payment's partner asked again, as if it had called; null for a payment that no partner pays. */
export const callAgain = (paymentId: string): Promise<CalledPayment | null> =>
  transaction((tx) => notePaymentCall(tx, { partner: null, id: paymentId, version: NO_VERSION }))

type CalledRow<Status> = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly status: Status
  readonly rail: PartnerRail
}
type CalledPayment = Omit<CalledRow<PaymentState>, 'id'>

/** Call about a payment; `partner` is null if nobody has called, and the one that pays it is to be asked. */
type PaymentCall = { readonly partner: ConnectionName | null; readonly id: string; readonly version: number }

/** Wakes the run of a payment; null for one that another partner pays, or none. */
async function notePaymentCall(tx: Transaction, { partner, id, version }: PaymentCall): Promise<CalledPayment | null> {
  const [called] = await tx<CalledPayment[]>`
    select organization_id, status, rail from ${
      partner === null
        ? sql`record_payment_callback(${id}, ${version})`
        : sql`record_call_about_payment(${partner}, ${id}, ${version})`
    }`
  if (!called) return null
  const { organization_id: organizationId, status, rail } = called
  wake(tx, paymentFlow, { ids: [id], why: PARTNER_CALLED, status, organizationId, rail })
  return called
}

type DepositCall = Pick<PartnerCallback, 'id' | 'subjectId'>

/** Wakes the runs of held deposits, or those that ask about deposits without an owner. */
async function noteDepositCalls(tx: Transaction, partner: ConnectionName, calls: readonly DepositCall[]) {
  const subjects = [...new Set(calls.map(({ subjectId }) => subjectId))].toSorted()
  const booked = await tx<(CalledRow<string> & { readonly subject: string })[]>`
    select s.id as subject, d.id, d.organization_id, d.status, d.rail
    from (select id from unnest(${subjects}::uuid[]) i (id) order by id) s,
      lateral record_deposit_callback(${partner}, s.id) d`
  const why = PARTNER_CALLED
  for (const { id, status, organization_id: organizationId, rail } of booked)
    if (status === 'held') wake(tx, depositFlow, { ids: [id], why, status, organizationId, rail })
  const known = new Set(booked.map(({ subject }) => subject))
  const others = calls.filter(({ subjectId }) => !known.has(subjectId)).map(({ id }) => id)
  if (others.length === 0) return
  const opened = await tx<{ subject_id: string }[]>`
    update partner_callbacks c set handled_at = null where partner = ${partner} and id = any (${others}::text[])
      and not exists (select from unmatched_deposits u
        where u.partner = ${partner} and u.partner_deposit_id = c.subject_id and u.status = 'returned')
    returning subject_id`
  for (const { subject_id: partnerDepositId } of opened)
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
  { partner, partnerDepositId }: { partner: ConnectionName; partnerDepositId: string },
): Promise<string[]> {
  const open = await rows<{ id: string }>(sql`
    select id from partner_callbacks
    where partner = ${partner} and subject_id = ${partnerDepositId} and subject = 'deposit' and handled_at is null`)
  return open.map(({ id }) => id)
}

export async function closeDepositCalls(partner: ConnectionName, ids: readonly string[]): Promise<void> {
  await sql`
    update partner_callbacks set handled_at = business_now()
    where partner = ${partner} and id = any (${[...ids]}) and handled_at is null`
}

/** Selects callbacks `c` that came while the deposit was being booked. */
const openCallsOf = (c: Fragment, deposit: Fragment): Fragment => sql`
  ${c}.subject = 'deposit' and ${c}.subject_id = ${deposit}.partner_deposit_id and ${c}.handled_at is null
    and ${c}.partner = ${partnerOfRow(deposit)}`

/** Selects whether there are callbacks that `takeInCalls` takes in. */
export const hasOpenCalls = (deposit: Fragment): Fragment =>
  sql`exists (select from partner_callbacks c where ${openCallsOf(sql`c`, deposit)})`

/** Counts callbacks that came after the partner was asked and before the booking. */
export async function takeInCalls(tx: Tx, id: DepositId): Promise<void> {
  const taken = await tx`
    with earlier as (
      update partner_callbacks c set handled_at = business_now() from deposits d
      where d.id = ${id} and ${openCallsOf(sql`c`, sql`d`)} returning c.partner, c.subject_id)
    select called.id from (select distinct partner, subject_id from earlier) e,
      record_deposit_callback(e.partner, e.subject_id) called`
  if (taken.length > 0) wake(tx, depositFlow, { ids: [id], why: 'calls_taken_in' })
}

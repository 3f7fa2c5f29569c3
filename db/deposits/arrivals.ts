/** Money that arrived: booked exactly once, whichever way it became known, and however often. */
import { config } from '../../platform/config.ts'
import { creditKey } from './deposits.ts'
import { record } from '../events.ts'
import { inOrder } from '../in-order.ts'
import { lockArrival, lockExistence } from '../locks.ts'
import { noteIncomingPayments } from '../incoming-payments/noting.ts'
import { type FeedRow, pendingRows, postToFeed } from '../ledger/feed.ts'
import { type Account, available, credit, debit, post, system } from '../ledger/ledger.ts'
import {
  type IncomingTransfer,
  type BookingResult,
  type Source,
  requiresTravelRule,
  depositIdOf,
} from '../../domain/deposits/deposit.ts'
import { depositEvents, depositMoves } from '../../domain/deposits/events.ts'
import { type DepositStatus, depositFlow } from '../../domain/flows/deposit.ts'
import type { DepositId, OrganizationId } from '../../domain/ids.ts'
import { type Tx, sql } from '../sql.ts'
import { wake } from '../wakes.ts'
import { clearingOf, railOf } from '../../domain/rails.ts'

const RETURN_AFTER_DAYS = 30

/** A deposit by its partner's name for it: the other partner may call another one the same. */
export type PartnersDeposit = Pick<IncomingTransfer, 'partner' | 'partnerDepositId'>

type Placing = {
  /** The deposit's id where it came with one. */
  readonly id?: DepositId
  readonly receivingAccountId?: string
  /** The unmatched deposit that it was until now: its money is in suspense already. */
  readonly unmatchedId?: string
}

/**
 * Books an arrival for the organization of the transaction: credited, or held until its sender is named, from the
 * threshold of the travel rule on. Deposit, ledger, feed and event together, once for a partner's deposit, also of many
 * at once. Null, with nothing written, if the organization is gone.
 */
export async function bookTransfer(
  tx: Tx,
  arrival: IncomingTransfer,
  placing: Placing = {},
): Promise<BookingResult | null> {
  await lockArrival(tx, arrival)
  const [, before, receives] = await inOrder(
    () => lockExistence(tx, 'keep'),
    () => bookedBefore(tx, arrival, placing.unmatchedId),
    () => tx`select id from organizations where id = ${tx.organizationId} and is_there(status)`,
  )
  if (before) return before
  if (receives.length === 0) return null
  const id = placing.id ?? depositIdOf(arrival.partner, arrival.partnerDepositId)
  const held =
    railOf(arrival.partner) === 'crypto' && requiresTravelRule(arrival.valueUsd, config.travelRuleThresholdUsd)
  const status = held ? 'held' : 'credited'
  await insertDeposit(tx, id, status, arrival, placing)
  await (held ? hold(tx, id, arrival, placing) : creditAtOnce(tx, id, arrival, placing))
  return { kind: 'deposit', id, organizationId: tx.organizationId, status }
}

/** What an earlier arrival of the same deposit did; unmatched ones but `except` count. */
export async function bookedBefore(
  tx: Tx,
  { partner, partnerDepositId }: PartnersDeposit,
  except?: string,
): Promise<BookingResult | undefined> {
  const [row] = await tx<{ id: string; organization_id: OrganizationId | null; status: DepositStatus | null }[]>`
    select d.id, d.organization_id, d.status from deposit_owner(${partner}, ${partnerDepositId}) d
    union all
    select u.id, null, null from unmatched_deposits u
    where u.partner = ${partner} and u.partner_deposit_id = ${partnerDepositId} and u.status <> 'assigned'
      and u.id is distinct from ${except ?? null}::uuid
    limit 1`
  if (!row) return undefined
  if (row.organization_id === null || row.status === null) return { kind: 'unmatched', id: row.id }
  // The id of a deposit.
  return { kind: 'deposit', id: row.id as DepositId, organizationId: row.organization_id, status: row.status }
}

async function insertDeposit(
  tx: Tx,
  id: DepositId,
  status: DepositStatus,
  arrival: IncomingTransfer,
  placing: Placing,
) {
  const { amount, network, partnerDepositId, reference, source, valueUsd } = arrival
  const releaseBy = status === 'held' ? sql`business_now() + make_interval(days => ${RETURN_AFTER_DAYS})` : sql`null`
  await tx`
    insert into deposits (id, organization_id, rail, network, status, amount, currency, source, partner_deposit_id,
      receiving_account_id, partner_reference, value_usd, release_by)
    values (${id}, ${tx.organizationId}, ${railOf(arrival.partner)}, ${network}, ${status}, ${amount.amount},
      ${amount.currency}, ${sql.json(source)}, ${partnerDepositId}, ${placing.receivingAccountId ?? null}, ${reference},
      ${valueUsd}, ${releaseBy})`
  if (status === 'held') wake(tx, depositFlow, { ids: [id], why: 'held', status, rail: railOf(arrival.partner) })
}

/** Where the money of an arrival is, outside of the organization. */
const originOf = ({ partner }: IncomingTransfer, { unmatchedId }: Placing): Account =>
  system(unmatchedId ? 'suspense' : clearingOf(partner))

async function creditAtOnce(tx: Tx, id: DepositId, arrival: IncomingTransfer, placing: Placing): Promise<void> {
  const { organizationId } = tx
  const { amount, source } = arrival
  const key = creditKey(id)
  const legs = [debit(originOf(arrival, placing), amount), credit(available(organizationId), amount)]
  await record(tx, depositMoves.types.release, { subjectId: id, cause: key, payload: amount })
  await postToFeed(tx, { key, organizationId, legs }, feedRow(id, source), noteIncomingPayments)
}

const feedRow = (id: DepositId, { name, reference }: Source): FeedRow => ({
  type: 'deposit',
  counterparty: name,
  description: reference,
  depositId: id,
})

/** The money is ours and not yet theirs: it waits in suspense, where that of an unmatched one is already. */
async function hold(tx: Tx, id: DepositId, arrival: IncomingTransfer, placing: Placing): Promise<void> {
  const { organizationId } = tx
  const { amount, partner, source } = arrival
  const key = `deposit:${id}:receive`
  await Promise.all([
    record(tx, depositEvents.held, { subjectId: id, cause: key, payload: amount }),
    tx`${pendingRows(tx, { ...feedRow(id, source), ...amount, direction: 'in' })}`,
  ])
  if (placing.unmatchedId) return
  const legs = [debit(system(clearingOf(partner)), amount), credit(system('suspense'), amount)]
  await post(tx, [{ key, organizationId, legs }])
}

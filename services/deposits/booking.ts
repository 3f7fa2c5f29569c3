/** Books money that arrived exactly once, however it became known, and however often. */
import { randomUUID } from 'node:crypto'
import {
  type PartnersDeposit,
  type BookingResult,
  type IncomingTransfer,
  type Source,
  depositIdOf,
  requiresTravelRule,
} from '../../domain/deposits/deposit.ts'
import { depositEvents, depositMoves } from '../../domain/deposits/events.ts'
import { type DepositStatus, depositFlow } from '../../domain/deposits/flow.ts'
import type { DepositId, OrganizationId } from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { clearingAt, railOf } from '../connections/connections.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { record } from '../events.ts'
import { noteIncomingPayments } from '../incoming-payments/noting.ts'
import { type FeedRow, pendingRows, postToFeed } from '../ledger/feed.ts'
import { type Account, available, credit, debit, post, system } from '../ledger/ledger.ts'
import { lockIncoming, lockExistence } from '../../db/postgres/locks.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { type Tx, asSystem, first, sql, values } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { creditKey } from './deposits.ts'

const RETURN_AFTER_DAYS = 30

/** The owner of unmatched money: only system accounts move in its transactions. */
export const SYSTEM_ORGANIZATION = '00000000-0000-0000-0000-000000000000' as OrganizationId

/**
 * Books money that a partner says has come: for the owner of the account that it names, in the account's currency; to
 * suspense if there is none. A repeat answers what the first one did.
 */
export async function bookIncoming(transfer: IncomingTransfer): Promise<BookingResult> {
  const account = await accountOf(transfer)
  const booked =
    account &&
    (await asSystem(account.organization_id, (tx) => {
      const { id: receivingAccountId, network } = account
      return bookTransfer(tx, { ...transfer, network: network ?? transfer.network }, { receivingAccountId })
    }))
  return booked ?? asSystem(SYSTEM_ORGANIZATION, (tx) => recordUnmatched(tx, transfer))
}

type AccountRow = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly connection: ConnectionName
  readonly currency: string
  readonly network: string | null
}

async function accountOf({ account, amount, partner }: IncomingTransfer): Promise<AccountRow | undefined> {
  const found = await first(sql<AccountRow[]>`
    select id, organization_id, currency, network, connection from account_named(${account})`)
  return found && found.currency === amount.currency && found.connection === partner ? found : undefined
}

type Placement = {
  /** The deposit's id where it came with one. */
  readonly id?: DepositId
  readonly receivingAccountId?: string
  /** The unmatched deposit that it was until now: its money is in suspense already. */
  readonly unmatchedId?: string
}

/**
 * Books a transfer for the organization of the transaction: credited, or held until its sender is named, from the
 * threshold of the travel rule on. Deposit, ledger, feed and event together, once for a partner's deposit, also of many
 * at once. Null, with nothing written, if the organization is gone.
 */
export async function bookTransfer(
  tx: Tx,
  transfer: IncomingTransfer,
  placing: Placement = {},
): Promise<BookingResult | null> {
  const { before, receives } = await pipeline({
    lock: lockIncoming(tx, transfer),
    existence: lockExistence(tx, 'keep'),
    before: selectBooked(tx, transfer, placing.unmatchedId),
    receives: tx`select id from organizations where id = ${tx.organizationId} and is_there(status)`,
  })
  const earlier = resultOf(before)
  if (earlier) return earlier
  if (receives.length === 0) return null
  const { partner, partnerDepositId, valueUsd } = transfer
  const id = placing.id ?? depositIdOf(partner, partnerDepositId)
  const isHeld = railOf(partner) === 'crypto' && requiresTravelRule(valueUsd, config.travelRuleThresholdUsd)
  const status = isHeld ? 'held' : 'credited'
  await insertDeposit(tx, id, status, transfer, placing)
  await (isHeld ? hold(tx, id, transfer, placing) : creditAtOnce(tx, id, transfer, placing))
  return { kind: 'deposit', id, organizationId: tx.organizationId, status }
}

export const findEarlierBooking = async (tx: Tx, deposit: PartnersDeposit): Promise<BookingResult | undefined> =>
  resultOf(await selectBooked(tx, deposit))

type BookedRow = {
  readonly id: string
  readonly organization_id: OrganizationId | null
  readonly status: DepositStatus | null
}

const selectBooked = (tx: Tx, { partner, partnerDepositId }: PartnersDeposit, unmatchedId?: string) => tx<BookedRow[]>`
  select d.id, d.organization_id, d.status from deposit_owner(${partner}, ${partnerDepositId}) d
  union all
  select u.id, null, null from unmatched_deposits u
  where u.partner = ${partner} and u.partner_deposit_id = ${partnerDepositId} and u.status <> 'assigned'
    and u.id is distinct from ${unmatchedId ?? null}::uuid
  limit 1`

function resultOf([row]: readonly BookedRow[]): BookingResult | undefined {
  if (!row) return undefined
  const { id, organization_id: organizationId, status } = row
  if (organizationId === null || status === null) return { kind: 'unmatched', id }
  return { kind: 'deposit', id: id as DepositId, organizationId, status } // the first part of the union has deposits
}

async function insertDeposit(
  tx: Tx,
  id: DepositId,
  status: DepositStatus,
  { amount, network, partner, partnerDepositId, reference, source, valueUsd }: IncomingTransfer,
  { receivingAccountId }: Placement,
) {
  const rail = railOf(partner)
  const releaseBy = status === 'held' ? sql`business_now() + make_interval(days => ${RETURN_AFTER_DAYS})` : sql`null`
  await tx`
    insert into deposits ${values({
      id,
      organization_id: tx.organizationId,
      rail,
      connection: partner,
      network,
      status,
      amount: amount.amount,
      currency: amount.currency,
      source: sql.json(source),
      partner_deposit_id: partnerDepositId,
      receiving_account_id: receivingAccountId ?? null,
      partner_reference: reference,
      value_usd: valueUsd,
      release_by: releaseBy,
    })}`
  if (status === 'held') wake(tx, depositFlow, { ids: [id], why: 'held', status, rail })
}

const originOf = ({ partner }: IncomingTransfer, { unmatchedId }: Placement): Account =>
  system(unmatchedId ? 'suspense' : clearingAt(partner))

async function creditAtOnce(tx: Tx, id: DepositId, transfer: IncomingTransfer, placing: Placement): Promise<void> {
  const { organizationId } = tx
  const { amount, partner: connection, source } = transfer
  const key = creditKey(id)
  const legs = [debit(originOf(transfer, placing), amount), credit(available(organizationId), amount)]
  await record(tx, depositMoves.types.release, { subjectId: id, cause: key, payload: { ...amount, connection } })
  await postToFeed(tx, { key, organizationId, legs }, feedRow(id, source), noteIncomingPayments)
}

const feedRow = (id: DepositId, { name, reference }: Source): FeedRow => ({
  type: 'deposit',
  counterparty: name,
  description: reference,
  depositId: id,
})

/** Keeps the money in suspense, where that of an unmatched deposit is already. */
async function hold(tx: Tx, id: DepositId, { amount, partner, source }: IncomingTransfer, { unmatchedId }: Placement) {
  const { organizationId } = tx
  const key = `deposit:${id}:receive`
  await record(tx, depositEvents.held, { subjectId: id, cause: key, payload: { ...amount, connection: partner } })
  await tx`${pendingRows(tx, { ...feedRow(id, source), ...amount, direction: 'in' })}`
  if (!unmatchedId) await post(tx, [{ key, organizationId, legs: toSuspense(partner, amount) }])
}

const toSuspense = (partner: IncomingTransfer['partner'], amount: IncomingTransfer['amount']) => [
  debit(system(clearingAt(partner)), amount),
  credit(system('suspense'), amount),
]

async function recordUnmatched(tx: Tx, transfer: IncomingTransfer): Promise<BookingResult> {
  await lockIncoming(tx, transfer)
  const before = await findEarlierBooking(tx, transfer)
  if (before) return before
  const { account, amount, network, partner, partnerDepositId, reference, source, valueUsd } = transfer
  const id = randomUUID()
  await tx`
    insert into unmatched_deposits ${values({
      id,
      partner,
      partner_deposit_id: partnerDepositId,
      rail: railOf(partner),
      network,
      amount: amount.amount,
      currency: amount.currency,
      account,
      source: sql.json(source),
      partner_reference: reference,
      value_usd: valueUsd,
      status: 'unmatched',
    })}`
  const legs = toSuspense(partner, amount)
  await post(tx, [{ key: `unmatched:${id}:receive`, organizationId: SYSTEM_ORGANIZATION, legs }])
  log.error({ unmatched_deposit_id: id, partner }, 'unmatched money arrived: it waits in suspense')
  return { kind: 'unmatched', id }
}

/** Steps of a deposit: its return, and what its partner answered; activities/deposits.ts asks the partner. */
import { askAgain, hasUnprocessedCallbacks } from '../../db/processes/asking.ts'
import { record } from '../events.ts'
import { discardRows } from '../ledger/feed.ts'
import { credit, debit, post, system } from '../ledger/ledger.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { depositEvents, depositMoves } from '../../domain/deposits/events.ts'
import { refuse } from '../../domain/errors.ts'
import { type DepositStatus, depositFlow } from '../../domain/deposits/flow.ts'
import type { DepositId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { type AtConnection, type PartnerRail, clearingOf, connectionOf } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import type { Reason } from '../../db/processes/views.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { pauseOfRow } from '../connections/pauses.ts'
import { waitsForSender } from './deposits.ts'

/** Starts the return of a deposit whose sender was not named in time: an answer that comes from now on is refused. */
export async function startReturn(tx: Tx, id: DepositId): Promise<Reason> {
  const started = await tx`
    update deposits set is_returning = true, updated_at = business_now(), ask_at = null, asks = 0
    where id = ${id} and ${waitsForSender()} and release_by <= business_now() returning id`
  if (started.length > 0) return 'return_started'
}

/** A held deposit as its partner knows it, with the callbacks about it. */
export type HeldDeposit = {
  readonly partner: ConnectionName
  readonly partnerDepositId: string
  readonly amount: Money
  readonly isReturning: boolean
  readonly callbacksReceived: number
  readonly hasUnprocessedCallbacks: boolean
  /** Reason of the pause of its connection: it is asked about, and not sent back. */
  readonly paused: string | null
}

type HeldRow = Omit<HeldDeposit, 'partner' | 'amount'> & {
  readonly rail: PartnerRail
  readonly connection: ConnectionName | null
  readonly amount: string
  readonly currency: string
}

/** Reads what to ask the partner about; undefined if it is held no longer. */
export async function findHeldDeposit(tx: Tx, id: DepositId): Promise<HeldDeposit | undefined> {
  const [row] = await tx<HeldRow[]>`
    select rail, connection, amount, currency, partner_deposit_id as "partnerDepositId", is_returning as "isReturning",
      callbacks_received as "callbacksReceived", ${hasUnprocessedCallbacks(sql`deposits`)} as "hasUnprocessedCallbacks",
      ${pauseOfRow(sql`deposits`)} as paused
    from deposits where id = ${id} and status = 'held'`
  if (!row) return undefined
  const { rail, connection, amount, currency, ...held } = row
  return { ...held, partner: connectionOf({ rail, connection }), amount: moneyOf(amount, currency) }
}

/** Records money that is still at the partner, after `received` of its callbacks. */
export async function markCallbacksProcessed(tx: Tx, id: DepositId, received: number): Promise<void> {
  await tx`
    update deposits set callbacks_processed = ${received}, asks = 0, unclear_since = null, ask_note = null
    where id = ${id} and callbacks_processed < ${received}`
  wake(tx, depositFlow, { ids: [id], why: 'asked' })
}

/** Records an unclear answer: the partner is asked again after a pause, or when it calls. */
export async function noteUnclear(tx: Tx, id: DepositId): Promise<void> {
  await tx`${askAgain('deposits', config.partnerPollSeconds, 'no clear answer')} where id = ${id}`
  wake(tx, depositFlow, { ids: [id], why: 'asked' })
}

const ANSWERABLE_AGAIN_DAYS = 7
const returnKey = (id: DepositId): string => `deposit:${id}:return`

/**
 * Records the partner's final refusal to send it back: its sender may be named again until the partner is asked again.
 * False, with nothing written, if it is not on its way back.
 */
export async function recordReturnRefused(tx: Tx, id: DepositId): Promise<boolean> {
  const [row] = await tx<{ release_by: string }[]>`
    update deposits set is_returning = false, updated_at = business_now(), ask_at = null, asks = 0, ask_note = null,
      release_by = business_now() + make_interval(days => ${ANSWERABLE_AGAIN_DAYS})
    where id = ${id} and status = 'held' and is_returning returning release_by`
  if (!row) return false
  const cause = `${returnKey(id)}:refused:${row.release_by}`
  await record(tx, depositEvents.return_refused, { subjectId: id, cause })
  wake(tx, depositFlow, { ids: [id], why: 'return_refused' })
  return true
}

type ReturnRow = AtConnection & {
  readonly status: DepositStatus
  readonly is_returning: boolean
  readonly amount: string
  readonly currency: string
}

/**
 * Books the return by the partner: status, ledger and feed together. `unasked`: by itself. A repeat answers the state
 * that it reached.
 */
export async function recordReturn(tx: Tx, id: DepositId, unasked = false): Promise<DepositStatus> {
  const [row] = await tx<ReturnRow[]>`
    select rail, connection, status, is_returning, amount, currency from deposits where id = ${id} for update`
  if (!row) refuse('not_found')
  if (row.status !== 'held') return row.status
  if (!row.is_returning && !unasked) refuse('invalid_state', { current: row.status })
  const key = returnKey(id)
  const amount = moneyOf(row.amount, row.currency)
  await transition(tx, depositMoves, id, {
    events: ['return'],
    cause: key,
    payload: { ...amount, connection: connectionOf(row) },
  })
  await tx`${discardRows(tx, (t) => sql`${t}.deposit_id = ${id}`)}`
  const legs = [debit(system('suspense'), amount), credit(system(clearingOf(row)), amount)]
  await post(tx, [{ key, organizationId: tx.organizationId, legs }])
  return 'returned'
}

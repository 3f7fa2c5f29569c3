/** Deposits: listed, found, credited if they were held, and sent back if nobody said who sent them. */
import { askAgain, hasUnprocessedCallbacks } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { amountRange, containing, timeRange } from '../filters.ts'
import { record } from '../events.ts'
import { noteIncomingPayments } from '../incoming-payments/noting.ts'
import { discardRows, postToFeed } from '../ledger/feed.ts'
import { available, credit, debit, post, system } from '../ledger/ledger.ts'
import type { Deposit, DepositFilters } from '../../domain/deposits/deposit.ts'
import { depositEvents, depositMoves } from '../../domain/deposits/events.ts'
import { type DepositStatus, depositFlow } from '../../domain/flows/deposit.ts'
import { refuse } from '../../domain/errors.ts'
import type { DepositId, UserId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import type { MoneyPartner } from '../../domain/callbacks/partner.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'
import { type PartnerRail, RAIL, partnerOf } from '../../domain/rails.ts'

type DepositRow = Omit<Deposit, 'amount'> & { amount: string; currency: string }

const selectDeposit = (): Fragment => sql`
  select deposits.id, deposits.organization_id, deposits.rail, deposits.network, deposits.amount, deposits.currency,
    deposits.status, deposits.source, ${waitsForSender()} as needs_sender_travel_rule,
    case when ${waitsForSender()} then deposits.release_by end as release_by,
    (select t.id from transactions t where t.deposit_id = deposits.id and t.type = 'deposit' and t.discarded_at is null
      order by t.id limit 1) as transaction_id,
    deposits.inserted_at as occurred_at
  from deposits`

/** Deposits that wait for their sender to be named, in a statement about `deposits`. */
export const waitsForSender = (): Fragment => sql`(deposits.status = 'held' and not deposits.is_returning)`

/**
 * One deposit of the reader's organization; with `answerer`, only if that person is to name its sender, or did. Refuses
 * `not_found`.
 */
export async function findDeposit(reader: Reader, id: DepositId, answerer?: UserId): Promise<Deposit> {
  const row = await first(
    reader<DepositRow>(sql`
      ${selectDeposit()} where deposits.id = ${id} and deposits.organization_id = ${reader.organizationId}
        ${answeredBy(answerer)}`),
  )
  return row ? toDeposit(row) : refuse('not_found')
}

/** Whoever is asked who sent a deposit sees what they are asked about, and what they have answered. */
const answeredBy = (answerer: UserId | undefined): Fragment =>
  answerer ? sql`and (deposits.travel_rule_by = ${answerer} or ${waitsForSender()})` : sql``

/** Deposits by the filters, newest first; with `answerer`, only those whose sender that person is to name, or did. */
export async function listDeposits(reader: Reader, filters: DepositFilters, answerer?: UserId): Promise<Page<Deposit>> {
  const select = sql`${selectDeposit()} where true ${answeredBy(answerer)} ${matching(filters)}`
  const page = await pageOf<DepositRow>(reader, 'deposits', filters, select)
  return { ...page, data: page.data.map(toDeposit) }
}

const matching = (f: DepositFilters): Fragment => sql`
  ${f.status ? sql`and deposits.status = ${f.status}` : sql``}
  ${f.rail ? sql`and deposits.rail = ${f.rail}` : sql``}
  ${f.currency ? sql`and deposits.currency = ${f.currency}` : sql``}
  ${timeRange(sql`deposits.inserted_at`, f)}
  ${amountRange(sql`deposits.amount`, f)}
  ${containing(
    f.q,
    sql`deposits.source ->> 'name', deposits.source ->> 'reference', deposits.source ->> 'account_reference'`,
  )}`

const toDeposit = ({ currency, ...row }: DepositRow): Deposit => ({ ...row, amount: moneyOf(row.amount, currency) })

/** The key of the transfer that credits a deposit, and the cause of its event. */
export const creditKey = (id: string): string => `deposit:${id}:credit`
const returnKey = (id: string): string => `deposit:${id}:return`

/** Credits a held deposit: status, ledger and feed together. Refuses `invalid_state` if it is held no longer. */
export async function releaseDeposit(tx: Tx, { id, amount }: { id: DepositId; amount: Money }, set: Fragment) {
  const { organizationId } = tx
  const key = creditKey(id)
  const legs = [debit(system('suspense'), amount), credit(available(organizationId), amount)]
  await transition(tx, depositMoves, id, { events: ['release'], cause: key, set, payload: amount })
  await postToFeed(tx, { key, organizationId, legs }, { pending: sql`t.deposit_id = ${id}` }, noteIncomingPayments)
}

/** A held deposit as its partner knows it, and what the partner has called about. */
export type HeldDeposit = {
  readonly partner: MoneyPartner
  readonly partnerDepositId: string
  readonly amount: Money
  readonly isReturning: boolean
  readonly callbacksReceived: number
  readonly hasUnprocessedCallbacks: boolean
}

/** What to ask the partner about; undefined if it is held no longer. */
export async function findHeldDeposit(tx: Tx, id: DepositId): Promise<HeldDeposit | undefined> {
  type Row = { rail: PartnerRail; partner_deposit_id: string; amount: string; currency: string }
  const [row] = await tx<(Row & { is_returning: boolean; received: number; unprocessed: boolean })[]>`
    select rail, partner_deposit_id, amount, currency, is_returning, callbacks_received as received,
      ${hasUnprocessedCallbacks(sql`deposits`)} as unprocessed
    from deposits where id = ${id} and status = 'held'`
  if (!row) return undefined
  const { rail, partner_deposit_id: partnerDepositId, is_returning: isReturning } = row
  return {
    partner: partnerOf(rail),
    partnerDepositId,
    amount: moneyOf(row.amount, row.currency),
    isReturning,
    callbacksReceived: row.received,
    hasUnprocessedCallbacks: row.unprocessed,
  }
}

/** The partner was asked after so many of its callbacks, and still has the money. */
export async function markCallbacksProcessed(tx: Tx, id: DepositId, received: number): Promise<void> {
  await tx`
    update deposits set callbacks_processed = ${received}, asks = 0, unclear_since = null, ask_note = null
    where id = ${id} and callbacks_processed < ${received}`
  wake(tx, depositFlow, { ids: [id], why: 'asked' })
}

/** The partner gave no clear answer: it is asked again after a pause, or when it calls. */
export async function noteUnclear(tx: Tx, id: DepositId): Promise<void> {
  await tx`${askAgain('deposits', config.partnerPollSeconds, 'no clear answer')} where id = ${id}`
  wake(tx, depositFlow, { ids: [id], why: 'asked' })
}

const ANSWERABLE_AGAIN_DAYS = 7

/**
 * The partner has refused for good to send it back: it waits for its sender to be named again, and after that time the
 * partner is asked again. False, with nothing written, if it is not on its way back.
 */
export async function recordReturnRefused(tx: Tx, id: DepositId): Promise<boolean> {
  const waits = await tx`select id from deposits where id = ${id} and status = 'held' and is_returning for update`
  if (waits.length === 0) return false
  const [row] = await tx<{ release_by: string }[]>`
    update deposits set is_returning = false, updated_at = business_now(), ask_at = null, asks = 0, ask_note = null,
      release_by = business_now() + make_interval(days => ${ANSWERABLE_AGAIN_DAYS})
    where id = ${id} returning release_by`
  const cause = `${returnKey(id)}:refused:${row?.release_by}`
  await record(tx, depositEvents.return_refused, { subjectId: id, cause })
  wake(tx, depositFlow, { ids: [id], why: 'return_refused' })
  return true
}

/**
 * The partner has sent it back: status, ledger and feed together. `unasked`: by itself. A repeat answers the state that
 * it reached.
 */
export async function recordReturn(tx: Tx, id: DepositId, unasked = false): Promise<DepositStatus> {
  type Row = { rail: PartnerRail; status: DepositStatus; is_returning: boolean; amount: string; currency: string }
  const [row] = await tx<Row[]>`
    select rail, status, is_returning, amount, currency from deposits where id = ${id} for update`
  if (!row) refuse('not_found')
  if (row.status !== 'held') return row.status
  if (!row.is_returning && !unasked) refuse('invalid_state', { current: row.status })
  const key = returnKey(id)
  const amount = moneyOf(row.amount, row.currency)
  await transition(tx, depositMoves, id, { events: ['return'], cause: key, payload: amount })
  await tx`${discardRows(tx, sql`t.deposit_id = ${id}`)}`
  await post(tx, [
    {
      key,
      organizationId: tx.organizationId,
      legs: [debit(system('suspense'), amount), credit(system(RAIL[row.rail].clearing), amount)],
    },
  ])
  return 'returned'
}

/** Deposits: listed, found, credited where they were held, and sent back where nobody said who sent them. */
import { timeRange } from './filters.ts'
import { type Transfer, available, credit, debit, post, system } from './ledger.ts'
import type { Deposit, DepositFilters } from './model/deposit.ts'
import { type DepositStatus, depositFlow } from './model/deposit-flow.ts'
import { refuse } from './model/errors.ts'
import type { DepositId, UserId } from './model/ids.ts'
import { type Money, moneyOf } from './model/money.ts'
import type { Page } from './model/page.ts'
import { type MoneyPartner, partnerOf } from './model/partner.ts'
import { pageOf } from './page.ts'
import { type Fragment, type Reader, type Tx, first, sql } from './sql.ts'
import { transition } from './transition.ts'

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

/** One deposit of the reader's organization; with `answerer`, only where that person named its sender. Refuses `not_found`. */
export async function findDeposit(reader: Reader, id: DepositId, answerer?: UserId): Promise<Deposit> {
  const row = await first(
    reader<DepositRow>(sql`
      ${selectDeposit()} where deposits.id = ${id} and deposits.organization_id = ${reader.organizationId}
        ${answeredBy(answerer)}`),
  )
  return row ? toDeposit(row) : refuse('not_found')
}

const answeredBy = (answerer: UserId | undefined): Fragment =>
  answerer ? sql`and deposits.travel_rule_by = ${answerer}` : sql``

/** Deposits by the filters, newest first; with `answerer`, only those whose sender that person named. */
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
  ${f.amount_min ? sql`and deposits.amount >= ${f.amount_min}::numeric` : sql``}
  ${f.amount_max ? sql`and deposits.amount <= ${f.amount_max}::numeric` : sql``}
  ${
    f.q
      ? sql`and position(lower(${f.q}) in lower(concat_ws(' ', deposits.source ->> 'name',
          deposits.source ->> 'reference', deposits.source ->> 'account_reference'))) > 0`
      : sql``
  }`

const toDeposit = ({ currency, ...row }: DepositRow): Deposit => ({ ...row, amount: moneyOf(row.amount, currency) })

/** The key of the transfer that credits a deposit, and the cause of its event. */
export const creditKey = (id: string): string => `deposit:${id}:credit`
const returnKey = (id: string): string => `deposit:${id}:return`

/** Credits a held deposit: status, ledger and feed together. Refuses `invalid_state` where it is held no longer. */
export async function releaseDeposit(tx: Tx, { id, amount }: { id: DepositId; amount: Money }, set: Fragment) {
  const { organizationId } = tx
  const key = creditKey(id)
  const transfer: Transfer = {
    key,
    organizationId,
    legs: [debit(system('suspense'), amount), credit(available(organizationId), amount)],
  }
  await transition(tx, depositFlow, id, { events: ['release'], cause: key, set, payload: amount })
  const fed = await post<{ id: string }>(
    tx,
    [transfer],
    (postings) => sql`
      with posting as materialized (${postings})
      update transactions t set status = 'posted', running_balance = p.total, posted_at = p.posted_at, seq = p.feed_seq
      from posting p
      where p.organization_id = ${organizationId} and t.deposit_id = ${id} and t.organization_id = ${organizationId}
        and t.status = 'pending' and t.discarded_at is null
      returning t.id`,
  )
  if (fed.length !== 1) throw new Error(`deposit ${id} is in ${fed.length} rows of the feed`)
}

/** What the workflow of a deposit needs to know of it: no names, no amounts. */
export type DepositState = {
  readonly status: DepositStatus
  readonly is_returning: boolean
  readonly release_by: string | null
  readonly clock_offset_seconds: number
}

/**
 * Where a deposit stands. One whose time to answer is over is on its way back from here on: an answer that comes now is
 * refused, and one that was recorded before has credited it. Refuses `not_found`.
 */
export async function attendDeposit(tx: Tx, id: DepositId): Promise<DepositState> {
  await tx`
    update deposits set is_returning = true, updated_at = business_now()
    where id = ${id} and ${waitsForSender()} and release_by <= business_now()`
  const [row] = await tx<(DepositState & { clock_offset_seconds: string })[]>`
    select status, is_returning, release_by, (select offset_seconds from business_clock) as clock_offset_seconds
    from deposits where id = ${id}`
  return row ? { ...row, clock_offset_seconds: Number(row.clock_offset_seconds) } : refuse('not_found')
}

/** Which deposit the partner has to send back; undefined where it is not, or no longer, on its way back. */
export async function returning(
  tx: Tx,
  id: DepositId,
): Promise<{ partner: MoneyPartner; partnerDepositId: string } | undefined> {
  const [row] = await tx<{ rail: 'fiat' | 'crypto'; partner_deposit_id: string | null }[]>`
    select rail, partner_deposit_id from deposits where id = ${id} and status = 'held' and is_returning`
  if (!row) return undefined
  if (!row.partner_deposit_id) throw new Error(`deposit ${id} has no partner to return it`)
  return { partner: partnerOf(row.rail), partnerDepositId: row.partner_deposit_id }
}

/** The partner has sent it back: status, ledger and feed together. A repeat answers the state that it reached. */
export async function recordReturn(tx: Tx, id: DepositId): Promise<DepositStatus> {
  type Row = { status: DepositStatus; is_returning: boolean; amount: string; currency: string }
  const [row] = await tx<Row[]>`
    select status, is_returning, amount, currency from deposits where id = ${id} for update`
  if (!row) refuse('not_found')
  if (row.status !== 'held') return row.status
  if (!row.is_returning) refuse('invalid_state', { current: row.status })
  const key = returnKey(id)
  const amount = moneyOf(row.amount, row.currency)
  await transition(tx, depositFlow, id, { events: ['return'], cause: key, payload: amount })
  await tx`
    update transactions set discarded_at = business_now()
    where deposit_id = ${id} and organization_id = ${tx.organizationId} and status = 'pending'`
  await post(tx, [
    {
      key,
      organizationId: tx.organizationId,
      legs: [debit(system('suspense'), amount), credit(system('custody'), amount)],
    },
  ])
  return 'returned'
}

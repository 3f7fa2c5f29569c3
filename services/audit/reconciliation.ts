/** Lists of partners, stored as they were last read, and their differences to our books. */
import { isOverLimit } from '../covers/covers.ts'
import { listUntraded } from '../covers/desks.ts'
import { syncFindings, syncServiceFindings } from './findings.ts'
import type { Finding } from '../../domain/audit/audit.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import type { ConnectionName, ListName } from '../../domain/partner.ts'
import { forgetUnseen } from '../callbacks/unreadable-records.ts'
import { asSystem, first, sql } from '../../db/postgres/sql.ts'

export type MoneyList = 'payouts' | 'deposits'
export type PartnerRecord = {
  readonly id: string
  readonly status: string
  readonly amount: Money
  /** Part of a returned payout that came back; all of it if the partner does not say. */
  readonly returned?: Money | undefined
  /** Charges for a payout at this status. */
  readonly charges?: Money | undefined
  /** Instant of its status by the partner's clock; null if it does not say. */
  readonly movedAt: string | null
}
export type TradeRecord = {
  readonly id: string
  readonly sell: Money
  readonly buy: Money
  readonly settled: boolean
  readonly settlesOn: string | null
}

/** After this time without a change, a record is read once a day only, with all others. */
const QUIET_DAYS = 7
const READ_WHOLE_EVERY_HOURS = 24
/** A list that could not be read for longer becomes a finding. */
const UNREAD_HOURS = 2
const FINAL = ['settled', 'rejected', 'cancelled', 'returned', 'received']

/** Reading of a list that is under way, page by page. */
export type Reading = {
  /** Cursor of the next page; null at the beginning of the list. */
  readonly after: string | null
  /** Cursor before which nothing has changed for long: the next reading begins there. */
  readonly quietUntil: string | null
  /** Time of business of its start. */
  readonly since: string
}

/** Goes on with the reading of a list that is under way; begins one without, once a day at the start of the list. */
export async function resumeReading(partner: ConnectionName, list: ListName): Promise<Reading> {
  await sql`
    insert into partner_lists as l (partner, list, reading_since, reading_whole)
    values (${partner}, ${list}, business_now(), true)
    on conflict (partner, list) do update set reading_since = excluded.reading_since,
      (reading_whole, reading_after, reading_quiet_until) = (
        select w.whole, f.cursor, f.cursor
        from (select coalesce(l.read_whole_at < excluded.reading_since
          - make_interval(hours => ${READ_WHOLE_EVERY_HOURS}), true) as whole) w
        cross join lateral (select case when not w.whole then l.read_from end as cursor) f)
    where l.reading_since is null`
  const row = await first(sql<Reading[]>`
    select reading_since::text as since, reading_after as after, reading_quiet_until as "quietUntil"
    from partner_lists where partner = ${partner} and list = ${list} and reading_since is not null`)
  return row ?? resumeReading(partner, list) // another worker has finished it in between
}

/** Moves a reading behind the page that was stored. False if another worker has read it, too. */
export async function advanceReading(
  partner: ConnectionName,
  list: ListName,
  { since, after }: Reading,
  next: Pick<Reading, 'after' | 'quietUntil'>,
): Promise<boolean> {
  const moved = await sql`
    update partner_lists set reading_after = ${next.after}, reading_quiet_until = ${next.quietUntil}
    where partner = ${partner} and list = ${list} and reading_since = ${since}::text::timestamptz
      and reading_after is not distinct from ${after} returning 1`
  return moved.length === 1
}

/** Stores a page of a list; tells if none of its records has changed for long. */
export async function storeRecords(
  partner: ConnectionName,
  list: MoneyList,
  records: readonly PartnerRecord[],
): Promise<boolean> {
  const ids = records.map(({ id }) => id)
  const rows = records.map(({ id, status, amount, returned, charges, movedAt: moved_at }, position) => {
    const back = status === 'returned' ? returned : undefined
    const parts = {
      back: back?.amount,
      back_currency: back?.currency,
      cost: charges?.amount,
      cost_currency: charges?.currency,
    }
    return { id, status, ...amount, ...parts, moved_at, position }
  })
  await sql`
    insert into partner_records as p
      (partner, list, id, status, amount, currency, returned_amount, returned_currency, charges_amount, charges_currency,
        moved_at)
    select distinct on (r.id) ${partner}, ${list}, r.id, r.status, r.amount, r.currency, r.back, r.back_currency, r.cost,
      r.cost_currency, r.moved_at
    from jsonb_to_recordset(${sql.json(rows)}) r
      (id uuid, status text, amount numeric, currency text, back numeric, back_currency text, cost numeric,
      cost_currency text, moved_at timestamptz, position integer)
    order by r.id, r.position desc
    on conflict (partner, list, id) do update
    set status = excluded.status, amount = excluded.amount, currency = excluded.currency,
      returned_amount = excluded.returned_amount, returned_currency = excluded.returned_currency,
      charges_amount = excluded.charges_amount, charges_currency = excluded.charges_currency,
      moved_at = excluded.moved_at, changed_at = business_now()
    where (p.status, p.amount, p.currency, p.returned_amount, p.returned_currency, p.charges_amount, p.charges_currency)
      is distinct from (excluded.status, excluded.amount, excluded.currency, excluded.returned_amount,
        excluded.returned_currency, excluded.charges_amount, excluded.charges_currency)`
  const [moving] = await sql`
    select 1 from partner_records
    where partner = ${partner} and list = ${list} and id = any (${ids}::uuid[]) and not (status = any (${FINAL})
      and changed_at < business_now() - make_interval(days => ${QUIET_DAYS}))
    limit 1`
  return moving === undefined
}

/**
 * Stores a page of a desk's trades; tells if all of them have settled. Nothing else of a trade changes, so that such a
 * page need not be read again.
 */
export async function storeTrades(partner: ConnectionName, trades: readonly TradeRecord[]): Promise<boolean> {
  await sql`
    insert into partner_trades (connection, id, sell_amount, sell_currency, buy_amount, buy_currency, settled)
    select distinct on (t.id) ${partner}, t.id, (t.sell ->> 'amount')::numeric, t.sell ->> 'currency',
      (t.buy ->> 'amount')::numeric, t.buy ->> 'currency', t.settled
    from jsonb_to_recordset(${sql.json([...trades])}) t (id uuid, sell jsonb, buy jsonb, settled boolean)
    order by t.id
    on conflict (id) do update set sell_amount = excluded.sell_amount, sell_currency = excluded.sell_currency,
      buy_amount = excluded.buy_amount, buy_currency = excluded.buy_currency, settled = excluded.settled`
  return trades.every(({ settled, settlesOn }) => settled || settlesOn === null)
}

/** Records the end of a reading; the next one begins before what has changed lately. */
export async function finishReading(
  partner: ConnectionName,
  list: ListName,
  { since, quietUntil }: Reading,
): Promise<void> {
  const finished = await first(sql<{ whole: boolean }[]>`
    with reading as (
      select * from partner_lists where partner = ${partner} and list = ${list}
        and reading_since = ${since}::text::timestamptz for update)
    update partner_lists l set read_from = ${quietUntil}, read_at = r.reading_since,
      read_whole_at = case when r.reading_whole then r.reading_since else r.read_whole_at end,
      reading_since = null, reading_whole = null, reading_after = null, reading_quiet_until = null
    from reading r where (l.partner, l.list) = (r.partner, r.list) returning r.reading_whole as whole`)
  if (finished?.whole) await forgetUnseen(partner, list, since)
  await syncServiceFindings('reconciliation', [], [unreadCheck(partner, list)])
}

const unreadCheck = (partner: ConnectionName, list: ListName): string => `${partner}_${list}_not_read`

/** Stores a finding for the operator if a list could not be read for hours. One of yesterday begins again. */
export async function failReading(partner: ConnectionName, list: ListName): Promise<void> {
  await sql`
    update partner_lists set reading_since = null
    where partner = ${partner} and list = ${list}
      and reading_since < business_now() - make_interval(hours => ${READ_WHOLE_EVERY_HOURS})`
  const lately = await first(sql`
    select 1 from partner_lists where partner = ${partner} and list = ${list}
      and read_at >= business_now() - make_interval(hours => ${UNREAD_HOURS})`)
  if (lately) return
  const check = unreadCheck(partner, list)
  await syncServiceFindings('reconciliation', [{ check, subject: `${partner}:${list}` }], [check])
}

export type Difference = Finding & { readonly organization_id: OrganizationId | null }

export const differencesTo = (partner: ConnectionName, list: MoneyList, since: string): Promise<Difference[]> =>
  sql<Difference[]>`
    select organization_id, check_name as check, subject
    from ${sql(list === 'payouts' ? 'payout_differences' : 'deposit_differences')}(${partner}, ${since})`

const PREFIXES = { payouts: ['payout_', 'paid_', 'in_the_books_'], deposits: ['deposit_'] } as const

/** Stores the differences of a list as findings, with a transaction for each organization; resolves the others. */
export async function storeDifferences(
  partner: ConnectionName,
  list: MoneyList,
  differences: readonly Difference[],
): Promise<void> {
  const prefixes = PREFIXES[list].map((check) => `${partner}_${check}`)
  const open = await sql<{ id: OrganizationId }[]>`
    select id from organizations_with_findings('reconciliation', ${`${partner}_`})`
  const of = (id: OrganizationId | null) => differences.filter(({ organization_id: owner }) => owner === id)
  for (const id of new Set([...open.map((row) => row.id), ...differences.map((one) => one.organization_id)])) {
    if (id) await asSystem(id, (tx) => syncFindings(tx, 'reconciliation', of(id), prefixes))
  }
  await syncServiceFindings('reconciliation', of(null), prefixes)
}

/** Checks that asking the partner again may mend: it is elsewhere than we have heard. */
const MENDED_BY_ASKING = [
  'payout_not_heard_of',
  'payout_status_differs',
  'in_the_books_but_not_paid',
  'paid_but_not_in_the_books',
]

type UnansweredPayment = { readonly paymentId: string; readonly status: string }

/** Lists payments to ask the partner about again, with the status that it lists. */
export async function listUnansweredPayments(
  partner: ConnectionName,
  differences: readonly Difference[],
): Promise<UnansweredPayment[]> {
  const checks = new Set(MENDED_BY_ASKING.map((check) => `${partner}_${check}`))
  const ids = differences.filter(({ check }) => checks.has(check)).map(({ subject }) => subject)
  if (ids.length === 0) return []
  return sql<UnansweredPayment[]>`
    select id as "paymentId", status from partner_records
    where partner = ${partner} and list = 'payouts' and id = any (${ids}::uuid[])`
}

/** Checks of trades, whole: a connection may be called `trade`, and has checks that begin with its name. */
const TRADE_CHECKS = ['trade_of_no_cover', 'trade_missing', 'trade_amount_differs', 'trade_not_settled']

/** Stores as findings the trades that differ from our covers, or settle too late. */
export async function storeTradeDifferences(since: string): Promise<Finding[]> {
  const rows = await sql<Finding[]>`
    select check_name as check, subject from trade_differences(${since})
    union all select 'trade_not_settled', id::text from late_settlements()`
  await syncServiceFindings('reconciliation', rows, TRADE_CHECKS)
  return rows
}

/** Stores as findings which covers are open for too long; answers their ids. */
export async function storeUncovered(): Promise<string[]> {
  const check = 'exchange_not_covered'
  const late = await sql<
    Finding[]
  >`select ${check} as check, id as subject from late_covers_of(${listUntraded()}::text[])`
  await syncServiceFindings('reconciliation', late, [check])
  return late.map(({ subject }) => subject)
}

/** Stores as a finding that our own position is over its limit; tells if it is. */
export async function storeOverLimit(): Promise<boolean> {
  const over = await isOverLimit()
  const check = 'fx_position_over_limit'
  await syncServiceFindings('reconciliation', over ? [{ check, subject: 'USD' }] : [], [check])
  return over
}

/** Lists a partner's deposits that our books do not have, in the order of their ids. */
export async function unknownDeposits(partner: ConnectionName, after: string | null, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from unknown_deposits(${partner}) where ${after}::uuid is null or id > ${after} order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Lists deposits that the partner has sent back while our books still hold their money. */
export async function listUnreturnedDeposits(partner: ConnectionName): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from unreturned_deposits(${partner})`
  return rows.map(({ id }) => id)
}

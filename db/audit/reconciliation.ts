/** What partners list, kept as they said it last, and where it differs from our books. */
import { isOverLimit } from '../covers/covers.ts'
import { syncFindings, syncServiceFindings } from './findings.ts'
import type { Finding } from '../../domain/audit/audit.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import type { ListName, ReconciledPartner } from '../../domain/callbacks/partner-list.ts'
import type { MoneyPartner } from '../../domain/callbacks/partner.ts'
import { forgetUnseen } from '../callbacks/unreadable-records.ts'
import { asSystem, first, sql } from '../sql.ts'

/** What is compared of a money partner, list by list. */
export type MoneyList = 'payouts' | 'deposits'
export type PartnerRecord = { readonly id: string; readonly status: string; readonly amount: Money }
export type TradeRecord = { readonly id: string; readonly sell: Money; readonly buy: Money }

/** So long after the last change a record is not read again each time, but once a day with all others. */
const QUIET_DAYS = 7
const READ_WHOLE_EVERY_HOURS = 24
/** A list that could not be read for longer is told. */
const UNREAD_HOURS = 2
/** What a record hardly ever leaves again. */
const FINAL = ['settled', 'rejected', 'cancelled', 'returned', 'received']

export type Reading = { readonly from: string | undefined; readonly whole: boolean; readonly since: string }

/**
 * From where a list is to be read: from its beginning if `whole`. `since` is the time of business at which that begins.
 */
export async function readPosition(partner: ReconciledPartner, list: ListName): Promise<Reading> {
  const row = await first(sql<{ read_from: string | null; whole: boolean; since: string }[]>`
    select l.read_from, t.since,
      coalesce(l.read_whole_at < t.since - make_interval(hours => ${READ_WHOLE_EVERY_HOURS}), true) as whole
    from (select business_now() as since) t
    left join partner_lists l on l.partner = ${partner} and l.list = ${list}`)
  if (!row) throw new Error('there is a time')
  return { from: row.whole ? undefined : (row.read_from ?? undefined), whole: row.whole, since: row.since }
}

/** Keeps a page of a list; answers whether all of it has been as it is for long. */
export async function storeRecords(
  partner: MoneyPartner,
  list: MoneyList,
  records: readonly PartnerRecord[],
): Promise<boolean> {
  const ids = records.map(({ id }) => id)
  await sql`
    insert into partner_records (partner, list, id, status, amount, currency)
    select distinct on (r.id) ${partner}, ${list}, r.id, r.status, r.amount, r.currency
    from unnest(${ids}::uuid[], ${records.map(({ status }) => status)}::text[],
      ${records.map(({ amount }) => amount.amount)}::numeric[], ${records.map(({ amount }) => amount.currency)}::text[])
      with ordinality r (id, status, amount, currency, position)
    order by r.id, r.position desc
    on conflict (partner, list, id) do update
    set status = excluded.status, amount = excluded.amount, currency = excluded.currency, changed_at = business_now()
    where (partner_records.status, partner_records.amount, partner_records.currency)
      is distinct from (excluded.status, excluded.amount, excluded.currency)`
  const [moving] = await sql`
    select 1 from partner_records
    where partner = ${partner} and list = ${list} and id = any (${ids}::uuid[]) and not (status = any (${FINAL})
      and changed_at < business_now() - make_interval(days => ${QUIET_DAYS}))
    limit 1`
  return moving === undefined
}

/** Keeps a page of the rates desk's trades. What was traded stays as it is: no page has to be read again. */
export async function storeTrades(trades: readonly TradeRecord[]): Promise<void> {
  await sql`
    insert into partner_trades (id, sell_amount, sell_currency, buy_amount, buy_currency)
    select distinct on (t.id) t.* from unnest(${trades.map(({ id }) => id)}::uuid[],
      ${trades.map(({ sell }) => sell.amount)}::numeric[], ${trades.map(({ sell }) => sell.currency)}::text[],
      ${trades.map(({ buy }) => buy.amount)}::numeric[], ${trades.map(({ buy }) => buy.currency)}::text[])
      t (id, sell_amount, sell_currency, buy_amount, buy_currency)
    order by t.id
    on conflict (id) do update set sell_amount = excluded.sell_amount, sell_currency = excluded.sell_currency,
      buy_amount = excluded.buy_amount, buy_currency = excluded.buy_currency`
}

/** A list was read to its end; next time it is read from here on. */
export async function finishReading(
  partner: ReconciledPartner,
  list: ListName,
  { from, whole, since }: Reading,
): Promise<void> {
  await sql`
    insert into partner_lists (partner, list, read_from, read_whole_at, read_at)
    values (${partner}, ${list}, ${from ?? null}, ${since}, ${since})
    on conflict (partner, list) do update set read_from = excluded.read_from, read_at = excluded.read_at,
      read_whole_at = case when ${whole} then excluded.read_whole_at else partner_lists.read_whole_at end`
  if (whole) await forgetUnseen(partner, list, since)
  await syncServiceFindings('reconciliation', [], [unreadCheck(partner, list)])
}

const unreadCheck = (partner: ReconciledPartner, list: ListName): string => `${partner}_${list}_not_read`

/** A list could not be read: a finding for the operator if that was so for hours. */
export async function failReading(partner: ReconciledPartner, list: ListName): Promise<void> {
  const lately = await first(sql`
    select 1 from partner_lists where partner = ${partner} and list = ${list}
      and read_at >= business_now() - make_interval(hours => ${UNREAD_HOURS})`)
  if (lately) return
  const check = unreadCheck(partner, list)
  await syncServiceFindings('reconciliation', [{ check, subject: `${partner}:${list}` }], [check])
}

export type Difference = Finding & { readonly organization_id: OrganizationId | null }

/** Where a list of a partner, read since then, differs from our books. */
export async function differencesTo(partner: MoneyPartner, list: MoneyList, since: string): Promise<Difference[]> {
  const differences =
    list === 'payouts' ? sql`payout_differences(${partner}, ${since})` : sql`deposit_differences(${partner}, ${since})`
  const rows = await sql<Difference[]>`select organization_id, check_name as check, subject from ${differences}`
  return [...rows]
}

/** How the checks of each list begin. */
const PREFIXES = { payouts: ['payout_', 'paid_', 'in_the_books_'], deposits: ['deposit_'] } as const

/**
 * Keeps the differences of a list as findings, those of each organization in a transaction; what is gone is resolved.
 */
export async function storeDifferences(
  partner: MoneyPartner,
  list: MoneyList,
  differences: readonly Difference[],
): Promise<void> {
  const prefixes = PREFIXES[list].map((check) => `${partner}_${check}`)
  const open = await sql<{ id: OrganizationId }[]>`
    select id from organizations_with_findings('reconciliation', ${`${partner}_`})`
  const concerned = new Set([
    ...open.map(({ id }) => id),
    ...differences.flatMap(({ organization_id: id }) => (id ? [id] : [])),
  ])
  const of = (organization: OrganizationId | null) =>
    differences.filter(({ organization_id: id }) => id === organization)
  for (const id of concerned) await asSystem(id, (tx) => syncFindings(tx, 'reconciliation', of(id), prefixes))
  await syncServiceFindings('reconciliation', of(null), prefixes)
}

/** What asking the partner again may mend: it is elsewhere than we have heard. */
const MENDED_BY_ASKING = [
  'payout_not_heard_of',
  'payout_status_differs',
  'in_the_books_but_not_paid',
  'paid_but_not_in_the_books',
]

export type Unanswered = { readonly paymentId: string; readonly status: string }

/** Payments among the differences that the partner should be asked about again, with the status that it lists. */
export async function unansweredPayments(
  partner: MoneyPartner,
  differences: readonly Difference[],
): Promise<Unanswered[]> {
  const checks = new Set(MENDED_BY_ASKING.map((check) => `${partner}_${check}`))
  const ids = differences.filter(({ check }) => checks.has(check)).map(({ subject }) => subject)
  if (ids.length === 0) return []
  const rows = await sql<Unanswered[]>`
    select id as "paymentId", status from partner_records
    where partner = ${partner} and list = 'payouts' and id = any (${ids}::uuid[])`
  return [...rows]
}

/** Where the rates desk's trades, read since then, differ from our covers; keeps that as findings of the service. */
export async function storeTradeDifferences(since: string): Promise<Finding[]> {
  const rows = await sql<Finding[]>`select check_name as check, subject from trade_differences(${since})`
  await syncServiceFindings('reconciliation', rows, ['trade_'])
  return [...rows]
}

/** Keeps as findings which covers are open for too long; answers their ids. */
export async function storeUncovered(): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from late_covers()`
  const check = 'exchange_not_covered'
  await syncServiceFindings(
    'reconciliation',
    rows.map(({ id }) => ({ check, subject: id })),
    [check],
  )
  return rows.map(({ id }) => id)
}

/** Keeps as a finding that our own position is over its limit; answers whether it is. */
export async function storeOverLimit(): Promise<boolean> {
  const over = await isOverLimit()
  const check = 'fx_position_over_limit'
  await syncServiceFindings('reconciliation', over ? [{ check, subject: 'USD' }] : [], [check])
  return over
}

/** Deposits in a partner's list that our books know nothing of. */
export async function unknownDeposits(partner: MoneyPartner): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from unknown_deposits(${partner})`
  return rows.map(({ id }) => id)
}

/** Deposits in a partner's list that it has sent back while our books still hold their money. */
export async function unreturnedDeposits(partner: MoneyPartner): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from unreturned_deposits(${partner})`
  return rows.map(({ id }) => id)
}

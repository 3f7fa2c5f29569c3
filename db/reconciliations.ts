/** What partners list, kept as they said it last, and where it differs from our books. */
import { keepFindings, keepServiceFindings } from './audits.ts'
import type { Finding } from './model/audit.ts'
import type { OrganizationId } from './model/ids.ts'
import type { Money } from './model/money.ts'
import type { MoneyPartner } from './model/partner.ts'
import { asSystem, first, sql } from './sql.ts'

/** What a partner lists of both. */
export type PartnerList = 'payouts' | 'deposits'
export type PartnerRecord = { readonly id: string; readonly status: string; readonly amount: Money }

/** So long after the last change a record is not read again each time, but once a day with all others. */
const QUIET_DAYS = 7
const READ_WHOLE_EVERY_HOURS = 24
/** What a record hardly ever leaves again. */
const FINAL = ['settled', 'rejected', 'cancelled', 'returned', 'received']

/** From where a list is to be read: from its beginning where `whole`. */
export async function whereToRead(
  partner: MoneyPartner,
  list: PartnerList,
): Promise<{ from: string | undefined; whole: boolean }> {
  const row = await first(sql<{ read_from: string | null; whole: boolean }[]>`
    select read_from,
      coalesce(read_whole_at < business_now() - make_interval(hours => ${READ_WHOLE_EVERY_HOURS}), true) as whole
    from partner_lists where partner = ${partner} and list = ${list}`)
  return { from: row && !row.whole ? (row.read_from ?? undefined) : undefined, whole: row?.whole ?? true }
}

/** Keeps a page of a list; answers whether all of it has been as it is for long. */
export async function keepRecords(
  partner: MoneyPartner,
  list: PartnerList,
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

/** A list was read to its end; next time it is read from here on. */
export async function finishReading(
  partner: MoneyPartner,
  list: PartnerList,
  read: { from: string | undefined; whole: boolean },
): Promise<void> {
  await sql`
    insert into partner_lists (partner, list, read_from, read_whole_at)
    values (${partner}, ${list}, ${read.from ?? null}, business_now())
    on conflict (partner, list) do update set read_from = excluded.read_from,
      read_whole_at = case when ${read.whole} then excluded.read_whole_at else partner_lists.read_whole_at end`
}

/** Business time, as the start of a reconciliation. */
export async function startOfReading(): Promise<string> {
  const row = await first(sql<{ now: string }[]>`select business_now() as now`)
  return row?.now ?? ''
}

export type Difference = Finding & { readonly organization_id: OrganizationId | null }

/** Where both lists of a partner, read since then, differ from our books. */
export async function differencesTo(partner: MoneyPartner, since: string): Promise<Difference[]> {
  const rows = await sql<Difference[]>`
    select organization_id, check_name as check, subject from payout_differences(${partner}, ${since})
    union all
    select organization_id, check_name, subject from deposit_differences(${partner}, ${since})`
  return [...rows]
}

/** Keeps the differences of a partner as findings, those of each organization in a transaction; what is gone is resolved. */
export async function keepDifferences(partner: MoneyPartner, differences: readonly Difference[]): Promise<void> {
  const prefix = `${partner}_`
  const open = await sql<{ id: OrganizationId }[]>`
    select id from organizations_with_findings('reconciliation', ${prefix})`
  const concerned = new Set([
    ...open.map(({ id }) => id),
    ...differences.flatMap(({ organization_id: id }) => (id ? [id] : [])),
  ])
  const of = (organization: OrganizationId | null) =>
    differences.filter(({ organization_id: id }) => id === organization)
  for (const id of concerned) await asSystem(id, (tx) => keepFindings(tx, 'reconciliation', of(id), prefix))
  await keepServiceFindings('reconciliation', of(null), prefix)
}

/** Deposits in a partner's list that our books know nothing of. */
export async function unknownDeposits(partner: MoneyPartner): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from unknown_deposits(${partner})`
  return rows.map(({ id }) => id)
}

/** Payouts and deposits of a partner as transactions of one list. */
import { config } from '../../../platform/config.ts'
import type { ConnectionName, PayoutStatus } from '../../../domain/partner.ts'
import type { Money } from '../../../domain/money/money.ts'
import { type Fragment, first, sql } from '../../../db/postgres/sql.ts'
import { takeFault } from '../faults.ts'
import type { Sender } from '../deposits.ts'

/** Time in which deposits get their confirmations. */
export const CONFIRM_SECONDS = config.sandboxSettleMs / 1000

/** Order of a transaction as it was asked for. */
export type TransactionDocument = {
  readonly externalTxId?: string
  readonly assetId: string
  readonly sourceVault: number
  readonly destination: {
    readonly type: string
    readonly id?: string
    readonly address?: string
    readonly tag?: string | undefined
  }
  readonly note?: string
  readonly customerRefId?: string
  /** Fee of the network; of which asset, and of which coin of the books. */
  readonly fee: { readonly amount: string; readonly asset: string; readonly coin: string }
  /** Blocked by the policy of the workspace. */
  readonly blocked?: boolean
}

/** State of a transaction, now or before its last change. */
export type TransactionState = {
  readonly status: PayoutStatus | 'received'
  readonly detail: string
  /** Hash on chain; null before the broadcast. */
  readonly reference: string | null
  readonly version: number
}

export type TransactionRow = TransactionState & {
  readonly id: string
  readonly direction: 'out' | 'in'
  readonly amount: string
  readonly currency: string
  readonly charges: Money | null
  readonly manual: boolean
  readonly cancel_asked: boolean
  readonly previous: Partial<TransactionState> | null
  readonly document: TransactionDocument | null
  /** Address that a deposit went to, with its vault account and asset if it is of one. */
  readonly account: string | null
  readonly sender: Sender | null
  readonly vault: number | null
  readonly asset: string | null
  readonly made_ms: number
  readonly updated_ms: number
  /** Seconds since the last change of a payout, or since the arrival of a deposit. */
  readonly age: number
  /** Place in the lists by creation and by change. */
  readonly made_place: string
  readonly updated_place: string
}

/** Assets by coin: several of them on different networks. */
export type AssetsOf = Readonly<Record<string, readonly string[]>>

const payouts = (partner: ConnectionName) => sql`
  select p.id, 'out' as direction, p.amount, p.currency, p.status, p.detail, p.reference, p.version, p.charges, p.manual,
    p.cancel_asked, p.previous, p.document, null::text as account, null::jsonb as sender, null::integer as vault,
    null::text as asset, p.made_at, p.updated_at, clock_timestamp() - p.updated_at as age
  from sandbox_payouts p where p.partner = ${partner} and p.document is not null`

/** Deposits; their assets are those of their addresses that are of their coin. */
const deposits = (partner: ConnectionName, assetsOf: AssetsOf) => sql`
  select d.id, 'in' as direction, d.amount, d.currency, d.status, '' as detail, d.reference, d.version,
    null::jsonb as charges, false as manual, false as cancel_asked, null::jsonb as previous, null::jsonb as document,
    d.account, d.sender, a.vault_id as vault, a.asset, d.received_at as made_at,
    case when d.document ? 'confirmed' then d.received_at
      else least(clock_timestamp(), d.received_at + make_interval(secs => ${CONFIRM_SECONDS})) end as updated_at,
    clock_timestamp() - d.received_at + make_interval(secs => case when d.document ? 'confirmed'
      then ${CONFIRM_SECONDS}::float8 else 0 end) as age
  from sandbox_deposits d left join lateral (
    select o.vault_id, o.asset from sandbox_vault_addresses o
    where o.partner = d.partner and o.address = d.account and (${sql.json(assetsOf)}::jsonb -> d.currency) ? o.asset
    order by o.vault_id limit 1) a on true
  where d.partner = ${partner}`

/** Adds times and places to rows. */
const addTimes = (rows: Fragment) => sql`
  select r.id, r.direction, r.amount, r.currency, r.status, r.detail, r.reference, r.version, r.charges, r.manual,
    r.cancel_asked, r.previous, r.document, r.account, r.sender, r.vault, r.asset,
    floor(extract(epoch from r.made_at) * 1000)::float8 as made_ms,
    floor(extract(epoch from r.updated_at) * 1000)::float8 as updated_ms,
    extract(epoch from r.age)::float8 as age,
    to_char(r.made_at, 'YYYYMMDDHH24MISSUS') || r.id::text collate "C" as made_place,
    to_char(r.updated_at, 'YYYYMMDDHH24MISSUS') || r.id::text collate "C" as updated_place
  from (${rows}) r`

/** Finds a payout by its id; under the fault `out_of_order`, its previous version. */
export async function findOutgoing(partner: ConnectionName, id: string): Promise<TransactionRow | undefined> {
  const row = await findPayoutRow(partner, id)
  if (!row?.previous) return row
  const stale = (await takeFault(partner, ['out_of_order'])) !== undefined
  return stale ? { ...row, ...row.previous } : row
}

/** Finds a payout by its id, as it is. */
export const findPayoutRow = async (partner: ConnectionName, id: string): Promise<TransactionRow | undefined> =>
  first(sql<TransactionRow[]>`select t.* from (${addTimes(payouts(partner))}) t where t.id = ${id}`)

export const findIncoming = async (
  partner: ConnectionName,
  assetsOf: AssetsOf,
  id: string,
): Promise<TransactionRow | undefined> =>
  first(sql<TransactionRow[]>`select t.* from (${addTimes(deposits(partner, assetsOf))}) t where t.id = ${id}`)

export type TransactionQuery = {
  readonly by: 'made' | 'updated'
  readonly descending: boolean
  /** Creation after and before these instants. */
  readonly afterMs: number | null
  readonly beforeMs: number | null
  /** Place after which it goes on. */
  readonly place: string | null
  readonly limit: number
}

/** Lists transactions of both directions. */
export async function listTransactions(
  partner: ConnectionName,
  assetsOf: AssetsOf,
  { by, descending, afterMs, beforeMs, place: from, limit }: TransactionQuery,
): Promise<TransactionRow[]> {
  const column = sql(by === 'made' ? 't.made_place' : 't.updated_place')
  const beyond = descending ? sql`${column} < ${from}` : sql`${column} > ${from}`
  return [
    ...(await sql<TransactionRow[]>`
      select t.* from (${addTimes(sql`${payouts(partner)} union all ${deposits(partner, assetsOf)}`)}) t
      where (${from}::text is null or ${beyond})
        and (${afterMs}::float8 is null or t.made_ms > ${afterMs})
        and (${beforeMs}::float8 is null or t.made_ms < ${beforeMs})
      order by ${column} ${descending ? sql`desc` : sql`asc`} limit ${limit}`),
  ]
}

export type Holding = {
  readonly vault: number
  readonly asset: string
  /** On chain, with what is not confirmed; of that ordered and not broadcast, and coming and not confirmed. */
  readonly total: string
  readonly locked: string
  readonly pending: string
}

/** Sums what each vault account holds: deposits, less what is on its way from it, or left it, and fees. */
export const listHoldings = async (partner: ConnectionName, main: number, assetsOf: AssetsOf): Promise<Holding[]> => [
  ...(await sql<Holding[]>`
    with orders as (
      select p.status, p.reference, p.amount::numeric as amount, p.document ->> 'assetId' as asset,
        (p.document ->> 'sourceVault')::integer as vault, p.document -> 'destination' as destination,
        p.document -> 'fee' ->> 'asset' as fee_asset,
        case when p.charges ->> 'currency' = p.document -> 'fee' ->> 'coin' then p.charges ->> 'amount'
          else p.document -> 'fee' ->> 'amount' end::numeric as fee
      from sandbox_payouts p where p.partner = ${partner} and p.document is not null),
    moves as (
      select coalesce(d.vault, ${main}) as vault, coalesce(d.asset, ${sql.json(assetsOf)}::jsonb -> d.currency ->> 0) as asset,
        d.amount::numeric as total, 0 as locked,
        case when d.age < make_interval(secs => ${CONFIRM_SECONDS}) then d.amount::numeric else 0 end as pending
      from (${deposits(partner, assetsOf)}) d where d.status = 'received'
      union all
      select o.vault, o.asset, case when o.status in ('processing', 'settled') then -o.amount else 0 end,
        case when o.status in ('pending', 'on_hold') then o.amount else 0 end, 0
      from orders o
      union all
      select (o.destination ->> 'id')::integer, o.asset, o.amount, 0, case when o.status = 'processing' then o.amount else 0 end
      from orders o where o.status in ('processing', 'settled') and o.destination ->> 'type' = 'VAULT_ACCOUNT'
      union all
      select o.vault, o.fee_asset, -o.fee, 0, 0
      from orders o where o.reference is not null and o.status in ('processing', 'settled', 'rejected'))
    select m.vault, m.asset, trim_scale(sum(m.total))::text as total, trim_scale(sum(m.locked))::text as locked,
      trim_scale(sum(m.pending))::text as pending
    from moves m where m.asset is not null group by m.vault, m.asset order by m.vault, m.asset`),
]

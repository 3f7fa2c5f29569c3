/**
 * Lease on a connection: one holder over all processes, so that no token is refreshed twice and no item posted twice.
 * It expires if its holder dies.
 */
import type { ConnectionStatus } from '../../domain/accounting/connection-flow.ts'
import type { AccountingConnectionId } from '../../domain/ids.ts'
import { config } from '../../platform/config.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { type Fragment, type Tx, first, sql } from '../../db/postgres/sql.ts'

/** Lease by the system clock, longer than its three calls: a dead token, a refresh, the repeat. */
const LEASE_SECONDS = 30 + Math.ceil((3 * config.partnerTimeoutMs) / 1000)
/** Time before its end at which an access token is refreshed. */
const SPARE_SECONDS = 60
/** Xero's limit for a tenant in any minute. */
const CALLS_PER_MINUTE = 60

/** Tokens of some books; `accessSeconds` is the lifetime of the access token. */
export type Tokens = { readonly access: string; readonly refresh: string; readonly accessSeconds: number }

/** Sets the columns of tokens, sealed for the connection's row. */
export const tokenColumns = (id: string, { access, refresh, accessSeconds }: Tokens): Fragment => sql`
  sealed = ${encryptForRow(id, { access, refresh })},
  access_expires_at = business_now() + make_interval(secs => ${accessSeconds})`

/** Connection under a lease. `stale`: the access token ends within a minute. */
export type HeldLease = {
  readonly id: AccountingConnectionId
  readonly status: ConnectionStatus
  readonly tenantId: string
  readonly providerConnectionId: string
  readonly access: string
  readonly refresh: string
  readonly stale: boolean
}

type Row = Pick<HeldLease, 'status' | 'tenantId' | 'providerConnectionId' | 'stale'> & { readonly sealed: Buffer }

/** Takes the lease for this holder; null while another holder has it, or if the connection has ended. */
export const takeLease = (tx: Tx, id: AccountingConnectionId, holder: string): Promise<HeldLease | null> =>
  lease(tx, id, holder, sql`(lease is null or leased_until < clock_timestamp())`)

/** Prolongs the lease; null if another holder has it, or the connection was ended or made again. */
export const keepLease = (tx: Tx, id: AccountingConnectionId, holder: string): Promise<HeldLease | null> =>
  lease(tx, id, holder, sql`lease = ${holder}`)

async function lease(tx: Tx, id: AccountingConnectionId, holder: string, free: Fragment): Promise<HeldLease | null> {
  const [row] = await tx<Row[]>`
    update accounting_connections
    set lease = ${holder}, leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and sealed is not null and ${free}
    returning status, tenant_id as "tenantId", provider_connection_id as "providerConnectionId", sealed,
      access_expires_at < business_now() + make_interval(secs => ${SPARE_SECONDS}) as stale`
  if (!row) return null
  const { sealed, ...held } = row
  const { access, refresh } = decryptForRow(id, sealed) as { access: string; refresh: string } // tokenColumns()
  return { ...held, id, access, refresh }
}

/** Releases the lease, if this holder still has it. */
export async function releaseLease(tx: Tx, id: AccountingConnectionId, holder: string): Promise<void> {
  await tx`
    update accounting_connections set lease = null, leased_until = null where id = ${id} and lease = ${holder}`
}

/** Stores refreshed tokens; false if another holder has the lease, whose tokens are newer. */
export async function keepTokens(tx: Tx, id: AccountingConnectionId, holder: string, tokens: Tokens): Promise<boolean> {
  const kept = await tx`
    update accounting_connections set ${tokenColumns(id, tokens)}, updated_at = business_now()
    where id = ${id} and lease = ${holder} and sealed is not null returning id`
  return kept.length === 1
}

/**
 * Takes one call out of the rate limit of these books, over all processes; else returns the seconds to wait, at most a
 * minute: a statement that waited for the row is older than the call that it meets.
 */
export async function takeCall(tenantId: string): Promise<number | null> {
  const row = await first(sql<{ wait_seconds: number | null }[]>`
    insert into accounting_calls as c (tenant_id, made_at) values (${tenantId}, array[business_now()])
    on conflict (tenant_id) do update set made_at = case
      when cardinality(c.made_at) < ${CALLS_PER_MINUTE} or c.made_at[1] <= business_now() - interval '1 minute'
      then (c.made_at || business_now())[greatest(cardinality(c.made_at) - ${CALLS_PER_MINUTE - 2}, 1):]
      else c.made_at end
    returning case when new.made_at = old.made_at
      then extract(epoch from least(interval '1 minute', new.made_at[1] + interval '1 minute' - business_now()))::float8
      end as wait_seconds`)
  return row?.wait_seconds ?? null
}

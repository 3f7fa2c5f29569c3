/**
 * The right to speak with the provider about a connection: one holder over all processes, so that no two refresh with
 * the same token or post the same thing. A lease ends by itself if its holder dies.
 */
import type { ConnectionStatus } from '../../domain/flows/accounting/connection.ts'
import type { AccountingConnectionId } from '../../domain/ids.ts'
import { config } from '../../platform/config.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { type Fragment, type Tx, first, sql } from '../sql.ts'

/** By the system clock; longer than the three calls that may be made in it: a dead token, a refresh, the repeat. */
const LEASE_SECONDS = 30 + Math.ceil((3 * config.partnerTimeoutMs) / 1000)
/** An access token is refreshed this long before it ends. */
const SPARE_SECONDS = 60
/** Xero's limit for one tenant in any minute. */
const CALLS_PER_MINUTE = 60

/** What opens some books; the access token lives for these seconds. */
export type Tokens = { readonly access: string; readonly refresh: string; readonly accessSeconds: number }

/** Sets the columns of tokens, sealed for the connection's row. */
export const tokenColumns = (id: string, { access, refresh, accessSeconds }: Tokens): Fragment => sql`
  sealed = ${encryptForRow(id, { access, refresh })},
  access_expires_at = business_now() + make_interval(secs => ${accessSeconds})`

/** A connection as its holder speaks with the provider. `stale`: the access token ends within a minute. */
export type Held = {
  readonly id: AccountingConnectionId
  readonly status: ConnectionStatus
  readonly tenantId: string
  readonly providerConnectionId: string
  readonly access: string
  readonly refresh: string
  readonly stale: boolean
}

type Row = Pick<Held, 'status' | 'tenantId' | 'providerConnectionId' | 'stale'> & { readonly sealed: Buffer }

/** Takes the lease for this holder; null while another one has it, or if the connection is over. */
export const takeLease = (tx: Tx, id: AccountingConnectionId, holder: string): Promise<Held | null> =>
  lease(tx, id, holder, sql`(lease is null or leased_until < clock_timestamp())`)

/** Prolongs the lease; null if it is another's by now, or people ended or made the connection. */
export const keepLease = (tx: Tx, id: AccountingConnectionId, holder: string): Promise<Held | null> =>
  lease(tx, id, holder, sql`lease = ${holder}`)

async function lease(tx: Tx, id: AccountingConnectionId, holder: string, free: Fragment): Promise<Held | null> {
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

/** Gives the lease back, if it is still this holder's. */
export async function releaseLease(tx: Tx, id: AccountingConnectionId, holder: string): Promise<void> {
  await tx`
    update accounting_connections set lease = null, leased_until = null where id = ${id} and lease = ${holder}`
}

/** Keeps refreshed tokens; false if the lease is another's by now, whose tokens are the later ones. */
export async function keepTokens(tx: Tx, id: AccountingConnectionId, holder: string, tokens: Tokens): Promise<boolean> {
  const kept = await tx`
    update accounting_connections set ${tokenColumns(id, tokens)}, updated_at = business_now()
    where id = ${id} and lease = ${holder} and sealed is not null returning id`
  return kept.length === 1
}

/** Takes the right to one call about these books, over all processes; or answers the seconds to wait for it. */
export async function takeCall(tenantId: string): Promise<number | null> {
  const row = await first(sql<{ wait_seconds: number | null }[]>`
    insert into accounting_calls as c (tenant_id, made_at) values (${tenantId}, array[business_now()])
    on conflict (tenant_id) do update set made_at = case
      when cardinality(c.made_at) < ${CALLS_PER_MINUTE} or c.made_at[1] <= business_now() - interval '1 minute'
      then (c.made_at || business_now())[greatest(cardinality(c.made_at) - ${CALLS_PER_MINUTE - 2}, 1):]
      else c.made_at end
    returning case when new.made_at = old.made_at
      then extract(epoch from new.made_at[1] + interval '1 minute' - business_now())::float8 end as wait_seconds`)
  return row?.wait_seconds ?? null
}

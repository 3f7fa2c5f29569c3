/**
 * Who speaks with the provider about a connection: one at a time, over all processes, so that no two refresh with the
 * same token or post the same thing. A lease ends by itself if its holder dies.
 */
import { config } from '../../platform/config.ts'
import { decryptForRow } from '../../platform/encryption.ts'
import type { ConnectionStatus } from '../../domain/flows/accounting/connection.ts'
import type { AccountingConnectionId } from '../../domain/ids.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'
import { type Tokens, tokenColumns } from './connections.ts'

/**
 * Longer than the three calls take that may be made before it is kept again: one whose token is dead, a refresh, and
 * the repeat. By the clock of the system.
 */
const LEASE_SECONDS = 30 + Math.ceil((3 * config.partnerTimeoutMs) / 1000)
/** An access token is refreshed so long before it ends. */
const SPARE_SECONDS = 60

/** A connection as its holder speaks with the provider. */
export type Held = {
  readonly id: AccountingConnectionId
  readonly status: ConnectionStatus
  readonly tenantId: string
  readonly providerConnectionId: string
  readonly access: string
  readonly refresh: string
  /** The access token ends within a minute, or has ended. */
  readonly stale: boolean
}

type Row = {
  readonly status: ConnectionStatus
  readonly tenant_id: string
  readonly provider_connection_id: string
  readonly sealed: Buffer
  readonly stale: boolean
}

/**
 * Takes the lease for this holder; null while another one has it, or if the connection is over. What is answered is
 * what the row says now.
 */
export const takeLease = (tx: Tx, id: AccountingConnectionId, holder: string): Promise<Held | null> =>
  lease(tx, id, holder, sql`(lease is null or leased_until < clock_timestamp())`)

/**
 * Prolongs it; null if it is not this holder's any more: another one has it, or people ended or made the connection.
 */
export const keepLease = (tx: Tx, id: AccountingConnectionId, holder: string): Promise<Held | null> =>
  lease(tx, id, holder, sql`lease = ${holder}`)

async function lease(tx: Tx, id: AccountingConnectionId, holder: string, free: Fragment): Promise<Held | null> {
  const [row] = await tx<Row[]>`
    update accounting_connections
    set lease = ${holder}, leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and sealed is not null and ${free}
    returning status, tenant_id, provider_connection_id, sealed,
      access_expires_at < business_now() + make_interval(secs => ${SPARE_SECONDS}) as stale`
  if (!row) return null
  const { access, refresh } = decryptForRow(id, row.sealed) as { access: string; refresh: string } // tokenColumns()
  const { status, tenant_id: tenantId, provider_connection_id: providerConnectionId, stale } = row
  return { id, status, tenantId, providerConnectionId, access, refresh, stale }
}

/** Gives it back, if it is still this holder's. */
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

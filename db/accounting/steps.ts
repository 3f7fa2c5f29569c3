/** What the runs of connections and syncs have done to their rows; steps at Xero are in activities/accounting/. */
import { log } from '../../platform/log.ts'
import type { AccountingConnectionId, SyncRunId } from '../../domain/ids.ts'
import type { ConnectionStatus } from '../../domain/flows/accounting/connection.ts'
import { type Tx, sql } from '../sql.ts'
import { noteRevoked } from './revocation.ts'
import { failRun } from './sync-runs.ts'
import { isTriedInVain } from '../asking.ts'

/** Drops the tokens of a connection that was not revoked within a day: they end by themselves. */
export async function giveUpRevocation(tx: Tx, id: AccountingConnectionId): Promise<void> {
  const over = await tx`
    select from accounting_connections c
    where c.id = ${id} and c.status = 'disconnecting' and ${isTriedInVain(sql`c`)} for no key update`
  if (over.length === 0) return
  log.error({ connection_id: id }, 'a connection with an accounting program was dropped without being revoked')
  await noteRevoked(tx, id)
}

type Stopped = { readonly connection_status: ConnectionStatus; readonly organization_status: string }

/** Fails a sync whose connection does not stand any more, or whose organization is not active. */
export async function stopSync(tx: Tx, id: SyncRunId): Promise<void> {
  const [row] = await tx<Stopped[]>`
    select c.status as connection_status, o.status as organization_status
    from accounting_sync_runs r join accounting_connections c on c.id = r.connection_id
    join organizations o on o.id = r.organization_id
    where r.id = ${id} and r.status = 'running' for no key update of r`
  if (!row) return
  const { connection_status: connection, organization_status: organization } = row
  if (connection !== 'connected') {
    await failRun(tx, id, connection === 'needs_reconnect' ? 'needs_reconnect' : 'disconnected')
  } else if (organization !== 'active') await failRun(tx, id, 'organization_unavailable')
}

/** Fails a sync that an accounting program did not answer for a day. */
export async function giveUpSync(tx: Tx, id: SyncRunId): Promise<void> {
  const over = await tx`
    select from accounting_sync_runs r
    where r.id = ${id} and r.status = 'running' and ${isTriedInVain(sql`r`)} for no key update`
  if (over.length > 0) await failRun(tx, id, 'unreachable')
}

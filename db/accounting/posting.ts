/** A run as its process goes on with it. */
import type { AccountingConnectionId, SyncRunId } from '../../domain/ids.ts'
import type { ConnectionStatus } from '../../domain/flows/accounting/connection.ts'
import type { Tx } from '../sql.ts'
import type { Posting } from './items.ts'
import { failRun } from './sync-runs.ts'

/** `accountsRead`: the chart of accounts is as it was when the run began. */
export type Step = Posting & { readonly accountsRead: boolean }

type Row = {
  readonly connection_id: AccountingConnectionId
  readonly tenant_id: string
  readonly since: string | null
  readonly accounts_read: boolean
  readonly connection_status: ConnectionStatus
  readonly organization_status: string
}

/** What a run has to go on with; null if it has ended, or ends here because nothing may be posted. */
export async function findStep(tx: Tx, runId: SyncRunId): Promise<Step | null> {
  const [row] = await tx<Row[]>`
    select r.connection_id, c.tenant_id, c.synced_to as since, r.accounts_read, c.status as connection_status,
      o.status as organization_status
    from accounting_sync_runs r join accounting_connections c on c.id = r.connection_id
    join organizations o on o.id = r.organization_id
    where r.id = ${runId} and r.status = 'running'`
  if (!row) return null
  if (row.connection_status !== 'connected') {
    await failRun(tx, runId, row.connection_status === 'needs_reconnect' ? 'needs_reconnect' : 'disconnected')
    return null
  }
  if (row.organization_status !== 'active') {
    await failRun(tx, runId, 'organization_unavailable')
    return null
  }
  const { connection_id: connectionId, tenant_id: tenantId, since, accounts_read: accountsRead } = row
  return { runId, connectionId, tenantId, since, accountsRead }
}

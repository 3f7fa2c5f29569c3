/** A sync as its steps go on with it. */
import type { AccountingConnectionId, SyncRunId } from '../../domain/ids.ts'
import { type Reader, sql } from '../sql.ts'
import type { Posting } from './items.ts'

/** `accountsRead`: the chart of accounts is as it was when the sync began. */
export type Syncing = Posting & { readonly accountsRead: boolean }

type Row = {
  readonly connection_id: AccountingConnectionId
  readonly tenant_id: string
  readonly since: string | null
  readonly accounts_read: boolean
}

/** Reads what a sync has to go on with; null if it has ended, or nothing may be posted any more. */
export async function findSyncing(reader: Reader, runId: SyncRunId): Promise<Syncing | null> {
  const [row] = await reader<Row>(sql`
    select r.connection_id, c.tenant_id, c.synced_to as since, r.accounts_read
    from accounting_sync_runs r join accounting_connections c on c.id = r.connection_id
    join organizations o on o.id = r.organization_id
    where r.id = ${runId} and r.status = 'running' and c.status = 'connected' and o.status = 'active'`)
  if (!row) return null
  const { connection_id: connectionId, tenant_id: tenantId, since, accounts_read: accountsRead } = row
  return { runId, connectionId, tenantId, since, accountsRead }
}

import type { Integration } from '../../domain/accounting/integration.ts'
import { refuse } from '../../domain/errors.ts'
import type { AccountingConnectionId } from '../../domain/ids.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { findLatestRun } from './sync-runs.ts'

/** More than one only while others are being revoked. */
const LISTED_MAX = 20

type Row = Omit<Integration, 'type' | 'needs_reconnect' | 'last_sync' | 'id'> & { readonly id: AccountingConnectionId }

/** Lists the organization's connections that have not ended, newest first. */
export async function listIntegrations(reader: Reader): Promise<Integration[]> {
  const rows = await reader<Row>(sql`
    select c.id, c.provider, c.status, c.tenant_id, c.tenant_name, c.connected_at, c.ended_at,
      jsonb_build_object('id', p.id, 'first_name', p.first_name, 'last_name', p.last_name) as connected_by
    from accounting_connections c join people p on p.id = c.connected_by
    where c.organization_id = ${reader.organizationId} and c.status <> 'disconnected'
    order by c.inserted_at desc, c.id desc limit ${LISTED_MAX}`)
  const integrations: Integration[] = []
  for (const row of rows) {
    const last_sync = await findLatestRun(reader, row.id)
    integrations.push({ ...row, type: 'accounting', needs_reconnect: row.status === 'needs_reconnect', last_sync })
  }
  return integrations
}

/** Finds a connection that has not ended. Refuses `accounting_not_connected`. */
export async function findIntegration(reader: Reader, id: AccountingConnectionId): Promise<Integration> {
  const found = (await listIntegrations(reader)).find((integration) => integration.id === id)
  return found ?? refuse('accounting_not_connected')
}

/** Begins the sync of every organization that is connected. */
import { connectedOrganizations, requestRun } from '../../db/accounting/sync-runs.ts'
import type { AccountingConnectionId } from '../../domain/ids.ts'
import { asSystem } from '../../db/sql.ts'

const PAGE = 200

export type SyncPage = { readonly after: string | null }
export type SyncedPage = SyncPage & { readonly begun: number }

/** Begins those of a page; `after` is null if it was the last one. One that runs already is left alone. */
export async function beginSyncs({ after }: SyncPage): Promise<SyncedPage> {
  const page = await connectedOrganizations(after, PAGE)
  for (const { id, organization_id: organizationId } of page) {
    const connectionId = id as AccountingConnectionId // the id of a connection
    await asSystem(organizationId, (tx) => requestRun(tx, connectionId, { trigger: 'schedule', requestedBy: null }))
  }
  return { after: page.length < PAGE ? null : (page.at(-1)?.id ?? null), begun: page.length }
}

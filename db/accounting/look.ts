/** What the processes of connections and syncs find in their rows. */
import { type AskRow, askColumns, askedState } from '../asking.ts'
import { type ConnectionStatus, connectionFlow } from '../../domain/flows/accounting/connection.ts'
import { type SyncStatus, syncFlow } from '../../domain/flows/accounting/sync.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { Found, ProcessRef } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'

/** Whether a connection still has to be revoked. */
export async function findConnectionState(tx: Tx, { id }: ProcessRef): Promise<Found<ConnectionStatus> | undefined> {
  const [row] = await tx<(AskRow & { readonly status: ConnectionStatus })[]>`
    select c.status, ${askColumns(sql`c`)} from accounting_connections c where c.id = ${id}`
  if (!row) return undefined
  const again = row.ask_at ? ` It is tried again by ${minuteOf(row.ask_at)}: ${row.ask_note}.` : ''
  return {
    ...askedState(connectionFlow, row),
    says: `The connection is ${row.status}.${again}`,
    waits_for: 'Revoke the connection again',
  }
}

type Run = AskRow & {
  readonly status: SyncStatus
  readonly pushed: number
  readonly skipped: number
  readonly failed: number
  readonly failure: string | null
}

/** Whether a run has something left to post, and when it goes on. */
export async function findSyncState(tx: Tx, { id }: ProcessRef): Promise<Found<SyncStatus> | undefined> {
  const [row] = await tx<Run[]>`
    select r.status, r.pushed, r.skipped, r.failed, r.failure, ${askColumns(sql`r`)}
    from accounting_sync_runs r where r.id = ${id}`
  if (!row) return undefined
  const { status, pushed, skipped, failed, failure, ask_at: at, ask_note: note } = row
  const counted = `${pushed} posted, ${skipped} skipped, ${failed} refused.`
  const why = failure ? `: ${failure}` : ''
  const again = at && status === 'running' ? ` It goes on by ${minuteOf(at)}: ${note}.` : ''
  return {
    ...askedState(syncFlow, row),
    says: `The sync is ${status}${why}. ${counted}${again}`,
    waits_for: 'Go on with the sync',
  }
}

/** Views of connections and syncs with accounting programs. */
import { type ConnectionStatus, connectionFlow } from '../../domain/accounting/connection-flow.ts'
import { type SyncStatus, syncFlow } from '../../domain/accounting/sync-flow.ts'
import { isDriven } from '../../domain/flow.ts'
import type { AccountingConnectionId, SyncRunId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type AskRow, askColumns, isTriedInVain } from '../../db/processes/asking.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'

/** `revocation_due`: not revoked yet, and the next try is due. */
type ConnectionView = Standing<ConnectionStatus> & {
  readonly tried_in_vain: boolean
  readonly revocation_due: boolean
}

export async function viewAccountingConnection(
  reader: Reader,
  id: AccountingConnectionId,
): Promise<ConnectionView | AtRest | undefined> {
  const [row] = await reader<AskRow & { readonly status: ConnectionStatus; readonly tried_in_vain: boolean }>(sql`
    select c.status, ${isTriedInVain(sql`c`)} as tried_in_vain, ${askColumns(sql`c`)}
    from accounting_connections c where c.id = ${id}`)
  if (!row) return undefined
  const { status, tried_in_vain, due, ask_at: lookAt, ask_note: note } = row
  const says = `${sayState('connection', status)}${lookAt ? ` The next try is due by ${minuteOf(lookAt)}: ${note}.` : ''}`
  if (!isDriven(connectionFlow, status)) return { at_rest: true, status, says }
  const step_due = due || tried_in_vain
  return { at_rest: false, status, tried_in_vain, revocation_due: due, step_due, look_at: lookAt, says }
}

type SyncFacts = {
  /** Connection not ended, and organization active. */
  readonly allowed: boolean
  readonly tried_in_vain: boolean
  /** Chart of accounts read since the sync began. */
  readonly accounts_read: boolean
  /** Not paused, or the pause is over. */
  readonly due: boolean
}

type SyncRow = AskRow &
  SyncFacts & {
    readonly status: SyncStatus
    readonly pushed: number
    readonly skipped: number
    readonly failed: number
    readonly failure: string | null
  }

export async function viewAccountingSync(
  reader: Reader,
  id: SyncRunId,
): Promise<(Standing<SyncStatus> & SyncFacts) | AtRest | undefined> {
  const [row] = await reader<SyncRow>(sql`
    select r.status, r.pushed, r.skipped, r.failed, r.failure, r.accounts_read,
      c.status = 'connected' and o.status = 'active' as allowed, ${isTriedInVain(sql`r`)} as tried_in_vain,
      ${askColumns(sql`r`)}
    from accounting_sync_runs r join accounting_connections c on c.id = r.connection_id
    join organizations o on o.id = r.organization_id
    where r.id = ${id}`)
  if (!row) return undefined
  const { status, allowed, tried_in_vain, accounts_read, due, ask_at: lookAt } = row
  if (!isDriven(syncFlow, status)) return { at_rest: true, status, says: saysOf(row) }
  const facts = { allowed, tried_in_vain, accounts_read, due }
  const isDue = due || tried_in_vain || !allowed
  return { at_rest: false, status, ...facts, step_due: isDue, look_at: lookAt, says: saysOf(row) }
}

function saysOf({ status, pushed, skipped, failed, failure, ask_at: at, ask_note: note }: SyncRow): string {
  const counted = `${pushed} posted, ${skipped} skipped, ${failed} refused.`
  const why = failure ? `: ${failure}` : ''
  const again = at && status === 'running' ? ` It continues by ${minuteOf(at)}: ${note}.` : ''
  return `The sync is ${status}${why}. ${counted}${again}`
}

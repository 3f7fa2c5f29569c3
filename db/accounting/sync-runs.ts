/** Runs of the sync with an accounting program: asked for, listed, ended. */
import { askAgain, inSeconds } from '../asking.ts'
import { config } from '../../platform/config.ts'
import {
  RUN_FAILURES,
  type RunFailure,
  SYNC_ERRORS_MAX,
  type SyncError,
  type SyncRun,
} from '../../domain/accounting/integration.ts'
import { refuse } from '../../domain/errors.ts'
import { syncFlow } from '../../domain/flows/accounting/sync.ts'
import {
  type AccountingConnectionId,
  type OrganizationId,
  type SyncRunId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'
import { move } from '../transition.ts'
import { wake } from '../wakes.ts'

type Request = { readonly trigger: SyncRun['trigger']; readonly requestedBy: UserId | null }

/** Begins a run of this connection; the one that is under way is as good. Answers its id. */
export async function requestRun(
  tx: Tx,
  connectionId: AccountingConnectionId,
  { trigger, requestedBy }: Request,
): Promise<SyncRunId> {
  const id = newId<'accounting_sync'>()
  const begun = await tx`
    insert into accounting_sync_runs (id, organization_id, connection_id, status, trigger, requested_by)
    values (${id}, ${tx.organizationId}, ${connectionId}, 'running', ${trigger}, ${requestedBy})
    on conflict (organization_id) where status = 'running' do nothing returning id`
  if (begun.length > 0) {
    wake(tx, syncFlow, { ids: [id], why: 'requested', status: 'running' })
    return id
  }
  const [running] = await tx<{ id: SyncRunId }[]>`
    select id from accounting_sync_runs where organization_id = ${tx.organizationId} and status = 'running'`
  // it ended at this moment, and whatever waited has been seen
  return running?.id ?? requestRun(tx, connectionId, { trigger, requestedBy })
}

/**
 * Begins a sync that a person asks for. Refuses `organization_unavailable` while the organization is paused, and
 * `accounting_not_connected`, with the reason if it is refused by the provider.
 */
export async function requestSync(tx: Tx, userId: UserId): Promise<SyncRunId> {
  const [open] = await tx<{ id: AccountingConnectionId; status: string; organization_status: string }[]>`
    select c.id, c.status, o.status as organization_status
    from accounting_connections c join organizations o on o.id = c.organization_id
    where c.status in ('connected', 'needs_reconnect') for share of c`
  if (!open) refuse('accounting_not_connected')
  if (open.status === 'needs_reconnect') refuse('accounting_not_connected', { reason: 'needs_reconnect' })
  if (open.organization_status !== 'active') refuse('organization_unavailable')
  return requestRun(tx, open.id, { trigger: 'manual', requestedBy: userId })
}

/** Ends what runs for a connection that cannot be used any more. */
export async function endRuns(tx: Tx, connectionId: AccountingConnectionId, failure: RunFailure): Promise<void> {
  const running = await tx<{ id: SyncRunId }[]>`
    select id from accounting_sync_runs where connection_id = ${connectionId} and status = 'running'
    for no key update`
  for (const { id } of running) await failRun(tx, id, failure)
}

/** Nothing if it has ended. */
export async function failRun(tx: Tx, id: SyncRunId, failure: RunFailure): Promise<void> {
  await move(tx, syncFlow, id, { event: 'fail', set: sql`failure = ${failure}, ended_at = business_now()` })
}

/**
 * Nothing is left to post. The next run begins where this one began, if it has looked through all that there is.
 * Nothing if it has ended.
 */
export async function completeRun(tx: Tx, id: SyncRunId, { lookedThrough }: { lookedThrough: boolean }): Promise<void> {
  if (!(await move(tx, syncFlow, id, { event: 'complete', set: sql`ended_at = business_now()` }))) return
  if (!lookedThrough) return
  await tx`
    update accounting_connections c set synced_to = r.inserted_at, updated_at = business_now()
    from accounting_sync_runs r where r.id = ${id} and c.id = r.connection_id`
}

/** It goes on after so many seconds: whoever is asked takes no more for now, or somebody else is asking. */
export async function pauseRun(tx: Tx, id: SyncRunId, seconds: number, note: string): Promise<void> {
  await tx`
    update accounting_sync_runs set ask_at = ${inSeconds(seconds)}, asks = 0, ask_note = ${note}, updated_at = business_now()
    where id = ${id} and status = 'running'`
  wake(tx, syncFlow, { ids: [id], why: 'paused' })
}

/** Notes that a sync was not answered: it goes on after a pause that doubles. */
export async function noteUnreachable(tx: Tx, id: SyncRunId, note: string): Promise<void> {
  await tx`${askAgain('accounting_sync_runs', config.partnerPollSeconds, note)} where id = ${id} and status = 'running'`
  wake(tx, syncFlow, { ids: [id], why: 'asked' })
}

/** Organizations that the clock syncs, by the ids of their connections. */
export const connectedOrganizations = async (
  after: string | null,
  most: number,
): Promise<{ id: string; organization_id: OrganizationId }[]> => [
  ...(await sql<{ id: string; organization_id: OrganizationId }[]>`
    select id, organization_id from connected_organizations(${after}, ${most})`),
]

/** What became of some items. */
export type Progress = {
  readonly pushed: number
  readonly skipped: number
  readonly failed: number
  readonly errors: readonly SyncError[]
}

/** Counts what a run has done, and keeps the first of its errors. It was answered, so nothing is unclear. */
export async function noteProgress(
  tx: Tx,
  id: SyncRunId,
  { pushed, skipped, failed, errors }: Progress,
): Promise<void> {
  await tx`
    update accounting_sync_runs set pushed = pushed + ${pushed}, skipped = skipped + ${skipped},
      failed = failed + ${failed}, ask_at = null, asks = 0, ask_note = null, unclear_since = null,
      errors = jsonb_path_query_array(errors || ${sql.json([...errors])}, ${`$[0 to ${SYNC_ERRORS_MAX - 1}]`}::jsonpath),
      updated_at = business_now()
    where id = ${id}`
  wake(tx, syncFlow, { ids: [id], why: 'posted' })
}

type Row = Omit<SyncRun, 'failure'> & { readonly id: SyncRunId; readonly failure: RunFailure | null }

const selectRun = (): Fragment => sql`
  select accounting_sync_runs.id, status, trigger, requested_by, accounting_sync_runs.inserted_at as started_at, ended_at,
    pushed, skipped, failed, errors, failure
  from accounting_sync_runs where true`

const toRun = ({ failure, ...row }: Row): SyncRun => ({
  ...row,
  failure: failure && { code: failure, message: RUN_FAILURES[failure] },
})

/** The runs of the organization, newest first. Those that ended 90 days ago are gone. */
export async function listRuns(reader: Reader, page: PageRequest): Promise<Page<SyncRun>> {
  const found = await pageOf<Row>(reader, 'accounting_sync_runs', page, selectRun())
  return { ...found, data: found.data.map(toRun) }
}

/** One run of the organization. */
export async function findRun(reader: Reader, id: SyncRunId): Promise<SyncRun> {
  const row = await first(
    reader<Row>(sql`${selectRun()} and organization_id = ${reader.organizationId} and id = ${id}`),
  )
  return row ? toRun(row) : refuse('not_found')
}

/** The latest run of a connection, without its errors; null before the first one. */
export async function findLatestRun(
  reader: Reader,
  connectionId: AccountingConnectionId,
): Promise<Omit<SyncRun, 'errors'> | null> {
  const row = await first(
    reader<Row>(sql`
      ${selectRun()} and organization_id = ${reader.organizationId} and connection_id = ${connectionId}
      order by inserted_at desc, id desc limit 1`),
  )
  if (!row) return null
  const { errors: _, ...run } = toRun(row)
  return run
}

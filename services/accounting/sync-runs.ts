/** Runs of the sync with an accounting program. */
import {
  RUN_FAILURES,
  type RunFailure,
  SYNC_ERRORS_MAX,
  type SyncError,
  type SyncRun,
} from '../../domain/accounting/integration.ts'
import { refuse } from '../../domain/errors.ts'
import { syncFlow } from '../../domain/accounting/sync-flow.ts'
import {
  type AccountingConnectionId,
  type OrganizationId,
  type SyncRunId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { config } from '../../platform/config.ts'
import { askAgain, inSeconds } from '../../db/processes/asking.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'
import { move } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'

type Request = { readonly trigger: SyncRun['trigger']; readonly requestedBy: UserId | null }

/** Begins a run of this connection, unless one is active; returns the id of either. */
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
  // it ended just now
  return running?.id ?? requestRun(tx, connectionId, { trigger, requestedBy })
}

export async function failRunsOf(tx: Tx, connectionId: AccountingConnectionId, failure: RunFailure): Promise<void> {
  const running = await tx<{ id: SyncRunId }[]>`
    select id from accounting_sync_runs where connection_id = ${connectionId} and status = 'running'
    for no key update`
  for (const { id } of running) await failRun(tx, id, failure)
}

export async function failRun(tx: Tx, id: SyncRunId, failure: RunFailure): Promise<void> {
  await move(tx, syncFlow, id, { event: 'fail', set: sql`failure = ${failure}, ended_at = business_now()` })
}

/** Completes an active run. After a full pass, the next run begins at this run's start. */
export async function completeRun(tx: Tx, id: SyncRunId, { lookedThrough }: { lookedThrough: boolean }): Promise<void> {
  // in the order of locks: the connection, then its run
  await tx`
    select from accounting_connections c
    where c.id = (select r.connection_id from accounting_sync_runs r where r.id = ${id}) for no key update`
  if (!(await move(tx, syncFlow, id, { event: 'complete', set: sql`ended_at = business_now()` }))) return
  if (!lookedThrough) return
  await tx`
    update accounting_connections c set synced_to = r.inserted_at, updated_at = business_now()
    from accounting_sync_runs r where r.id = ${id} and c.id = r.connection_id`
}

/** Pauses a run for some seconds: rate limit of the provider, or another lease holder. */
export async function pauseRun(tx: Tx, id: SyncRunId, seconds: number, note: string): Promise<void> {
  await tx`
    update accounting_sync_runs set ask_at = ${inSeconds(seconds)}, asks = 0, ask_note = ${note}, updated_at = business_now()
    where id = ${id} and status = 'running'`
  wake(tx, syncFlow, { ids: [id], why: 'paused' })
}

/** Schedules the next try of a run without an answer, with backoff. */
export async function noteUnreachable(tx: Tx, id: SyncRunId, note: string): Promise<void> {
  await tx`${askAgain('accounting_sync_runs', config.partnerPollSeconds, note)} where id = ${id} and status = 'running'`
  wake(tx, syncFlow, { ids: [id], why: 'asked' })
}

/** Lists connections that the scheduled sync covers, by id. */
export const connectedOrganizations = async (
  after: string | null,
  most: number,
): Promise<readonly { id: AccountingConnectionId; organization_id: OrganizationId }[]> =>
  sql<{ id: AccountingConnectionId; organization_id: OrganizationId }[]>`
    select id, organization_id from connected_organizations(${after}, ${most})`

/** Counts of posted items, with the errors of the others. */
export type Progress = Pick<SyncRun, 'pushed' | 'skipped' | 'failed'> & { readonly errors: readonly SyncError[] }

/** Adds to the counts of a run, and keeps its first errors. Resets the backoff: the provider answered. */
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

/** Lists the runs of the organization, newest first, up to 90 days after their end. */
export async function listRuns(reader: Reader, page: PageRequest): Promise<Page<SyncRun>> {
  const found = await pageOf<Row>(reader, 'accounting_sync_runs', page, selectRun())
  return { ...found, data: found.data.map(toRun) }
}

export async function findRun(reader: Reader, id: SyncRunId): Promise<SyncRun> {
  const row = await first(
    reader<Row>(sql`${selectRun()} and organization_id = ${reader.organizationId} and id = ${id}`),
  )
  return row ? toRun(row) : refuse('not_found')
}

/** Finds the latest run of a connection, without its errors; null before the first. */
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

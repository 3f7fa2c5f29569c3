/** Processes: one row for each driven row, with its unseen change, its deadline, or neither while it waits. */
import type postgres from 'postgres'
import type { Flow } from '../../domain/flow.ts'
import { PROCESSES } from '../../domain/registries/flows.ts'
import type { Finding } from '../../domain/audit/audit.ts'
import { first, sql, transaction } from '../postgres/sql.ts'
import { type Process, wake } from '../postgres/wakes.ts'

export type SweptProcess = Process & {
  readonly version: string
  /** Signals since it was last seen, including this one. */
  readonly told: number
  readonly unseen_seconds: number
}

/** Takes processes unseen for longer than the grace, or due by business time; each goes to one caller. */
export async function sweepProcesses(graceSeconds: number, most: number): Promise<SweptProcess[]> {
  const rows = await sql<SweptProcess[]>`
    select id, workflow, organization_id, rail, status, ref, why, traceparent, version, told,
      extract(epoch from clock_timestamp() - unseen_since)::float8 as unseen_seconds
    from sweep_processes(make_interval(secs => ${graceSeconds}), ${most})`
  return [...rows]
}

/** Puts back processes that could not be signalled, unless they have changed since. */
export async function putBackProcesses(swept: readonly Pick<SweptProcess, 'id' | 'version'>[]): Promise<void> {
  await sql`
    select put_back_processes(${swept.map(({ id }) => id)}::uuid[], ${swept.map(({ version }) => version)}::bigint[])`
}

const PAGE = 500

/** Yields the waiting processes in pages: each must have a run. */
export async function* waitingProcesses(): AsyncGenerator<readonly { id: string; workflow: string }[]> {
  for (let after: string | null = null; ;) {
    const page: { id: string; workflow: string }[] = await sql<{ id: string; workflow: string }[]>`
      select id, workflow from waiting_processes(${after}, ${PAGE})`
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.id ?? null
  }
}

/** Makes the next sweep wake waiting processes without a run; returns their number. */
export async function wakeMissing(ids: readonly string[]): Promise<number> {
  const row = await first(sql<{ woken: number }[]>`select wake_missing(${[...ids]}::uuid[]) as woken`)
  return row?.woken ?? 0
}

/** Finds the ids without a process: their rows are at rest. */
export async function withoutProcess(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from without_process(${[...ids]}::uuid[]) id`
  return new Set(rows.map(({ id }) => id))
}

/** Reads the age of the oldest unseen change in seconds; null if all are seen. */
export async function oldestUnseenSeconds(): Promise<number | null> {
  const row = await first(sql<{ seconds: number | null }[]>`select oldest_unseen_seconds() as seconds`)
  return row?.seconds ?? null
}

/** Reads what caused the latest change of a process: a `traceparent`; null while traces are off. */
export async function causeOf(id: string): Promise<string | null> {
  const row = await first(sql<{ cause: string | null }[]>`select cause_of_process(${id}) as cause`)
  return row?.cause ?? null
}

export type OpenProcess = Process & {
  readonly version: string
  readonly look_at: string | null
  readonly told: number
  readonly unseen_since: string | null
  readonly changed_at: string
}

/** Lists processes, unseen ones first, then the longest unchanged; or the named one. */
export async function openProcesses(named: string | null, most: number): Promise<OpenProcess[]> {
  const rows = await sql<OpenProcess[]>`
    select id, workflow, organization_id, rail, status, ref, why, traceparent, version,
      case when isfinite(look_at) then look_at end as look_at, told, unseen_since, changed_at
    from open_processes(${named}, ${most})`
  return [...rows]
}

const FAULTS_MAX = 1000

type ProcessFault = Finding & Omit<Process, 'why' | 'ref' | 'traceparent'>

// fields of a flow for process_faults()
const flows = Object.values<Flow>(PROCESSES).map(({ table, workflow, driven, calledAtRest }) => ({
  table,
  workflow,
  driven,
  calledAtRest,
}))

/** Finds driven rows without a process, and processes that stay unseen. */
export async function processFaults(on: postgres.ISql = sql): Promise<ProcessFault[]> {
  const rows = await on<ProcessFault[]>`
    select check_name as check, workflow || '-' || id as subject, workflow, id, organization_id, rail, status
    from process_faults(${on.json(flows)}, ${FAULTS_MAX})`
  return [...rows]
}

/** Creates the missing process of each row. */
export async function wakeUnlisted(faults: readonly ProcessFault[]): Promise<void> {
  await transaction(async (tx) => {
    for (const { check, workflow, id, organization_id: organizationId, rail, status } of faults) {
      if (check !== 'no_process') continue
      wake(tx, { workflow }, { ids: [id], why: 'unlisted', organizationId, rail, ...(status && { status }) })
    }
  })
}

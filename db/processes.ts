/**
 * Processes: what has been changed and not been looked at, what is due, what waits. One row for each that is driven.
 */
import type postgres from 'postgres'
import type { OrganizationId } from '../domain/ids.ts'
import type { Flow } from '../domain/flows/flow.ts'
import { PROCESSES } from '../domain/flows/index.ts'
import type { Finding } from '../domain/audit/audit.ts'
import type { Found, Looked, ProcessRef } from '../domain/process.ts'
import { type Transaction, type Tx, asSystem, first, sql, transaction, waitForDisk } from './sql.ts'
import { type Process, wake } from './wakes.ts'

/**
 * Where a row stands; undefined if there is none. It may do what is due: the look's transaction commits it, and waits
 * for the disk if the finder has noted a wake.
 */
export type Finder<State extends string, In> = (tx: In, ref: ProcessRef) => Promise<Found<State> | undefined>

type Machine = Pick<Flow, 'workflow'>

/**
 * What a step at a partner takes at most, with the pauses of its loop; a run that is not heard of by then is told
 * again.
 */
const STEP_MINUTES = 12

/**
 * One look at a row of an organization: what is due is done, and the version that was read before it is acknowledged.
 */
export function lookAt<State extends string>(machine: Machine, find: Finder<State, Tx>, stepMinutes = STEP_MINUTES) {
  return (ref: ProcessRef): Promise<Looked<State | 'gone'>> =>
    asSystem(organizationOf(ref), (tx) => look(tx, machine, ref, { find, stepMinutes }))
}

/** The organization that a run was started with; throws if it has none. */
export function organizationOf({ organizationId, id }: ProcessRef): OrganizationId {
  if (!organizationId) throw new Error(`the process ${id} has no organization`)
  return organizationId
}

const GONE: Found<'gone'> = {
  status: 'gone',
  driven: false,
  due_now: false,
  look_at: null,
  says: 'There is no such thing any more.',
  waits_for: '',
}

/**
 * The version comes first, and the row is read in a later statement: whatever the row does not show raised the version,
 * and is not acknowledged. What this look changed itself it has seen. A driven row that has no process gets one.
 */
async function look<State extends string, In extends Transaction>(
  tx: In,
  machine: Machine,
  ref: ProcessRef,
  { find, stepMinutes }: { readonly find: Finder<State, In>; readonly stepMinutes: number },
): Promise<Looked<State | 'gone'>> {
  const { id, partner, partnerDepositId } = ref
  const reading = tx<{ version: string; changed_at: string }[]>`
    select version, changed_at from process_version(${id})`.execute()
  const [row, [process]] = await Promise.all([find(tx, ref), reading])
  const { look_at: lookAt, ...found } = row ?? GONE
  const { status } = found
  const changed = tx.wakes.delete(id)
  if (!process) {
    if (found.driven) {
      const organizationId = found.organization_id ?? ref.organizationId
      const known = partner && partnerDepositId ? { ref: { partner, partnerDepositId } } : {}
      wake(tx, machine, { ids: [id], why: 'unlisted', status, organizationId, ...known })
    }
    return found.driven ? { again: true } : { again: false, version: null, wait_seconds: null, ...found }
  }
  const { version, changed_at: changedAt } = process
  // a step that is due is begun by the run; should that run be lost, another one is told in time
  const deadline = found.due_now ? sql`business_now() + make_interval(mins => ${stepMinutes})` : sql`${lookAt}`
  const acknowledging = found.driven
    ? tx`select wait_seconds from acknowledge(${id}, ${version}, ${changedAt}, ${deadline}, ${status})`
    : tx`select null as wait_seconds where put_at_rest(${id}, ${version}, ${changedAt})`
  // a look that wrote nothing is only done again if it is lost; whatever a finder writes it notes as a wake
  const unsynced = changed || tx.wakes.size > 0 ? null : waitForDisk(tx, false)
  const [[seen]] = await Promise.all([acknowledging, unsynced])
  return seen
    ? { again: false, version: `${version} of ${changedAt}`, wait_seconds: waitOf(seen), ...found }
    : { again: true }
}

const waitOf = (seen: postgres.Row): number | null =>
  seen['wait_seconds'] === null ? null : Number(seen['wait_seconds'])

export type Swept = Process & {
  readonly version: string
  /** How often it has been told since it was seen last, this time included. */
  readonly told: number
  readonly unseen_seconds: number
}

/**
 * Processes that nobody looked at for longer than the grace, or that are due by business time; each is taken by one
 * caller.
 */
export async function sweepProcesses(graceSeconds: number, most: number): Promise<Swept[]> {
  const rows = await sql<Swept[]>`
    select id, workflow, organization_id, rail, status, ref, why, version, told,
      extract(epoch from clock_timestamp() - unseen_since)::float8 as unseen_seconds
    from sweep_processes(make_interval(secs => ${graceSeconds}), ${most})`
  return [...rows]
}

/** Gives back what was taken and could not be told, unless it has changed since. */
export async function putBackProcesses(swept: readonly Pick<Swept, 'id' | 'version'>[]): Promise<void> {
  await sql`
    select put_back_processes(${swept.map(({ id }) => id)}::uuid[], ${swept.map(({ version }) => version)}::bigint[])`
}

const PAGE = 500

/** Who waits, page by page: each of them has to have a run. */
export async function* waitingProcesses(): AsyncGenerator<readonly { id: string; workflow: string }[]> {
  for (let after: string | null = null; ;) {
    const page: { id: string; workflow: string }[] = await sql<{ id: string; workflow: string }[]>`
      select id, workflow from waiting_processes(${after}, ${PAGE})`
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.id ?? null
  }
}

/** Has those that wait without a run woken by the next sweep; answers how many. */
export async function wakeMissing(ids: readonly string[]): Promise<number> {
  const row = await first(sql<{ woken: number }[]>`select wake_missing(${[...ids]}::uuid[]) as woken`)
  return row?.woken ?? 0
}

/** Those of the ids that have no process: nothing is to happen to their rows. */
export async function withoutProcess(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from without_process(${[...ids]}::uuid[]) id`
  return new Set(rows.map(({ id }) => id))
}

/** How many seconds ago the oldest change came that nobody has looked at; null if all is seen. */
export async function oldestUnseenSeconds(): Promise<number | null> {
  const row = await first(sql<{ seconds: number | null }[]>`select oldest_unseen_seconds() as seconds`)
  return row?.seconds ?? null
}

/** A process as an operator reads it. */
export type OpenProcess = Process & {
  readonly version: string
  readonly look_at: string | null
  readonly told: number
  readonly unseen_since: string | null
  readonly changed_at: string
}

/** Processes, those first that nobody has looked at, then those that changed longest ago; or the one that is named. */
export async function openProcesses(named: string | null, most: number): Promise<OpenProcess[]> {
  const rows = await sql<OpenProcess[]>`
    select id, workflow, organization_id, rail, status, ref, why, version,
      case when isfinite(look_at) then look_at end as look_at, told, unseen_since, changed_at
    from open_processes(${named}, ${most})`
  return [...rows]
}

const FAULTS_MAX = 1000

type ProcessFault = Finding & Omit<Process, 'why' | 'ref'>

// of a flow what process_faults() asks for
const flows = Object.values<Flow>(PROCESSES).map(({ table, workflow, driven, calledAtRest }) => ({
  table,
  workflow,
  driven,
  calledAtRest,
}))

/**
 * Rows that a process must drive and that have none (`no_process`), and processes that nobody looks at
 * (`nobody_looked`).
 */
export async function processFaults(on: postgres.ISql = sql): Promise<ProcessFault[]> {
  const rows = await on<ProcessFault[]>`
    select check_name as check, workflow || '-' || id as subject, workflow, id, organization_id, rail, status
    from process_faults(${on.json(flows)}, ${FAULTS_MAX})`
  return [...rows]
}

/** Gives a process to each row that was found without one. */
export async function wakeUnlisted(faults: readonly ProcessFault[]): Promise<void> {
  await transaction(async (tx) => {
    for (const { check, workflow, id, organization_id: organizationId, rail, status } of faults) {
      if (check !== 'no_process') continue
      wake(tx, { workflow }, { ids: [id], why: 'unlisted', organizationId, rail, ...(status && { status }) })
    }
  })
}

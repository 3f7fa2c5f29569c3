/** Views and steps: activities that read a run's row and acknowledge its version, or change it. */
import type { Flow } from '../../domain/flow.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { AtRest, ProcessRef, Standing, View } from '../../domain/process.ts'
import { traceparent } from '../../platform/traces.ts'
import {
  type Fragment,
  type Reader,
  type Rows,
  type Transaction,
  type Tx,
  asSystem,
  rowsOf,
  sql,
  transaction,
  within,
} from '../postgres/sql.ts'
import { wake } from '../postgres/wakes.ts'

/** Longest step at a partner with its pauses, after which a silent run is signalled. */
const STEP_MINUTES = 12

/**
 * Makes an activity of a view: one transaction reads the row and acknowledges its version. `read` is the view alone,
 * which changes nothing.
 */
export function viewOf<Id extends string, Found extends AtRest | Standing>(
  flow: DrivenFlow,
  view: (reader: Reader, id: Id) => Promise<Found | undefined>,
  stepMinutes = STEP_MINUTES,
) {
  const read = (reader: Reader, { id }: ProcessRef<Id>) => view(reader, id)
  const activity = (ref: ProcessRef<Id>): Promise<View<Found | AtRest>> =>
    asSystem(organizationOf(ref), (tx) => look(tx, flow, ref, { stepMinutes, read: () => read(within(tx), ref) }))
  return Object.assign(activity, { flow, read })
}

/** Makes an activity of the view of rows that may have no organization. */
export function viewOfUnowned<Id extends string, Found extends AtRest | Standing>(
  flow: DrivenFlow,
  view: (rows: Rows, ref: ProcessRef<Id>) => Promise<Found | undefined>,
  stepMinutes = STEP_MINUTES,
) {
  const activity = (ref: ProcessRef<Id>): Promise<View<Found | AtRest>> =>
    transaction((tx) => look(tx, flow, ref, { stepMinutes, read: () => view(rowsOf(tx), ref) }))
  return Object.assign(activity, { flow, read: view })
}

/** Reason by which a step wakes the run of its row; none if it changed nothing, or moved the row by transition(). */
export type Reason = string | void

type DrivenFlow = Pick<Flow, 'workflow'>

/** Makes an activity of a step on our own rows: one transaction, which checks that it is due. What it returns wakes. */
export const stepOf =
  <Id extends string>(flow: DrivenFlow, step: (tx: Tx, id: Id) => Promise<Reason>) =>
  async (ref: ProcessRef<Id>): Promise<void> => {
    await asSystem(organizationOf(ref), (tx) => take(tx, flow, ref.id, step))
  }

async function take<Id extends string>(
  tx: Tx,
  flow: DrivenFlow,
  id: Id,
  step: (tx: Tx, id: Id) => Promise<Reason>,
): Promise<void> {
  const why = await step(tx, id)
  if (why) wake(tx, flow, { ids: [id], why })
}

/** Makes an activity of a step of an approval, on the row of any noun that waits for it. */
export const stepOfTarget =
  (step: (tx: Tx, id: string) => Promise<void>) =>
  async (ref: ProcessRef): Promise<void> => {
    await asSystem(organizationOf(ref), (tx) => step(tx, ref.id))
  }

/** Makes an activity of a step on rows that may have no organization. */
export const stepOfUnowned =
  <Id extends string>(step: (tx: Transaction, id: Id) => Promise<unknown>) =>
  async ({ id }: ProcessRef<Id>): Promise<void> => {
    await transaction((tx) => step(tx, id))
  }

/** Makes an activity of a step on rows whose organization the run may not know; a missing row is skipped. */
export const stepForOwner =
  <Id extends string>(
    flow: DrivenFlow,
    findOwner: (rows: Rows, ref: ProcessRef<Id>) => Promise<OrganizationId | null>,
    step: (tx: Tx, id: Id) => Promise<Reason>,
  ) =>
  async (ref: ProcessRef<Id>): Promise<void> => {
    const organizationId = ref.organizationId ?? (await transaction((tx) => findOwner(rowsOf(tx), ref)))
    if (organizationId) await asSystem(organizationId, (tx) => take(tx, flow, ref.id, step))
  }

/** Returns the organization that a run was started with; throws if it has none. */
export function organizationOf({ organizationId, id }: ProcessRef): OrganizationId {
  if (!organizationId) throw new Error(`the process ${id} has no organization`)
  return organizationId
}

const GONE: AtRest = { at_rest: true, status: 'gone', says: 'There is no such thing any more.' }

/**
 * Reads the version, then the row, then acknowledges the version (optimistic lock): a change that the read missed has
 * raised it. Creates the missing process of a driven row.
 */
async function look<Found extends AtRest | Standing>(
  tx: Transaction,
  flow: DrivenFlow,
  ref: ProcessRef,
  { stepMinutes, read }: { readonly stepMinutes: number; readonly read: () => Promise<Found | undefined> },
): Promise<View<Found | AtRest>> {
  const { id, partner, partnerDepositId } = ref
  // pipelined: the version is read by the earlier statement
  const reading = tx<{ version: string; changed_at: string }[]>`
    select version, changed_at from process_version(${id})`.execute()
  const [row, [process]] = await Promise.all([read(), reading])
  const found = row ?? GONE
  if (!process) {
    if (found.at_rest) return { again: false, ...found } as View<Found | AtRest> // a view of its own kind
    const organizationId = found.organization_id ?? ref.organizationId
    const known = partner && partnerDepositId ? { ref: { partner, partnerDepositId } } : {}
    wake(tx, flow, { ids: [id], why: 'unlisted', status: found.status, organizationId, ...known })
    return { again: true }
  }
  const seen = { id, version: process.version, changedAt: process.changed_at }
  const acknowledged = found.at_rest ? await putAtRest(tx, seen) : await acknowledge(tx, seen, found, stepMinutes)
  if (!acknowledged) return { again: true }
  if (found.at_rest) return { again: false, ...found } as View<Found | AtRest>
  const { look_at: _at, step_due: _due, ...facts } = found
  const version = `${process.version} of ${process.changed_at}`
  // Omit loses the member of a union
  return { again: false, ...facts, version, wait_seconds: acknowledged.wait_seconds } as unknown as View<Found | AtRest>
}

/** Lets the commit not wait for the disk: it holds only the acknowledgement, which is repeated if it is lost. */
const skipDiskSync = (): Fragment => sql`set_config('synchronous_commit', 'off', true)`

type SeenVersion = { readonly id: string; readonly version: string; readonly changedAt: string }
type AckRow = { readonly wait_seconds: number | null }

/** Stores the deadline of the next look; undefined after a concurrent change. */
async function acknowledge(
  tx: Transaction,
  { id, version, changedAt }: SeenVersion,
  { status, step_due: isDue, look_at: lookAt }: Standing,
  stepMinutes: number,
): Promise<AckRow | undefined> {
  // the run begins a step that is due; if it is lost, another run is signalled in time
  const deadline = isDue ? sql`business_now() + make_interval(mins => ${stepMinutes})` : sql`${lookAt}`
  const [row] = await tx<{ wait_seconds: number | string | null }[]>`
    select wait_seconds, ${skipDiskSync()} from acknowledge(${id}, ${version}, ${changedAt}, ${deadline}, ${status},
      ${traceparent() ?? null})`
  return row && { wait_seconds: row.wait_seconds === null ? null : Number(row.wait_seconds) }
}

/** Deletes the process of a row at rest; undefined after a concurrent change. */
async function putAtRest(tx: Transaction, { id, version, changedAt }: SeenVersion): Promise<AckRow | undefined> {
  const [row] = await tx<AckRow[]>`
    select null::float8 as wait_seconds, ${skipDiskSync()} where put_at_rest(${id}, ${version}, ${changedAt})`
  return row
}

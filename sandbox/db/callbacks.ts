import { config } from '../../platform/config.ts'
import { isOfDriver } from '../../platform/connections.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { CALLBACK_FAULTS, type Fault } from '../../domain/sandbox/sandbox.ts'
import { hasFault, takeFault } from './faults.ts'
import { type Transaction, sql } from '../../db/postgres/sql.ts'

const CHANNEL = 'sandbox_partners'
/** Lease of a callback: sent again after it, if its sender died. */
const LEASE_SECONDS = 5
/** Attempts before giving up; the pauses grow to half a minute. */
const ATTEMPTS_MAX = 20
/** Delay of a late callback: newer ones were delivered long before. */
const LATE_MS = Math.max(1000, config.sandboxSettleMs * 4)

export type Change = {
  readonly partner: ConnectionName
  readonly type: 'payout.updated' | 'deposit.updated'
  readonly subjectId: string
  readonly version: number
}
export type Callback = Change & { readonly id: string; readonly attempts: number }

/** Partners that call nothing back: they write files, which have the faults in place of callbacks. */
const SILENT = new Set(config.connections.flatMap((one) => (isOfDriver(one, 'iso20022') ? [one.name] : [])))

/** Queues a callback for each change, with the transaction; uses up faults of callbacks. */
export async function queueCallbacks(tx: Transaction, all: readonly Change[]): Promise<void> {
  const changes = all.filter(({ partner }) => !SILENT.has(partner))
  const faulty = new Set<ConnectionName>()
  for (const partner of new Set(changes.map((change) => change.partner))) {
    if (await hasFault(partner, CALLBACK_FAULTS, tx)) faulty.add(partner)
  }
  const queued = []
  // one order of locks, so that two takers of both partners' faults cannot deadlock
  for (const change of changes.toSorted((a, b) => (a.partner < b.partner ? -1 : Number(a.partner > b.partner)))) {
    const { partner } = change
    const fault = faulty.has(partner) ? await takeFault(partner, CALLBACK_FAULTS, tx) : undefined
    if (fault !== 'lost_callback') queued.push({ ...change, ...outcomeOf(fault) })
  }
  if (queued.length === 0) return
  await tx`
    insert into sandbox_callbacks (id, partner, type, subject_id, version, deliveries_left, after_newer, due_at)
    select 'msg_' || replace(uuidv7()::text, '-', ''), q.partner, q.type, q."subjectId", q.version, q.deliveries,
      q."afterNewer", clock_timestamp() + make_interval(secs => q."lateMs" / 1000.0)
    from jsonb_to_recordset(${sql.json(queued)}) q (partner text, type text, "subjectId" uuid, version integer,
      deliveries integer, "afterNewer" boolean, "lateMs" integer)`
}

/** Queues one more callback about a subject, due after some seconds; once until it is delivered. */
export async function queueAgain({ partner, type, subjectId, version }: Change, seconds: number): Promise<void> {
  await sql`
    insert into sandbox_callbacks (id, partner, type, subject_id, version, due_at)
    values (${`msg_${subjectId}_${version}`}, ${partner}, ${type}, ${subjectId}, ${version},
      clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict do nothing`
  await notifyDispatcher(sql)
}

/** Has a partner's callbacks sent now that wait for another attempt; answers their number. */
export async function sendFailedNow(partner: ConnectionName): Promise<number> {
  const rows = await sql`
    update sandbox_callbacks set due_at = clock_timestamp() where partner = ${partner} and attempts > 0 returning id`
  await notifyDispatcher(sql)
  return rows.length
}

function outcomeOf(fault: Fault | undefined) {
  return {
    deliveries: fault === 'duplicate_callback' ? 2 : 1,
    afterNewer: fault === 'out_of_order',
    lateMs: fault === 'late_callback' || fault === 'out_of_order' ? LATE_MS : 0,
  }
}

/** Wakes the dispatcher of any process at the commit. */
export async function notifyDispatcher(tx: Transaction | typeof sql): Promise<void> {
  await tx`select pg_notify(${CHANNEL}, '')`
}

/** Calls `heard` when another process wakes the dispatcher, and after each gap of listening. */
export async function followDispatcher(heard: () => void): Promise<{ stop: () => Promise<void> }> {
  const following = await sql.listen(CHANNEL, heard, heard)
  return { stop: () => following.unlisten().catch(() => {}) } // a server that is away notifies no one
}

/** Claims due callbacks under a lease; one whose sender dies is due again. */
export const claimCallbacks = async (limit: number): Promise<Callback[]> => [
  ...(await sql<Callback[]>`
    with due as (
      select id from sandbox_callbacks where due_at <= clock_timestamp() order by due_at limit ${limit}
      for update skip locked)
    update sandbox_callbacks c
    set attempts = c.attempts + 1, due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    from due where c.id = due.id
    returning c.id, c.partner, c.type, c.subject_id as "subjectId", c.version, c.attempts`),
]

/** Removes a delivered callback, or repeats it; older ones that waited for it become due. */
export async function callbackDelivered({ id, subjectId, version }: Callback): Promise<void> {
  await sql`
    with gone as (delete from sandbox_callbacks where id = ${id} and deliveries_left <= 1),
    again as (
      update sandbox_callbacks set deliveries_left = deliveries_left - 1, due_at = clock_timestamp()
      where id = ${id} and deliveries_left > 1)
    update sandbox_callbacks set after_newer = false, due_at = clock_timestamp()
    where subject_id = ${subjectId} and version < ${version} and after_newer and id <> ${id}`
}

/** Retries a failed callback by a backoff from 50 ms to 30 s, up to the last attempt. */
export async function callbackFailed({ id, attempts }: Callback): Promise<void> {
  const pauseMs = Math.min(50 * 2 ** (attempts - 1), 30_000)
  await (attempts >= ATTEMPTS_MAX
    ? sql`delete from sandbox_callbacks where id = ${id}`
    : sql`update sandbox_callbacks set due_at = clock_timestamp() + make_interval(secs => ${pauseMs / 1000})
        where id = ${id}`)
}

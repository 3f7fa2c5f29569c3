/** Heartbeats of worker processes, in Postgres: a dead worker is detected within seconds. */
import { config } from '../../platform/config.ts'
import type { Queue } from '../../platform/queues.ts'
import { first, sql } from '../postgres/sql.ts'

/** Interval at which a worker writes its row. */
export const BEAT_EVERY_MS = 5000
/** Three beats: one may be late. */
const ALIVE_SECONDS = 15
const SILENT_SECONDS_MAX = 120
/** Retention of rows of killed processes. */
const KEPT_HOURS = 1

/** Writes the heartbeat of this worker process, and deletes rows of long dead ones. */
export async function beat(id: string, eventLoopDelayMs: number): Promise<void> {
  await sql`
    with dead as (
      delete from worker_heartbeats
      where seen_at < clock_timestamp() - make_interval(hours => ${KEPT_HOURS}) and id <> ${id})
    insert into worker_heartbeats (id, build_id, queues, event_loop_delay_ms)
    values (${id}, ${config.buildId}, ${[...config.workerQueues]}, ${eventLoopDelayMs})
    on conflict (id) do update set seen_at = excluded.seen_at, event_loop_delay_ms = excluded.event_loop_delay_ms`
}

export async function endBeat(id: string): Promise<void> {
  await sql`delete from worker_heartbeats where id = ${id}`
}

/** Lists the queues that no worker takes which has written within 15 seconds; of a build, if one is named. */
export async function queuesWithoutWorker(build?: string): Promise<readonly string[]> {
  const rows = await sql<{ queue: string }[]>`
    select distinct unnest(queues) as queue from worker_heartbeats
    where seen_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS})
      and build_id = coalesce(${build ?? null}, build_id)`
  const taken = new Set(rows.map(({ queue }) => queue))
  return [...config.queues.keys()].filter((queue) => !taken.has(queue))
}

/** Lists the builds whose workers take this queue and have written within 15 seconds. */
export async function beatingBuilds(queue: Queue): Promise<ReadonlySet<string>> {
  const rows = await sql<{ build_id: string }[]>`
    select distinct build_id from worker_heartbeats
    where seen_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS}) and ${queue} = any (queues)`
  return new Set(rows.map((row) => row.build_id))
}

/**
 * Reads the longest time for which a worker of these queues did not turn its event loop: between its last heartbeats,
 * or since the last one, if that is longer ago. Workers that are silent for two minutes are taken for dead.
 */
export const workerDelays = (): Promise<readonly { readonly queues: string; readonly seconds: number }[]> => sql`
  select array_to_string(queues, ',') as queues, max(greatest(
    coalesce(event_loop_delay_ms, 0) / 1000.0,
    extract(epoch from clock_timestamp() - seen_at) - ${BEAT_EVERY_MS / 1000}))::float8 as seconds
  from worker_heartbeats where seen_at > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS_MAX}) group by 1`

/** Reads when a worker of any queue was last heard; null if none was within the hour. */
export async function lastBeat(): Promise<string | null> {
  const row = await first(sql<{ at: string | null }[]>`select max(seen_at) as at from worker_heartbeats`)
  return row?.at ?? null
}

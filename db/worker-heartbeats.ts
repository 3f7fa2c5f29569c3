/** Heartbeats of worker processes, in Postgres: a dead worker is detected within seconds. */
import { QUEUES, type Queue, config } from '../platform/config.ts'
import { sql } from './sql.ts'

/** Interval at which a worker writes its row. */
export const BEAT_EVERY_MS = 5000
/** Three beats: one may be late. */
const ALIVE_SECONDS = 15
/** Retention of rows of killed processes. */
const KEPT_HOURS = 1

/** Writes the heartbeat of this worker process, and deletes rows of long dead ones. */
export async function beat(id: string): Promise<void> {
  await sql`
    with dead as (
      delete from worker_heartbeats
      where seen_at < clock_timestamp() - make_interval(hours => ${KEPT_HOURS}) and id <> ${id})
    insert into worker_heartbeats (id, build_id, queues) values (${id}, ${config.buildId}, ${[...config.workerQueues]})
    on conflict (id) do update set seen_at = excluded.seen_at`
}

export async function endBeat(id: string): Promise<void> {
  await sql`delete from worker_heartbeats where id = ${id}`
}

/** Lists the queues that no worker takes which has written within 15 seconds; of a build, if one is named. */
export async function queuesWithoutWorker(build?: string): Promise<readonly Queue[]> {
  const rows = await sql<{ queue: string }[]>`
    select distinct unnest(queues) as queue from worker_heartbeats
    where seen_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS})
      and build_id = coalesce(${build ?? null}, build_id)`
  const taken = new Set(rows.map(({ queue }) => queue))
  return QUEUES.filter((queue) => !taken.has(queue))
}

/** Lists the builds whose workers take this queue and have written within 15 seconds. */
export async function beatingBuilds(queue: Queue): Promise<ReadonlySet<string>> {
  const rows = await sql<{ build_id: string }[]>`
    select distinct build_id from worker_heartbeats
    where seen_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS}) and ${queue} = any (queues)`
  return new Set(rows.map((row) => row.build_id))
}

/** Buffer of answered requests, written to their log in one statement each second. */
import type { ApiKeyId, DelegateId, OrganizationId, ScimTokenId, UserId } from '../../domain/ids.ts'
import { log } from '../../platform/log.ts'
import { sql } from '../../db/postgres/sql.ts'

/** Request as it is written. */
export type NewRequest = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly request_id: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly error_type: string | null
  readonly milliseconds: number
  readonly user_id: UserId | null
  readonly api_key_id: ApiKeyId | null
  readonly delegate_id: DelegateId | null
  readonly scim_token_id: ScimTokenId | null
  readonly user_agent: string | null
  readonly inserted_at: string
}

const FLUSH_MS = 1000
const FLUSH_ROWS = 500
/** Most requests that wait: while Postgres is away, later ones are dropped. */
const ROWS_MAX = 5000
/** Most of one organization among them, so that a flood of one leaves room for all others. */
const ROWS_OF_ORGANIZATION_MAX = 1000

let waiting: NewRequest[] = []
const counts = new Map<OrganizationId, number>()
let timer: NodeJS.Timeout | undefined
let flush: Promise<void> | undefined
let dropped = 0

/** Counts the requests of this process that were dropped for want of room. */
export const countDropped = (): number => dropped

/** Notes an answered request, to be written within about a second. Never waits, and never throws. */
export function noteRequest(request: NewRequest): void {
  const count = counts.get(request.organization_id) ?? 0
  if (waiting.length >= ROWS_MAX || count >= ROWS_OF_ORGANIZATION_MAX) {
    dropped += 1
    return
  }
  counts.set(request.organization_id, count + 1)
  waiting.push(request)
  if (waiting.length >= FLUSH_ROWS && !flush) void flushRequests()
  else timer ??= setTimeout(() => void flushRequests(), FLUSH_MS).unref()
}

/** Writes what waits, by statements of at most 500 rows. What cannot be written waits for the next time. */
export async function flushRequests(): Promise<void> {
  await flush
  flush ??= writeAll().finally(() => (flush = undefined))
  await flush
}

async function writeAll(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  while (waiting.length > 0) {
    const rows = waiting.slice(0, FLUSH_ROWS)
    try {
      await write(rows)
    } catch (error) {
      log.warn({ err: error, waiting: waiting.length }, 'requests could not be written to their log')
      timer ??= setTimeout(() => void flushRequests(), FLUSH_MS).unref()
      return
    }
    waiting = waiting.slice(rows.length)
    for (const { organization_id: id } of rows) leave(id)
  }
}

/** Writes rows without waiting for the disk: a crash of Postgres may lose a moment of the log. */
const write = (rows: readonly NewRequest[]) => sql`
  select record_requests(${sql.json(rows)})
  from (select set_config('synchronous_commit', 'off', true) offset 0) unhurried`

function leave(id: OrganizationId): void {
  const count = (counts.get(id) ?? 1) - 1
  if (count > 0) counts.set(id, count)
  else counts.delete(id)
}

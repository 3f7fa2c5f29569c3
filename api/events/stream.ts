/** Log of an organization as server-sent events, while the caller may read it. */
import { setTimeout as delay } from 'node:timers/promises'
import { eventsAfter, placesOfHeads, requireServed } from '../../services/events/log.ts'
import { refuseCursor } from '../../domain/pagination.ts'
import { isAllowedNetwork } from '../../services/people/allowed-networks.ts'
import { authenticate } from '../../services/people/sessions.ts'
import type { Reader } from '../../db/postgres/sql.ts'
import { type EventFilters, StreamFilters } from '../../domain/events/log.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import { type OrganizationId, isUuid } from '../../domain/ids.ts'
import { can } from '../../domain/permissions.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { Live, STALLED_MS } from '../http/http.ts'
import { live, operations, raw } from '../http/operation.ts'
import { openStream } from './open-streams.ts'

const { query } = operations('Events')

const PERMISSION = 'transactions.list_all'
/** Events per read: the memory of one stream. */
const PAGE = 50
/** Client's pause before it reconnects. */
const COME_AGAIN_MS = 2000
/** Interval of the one query for growth that all streams of the process share. */
const GROWTH_EVERY_MS = 250

type Stream = {
  readonly reader: Reader
  readonly filters: EventFilters
  readonly begunAt: number
  readonly maySee: () => Promise<boolean>
}

export const eventStreams = [
  query('/organizations/{organization_id}/events/stream', 'streamEvents')
    .says(
      'Stream events as server-sent events',
      'From now on, or from behind `Last-Event-ID`. Each has the event as JSON in `data`, its id in `id` and its ' +
        'type in `event`. It ends with the session, the ' +
        'membership, the permission or its network; a client that goes on with `Last-Event-ID` misses nothing. At most 5 for a ' +
        'person.',
    )
    .of('organization')
    .delegates('read')
    .can(PERMISSION)
    .filters(StreamFilters)
    .takes(raw)
    .answers(live)
    .does(async ({ person, read, message, query, bearer, origin }) => {
      const stream: Stream = {
        reader: read,
        filters: query,
        begunAt: await findBeginning(read, message.headers.get('last-event-id')),
        maySee: async () => {
          if (!bearer) return false
          const found = await authenticate(bearer, { kind: 'organization', id: read.organizationId })
          if (!found?.membership || isGone(found.membership.status)) return false
          const kind = found.person.delegate ? 'delegates' : 'sessions'
          return can(found.membership, PERMISSION) && isAllowedNetwork(kind, found.membership.allowList, origin.address)
        },
      }
      return new Live({
        contentType: 'text/event-stream; charset=utf-8',
        stalledMs: Math.max(STALLED_MS, 2 * config.eventHeartbeatMs),
        begin: (over) => {
          const opened = openStream('events', person.userId)
          over.addEventListener('abort', opened.close)
          return streamLines(stream, opened.over)
        },
      })
    }),
]

/** Finds the place behind the client's last event, or the head. Refuses an unknown or old event. */
async function findBeginning(reader: Reader, lastEventId: string | null): Promise<number> {
  if (lastEventId === null) return headOf(reader)
  return isUuid(lastEventId)
    ? requireServed(reader, lastEventId, 'Last-Event-ID')
    : refuseCursor({ path: 'Last-Event-ID' })
}

const headOf = async ({ organizationId }: Reader): Promise<number> =>
  (await placesOfHeads([organizationId])).get(organizationId) ?? 0

/** Yields the lines of a stream: events, and a comment as heartbeat. */
async function* streamLines({ reader, filters, begunAt, maySee }: Stream, over: AbortSignal): AsyncGenerator<string> {
  let [seq, saidAt] = [begunAt, Date.now()]
  try {
    yield `retry: ${COME_AGAIN_MS}\n\n`
    while (!over.aborted) {
      const head = await headOf(reader)
      if (!(await maySee())) return
      const events = await eventsAfter(reader, { ...filters, seq, limit: PAGE })
      for (const event of events) {
        yield `id: ${event.id}\nevent: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`
      }
      const last = events.at(-1)?.seq ?? seq
      seq = events.length === PAGE ? last : Math.max(last, head)
      if (events.length > 0) saidAt = Date.now()
      if (events.length === PAGE) continue
      await waitForGrowth(reader.organizationId, seq, saidAt + config.eventHeartbeatMs - Date.now(), over)
      if (over.aborted || Date.now() - saidAt < config.eventHeartbeatMs) continue
      yield ': nothing new\n\n'
      saidAt = Date.now()
    }
  } catch (error) {
    log.warn({ err: error }, 'a stream of events broke off')
  }
}

type Waiter = { readonly organizationId: OrganizationId; readonly seq: number; readonly end: () => void }
const waiting = new Set<Waiter>()
let isAsking = false

/** Waits until a log grows beyond a place, the time is over, or the signal. */
const waitForGrowth = (organizationId: OrganizationId, seq: number, ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (over.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      over.removeEventListener('abort', end)
      waiting.delete(waiter)
      resolve()
    }
    const waiter = { organizationId, seq, end }
    const timer = setTimeout(end, ms)
    over.addEventListener('abort', end)
    waiting.add(waiter)
    if (!isAsking) void askForGrowth()
  })

/** Queries growth for all waiting streams in one statement, while there are any. */
async function askForGrowth(): Promise<void> {
  isAsking = true
  while (waiting.size > 0) {
    await delay(GROWTH_EVERY_MS)
    const organizations = new Set([...waiting].map(({ organizationId }) => organizationId))
    try {
      const heads = await placesOfHeads([...organizations])
      for (const { organizationId, seq, end } of waiting) if ((heads.get(organizationId) ?? 0) > seq) end()
    } catch (error) {
      log.warn({ err: error }, 'streams missed a notification of their logs')
    }
  }
  isAsking = false
}

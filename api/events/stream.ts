/** The log of an organization as server-sent events, for as long as the caller may read it. */
import * as v from 'valibot'
import { config } from '../../platform/config.ts'
import { type Followed, eventsAfter, placesOfHeads, requireServed } from '../../db/events/log.ts'
import { log } from '../../platform/log.ts'
import { refuse } from '../../domain/errors.ts'
import type { LoggedEvent } from '../../domain/event.ts'
import { StreamFilters } from '../../domain/events/log.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { isUuid } from '../../domain/ids.ts'
import { can } from '../../domain/permissions.ts'
import { authenticate } from '../../db/people/sessions.ts'
import type { Reader } from '../../db/sql.ts'
import { refuseCursor } from '../../db/pagination.ts'
import { Live, STALLED_MS } from '../http/http.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { growth } from './growth.ts'

const { query } = operations('Events')

const PERMISSION = 'transactions.list_all'
/** At once, in one process. */
const OF_PERSON_MAX = 5
const RETRY_SECONDS = 5
/** Read at a time: what one stream holds in memory. */
const PAGE = 50
/** How long a client waits before it comes again. */
const COME_AGAIN_MS = 2000

/** Streams that are open in this process, by person. */
const open = new Map<string, Set<AbortController>>()
let isEnding = false

/** Ends every stream of this process, and lets none begin: clients go on at another one. */
export function endStreams(): void {
  isEnding = true
  for (const ends of open.values()) for (const end of ends) end.abort()
}

/** Lets streams begin: the process listens. */
export function allowStreams(): void {
  isEnding = false
}

type Followers = Context<
  'person' | 'org' | 'read' | 'message',
  { readonly query: StreamFilters; readonly bearer: string | undefined }
>
type Stream = {
  readonly reader: Reader
  readonly followed: Followed
  readonly begunAt: number
  readonly maySee: () => Promise<boolean>
}

export const eventStreams = [
  query('/organizations/{organization_id}/events/stream', 'streamEvents')
    .says(
      'Follow the log as server-sent events, from now on or from behind `Last-Event-ID`',
      'Each has the event as JSON in `data`, its id in `id` and its type in `event`. It ends with the session, the ' +
        'membership or the permission; a client that goes on with `Last-Event-ID` misses nothing. At most 5 for a person.',
    )
    .of('organization')
    .can(PERMISSION)
    .filters(StreamFilters)
    .raw()
    .produces('text/event-stream', v.instance(Live))
    .does(follow),
]

async function follow({ person, read, message, query, bearer }: Followers): Promise<Live> {
  const stream: Stream = {
    reader: read,
    followed: { types: query.type ?? [], stream: query.stream },
    begunAt: await beginningOf(read, message.headers.get('last-event-id')),
    maySee: async () => {
      const found = bearer && (await authenticate(bearer, { kind: 'organization', id: read.organizationId }))
      if (!found || !found.membership || isGone(found.membership.status)) return false
      return can(found.membership.role, PERMISSION)
    },
  }
  return new Live({
    contentType: 'text/event-stream; charset=utf-8',
    stalledMs: Math.max(STALLED_MS, 2 * config.eventHeartbeatMs),
    begin: (over) => told(stream, registered(person.userId, over)),
  })
}

/**
 * Counts the stream until it is over; the signal says that it is, or has to be. Refuses `rate_limited` to a person with
 * as many as they may have, and `service_unavailable` while the process has no room.
 */
function registered(userId: string, over: AbortSignal): AbortSignal {
  const all = [...open.values()].reduce((sum, { size }) => sum + size, 0)
  if (isEnding || all >= config.eventStreamsMax) refuse('service_unavailable', { retry_after_seconds: RETRY_SECONDS })
  const own = open.get(userId) ?? new Set()
  if (own.size >= OF_PERSON_MAX) refuse('rate_limited', { retry_after_seconds: RETRY_SECONDS })
  const end = new AbortController()
  open.set(userId, own.add(end))
  over.addEventListener('abort', () => {
    own.delete(end)
    if (own.size === 0) open.delete(userId)
    end.abort()
  })
  return end.signal
}

/** Behind the event that the client had last, or at the head. Refuses one that is none of this log, or too old. */
async function beginningOf(reader: Reader, lastEventId: string | null): Promise<number> {
  const { organizationId } = reader
  if (lastEventId === null) return (await placesOfHeads([organizationId])).get(organizationId) ?? 0
  return isUuid(lastEventId)
    ? requireServed(reader, lastEventId, 'Last-Event-ID')
    : refuseCursor({ path: 'Last-Event-ID' })
}

/** What is said on one stream: events, and something else if there are none for long. */
async function* told({ reader, followed, begunAt, maySee }: Stream, over: AbortSignal): AsyncGenerator<string> {
  const { organizationId } = reader
  let [seq, saidAt] = [begunAt, Date.now()]
  try {
    yield `retry: ${COME_AGAIN_MS}\n\n`
    while (!over.aborted) {
      const head = (await placesOfHeads([organizationId])).get(organizationId) ?? 0
      if (!(await maySee())) return
      const events = await eventsAfter(reader, { ...followed, seq, limit: PAGE })
      for (const event of events) yield framed(event)
      const last = events.at(-1)?.seq ?? seq
      seq = events.length === PAGE ? last : Math.max(last, head)
      if (events.length > 0) saidAt = Date.now()
      if (events.length === PAGE) continue
      await growth(organizationId, seq, saidAt + config.eventHeartbeatMs - Date.now(), over)
      if (over.aborted || Date.now() - saidAt < config.eventHeartbeatMs) continue
      yield ': nothing new\n\n'
      saidAt = Date.now()
    }
  } catch (error) {
    log.warn({ err: error }, 'a stream of events broke off')
  }
}

const framed = (event: LoggedEvent): string =>
  `id: ${event.id}\nevent: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`

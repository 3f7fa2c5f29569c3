/** Open streams of this process: few for a person, and not more than it can serve. */
import { refuse } from '../../domain/errors.ts'
import { config } from '../../platform/config.ts'

/** Streams of events for programs, and of changes for pages. */
export const STREAM_KINDS = ['events', 'pages'] as const
type Kind = (typeof STREAM_KINDS)[number]

export type OpenStream = {
  /** Fires when the stream is closed, or the process stops. */
  readonly over: AbortSignal
  readonly close: () => void
}

/** Concurrent streams of a person, of each kind. */
const OF_PERSON_MAX = 5
const RETRY_SECONDS = 5

type StreamEntry = { readonly kind: Kind; readonly userId: string; readonly end: AbortController }
const open = new Set<StreamEntry>()
let stopping = false

/** Ends every stream of this process, and refuses new ones: clients reconnect to another process. */
export function endStreams(): void {
  stopping = true
  for (const { end } of open) end.abort()
}

/** Tells if this process takes leave: its streams have ended, and another process answers what comes next. */
export const isStopping = (): boolean => stopping

export function allowStreams(): void {
  stopping = false
}

export const countStreams = (kind: Kind): number => [...open].filter((one) => one.kind === kind).length

/**
 * Opens a stream until it is closed. Refuses `rate_limited` beyond a person's streams, and `service_unavailable` beyond
 * those of the process, and while it stops.
 */
export function openStream(kind: Kind, userId: string): OpenStream {
  const wait = { retry_after_seconds: RETRY_SECONDS }
  if (stopping || open.size >= config.eventStreamsMax) refuse('service_unavailable', wait)
  const own = [...open].filter((one) => one.kind === kind && one.userId === userId)
  if (own.length >= OF_PERSON_MAX) refuse('rate_limited', wait)
  const one = { kind, userId, end: new AbortController() }
  open.add(one)
  const close = () => {
    open.delete(one)
    one.end.abort()
  }
  return { over: one.end.signal, close }
}

/** Live changes of a page: tells when what it shows is another, and keeps no session alive. */
import { setTimeout as delay } from 'node:timers/promises'
import { Live } from '../api/http/http.ts'
import { refuse } from '../domain/errors.ts'
import { findApproval, findPayment } from './approval.ts'
import { askWaiting, digestWaiting, organizationsOf } from './inbox.ts'
import { digestOf } from './layout.ts'
import type { Viewer } from './viewer.ts'

/** Most streams of one browser session: each is a connection, of which browsers have six for a host. */
const STREAMS_MAX = 5
const POLL_MS = 2000
const STALLED_MS = 60_000
/** Longest life of a stream; the browser connects again by itself. */
const LIFE_MS = 10 * 60_000
const CHANGED = 'event: changed\ndata: \n\n'

/** Open streams of this process, by session. */
const open = new Map<string, Set<AbortController>>()

/** Ends every stream; the process stops. */
export function endPageStreams(): void {
  for (const stream of [...open.values()].flatMap((ofSession) => [...ofSession])) stream.abort()
}

/**
 * Streams server-sent events (WHATWG HTML, 9.2): `changed` when the page shows something old, at once if that changed
 * before the stream began (`shown` is the digest of the page). Without a session 204, after which browsers stop
 * asking. Refuses `rate_limited` beyond five of a session, and `not_found`.
 */
export async function showChanges(viewer: Viewer): Promise<Response> {
  const { http, session } = viewer
  const id = http.req.query('approval')
  const look = (): Promise<string | null> => (id === undefined ? inboxOf(viewer) : approvalOf(viewer, id))
  const stream = openStream(session)
  try {
    const first = await look()
    if (first === null) return http.body(null, 204)
    const shown = http.req.query('shown') ?? first
    const begin = (over: AbortSignal) => {
      stream.begun = true
      over.addEventListener('abort', stream.close)
      return changes(stream, { first, shown, look }, over)
    }
    return new Live({ contentType: 'text/event-stream', stalledMs: STALLED_MS, begin }).toResponse(http)
  } finally {
    if (!stream.begun) stream.close()
  }
}

type Stream = { readonly over: AbortSignal; readonly close: () => void; begun: boolean }

/** Counts a stream of a session until it is closed; refuses `rate_limited` beyond five. */
function openStream(session: string): Stream {
  const ofSession = open.get(session) ?? new Set()
  if (ofSession.size >= STREAMS_MAX) refuse('rate_limited', { retry_after_seconds: POLL_MS / 1000 })
  const stream = new AbortController()
  open.set(session, ofSession.add(stream))
  const close = () => {
    ofSession.delete(stream)
    if (ofSession.size === 0) open.delete(session)
  }
  return { over: stream.signal, close, begun: false }
}

type Looks = { readonly first: string; readonly shown: string; readonly look: () => Promise<string | null> }

async function* changes(stream: Stream, { first, shown, look }: Looks, over: AbortSignal): AsyncGenerator<string> {
  const ended = AbortSignal.any([over, stream.over, AbortSignal.timeout(LIFE_MS)])
  try {
    let before: string | null = first
    yield shown === first ? ': connected\n\n' : CHANGED
    while (before !== null && !ended.aborted) {
      await delay(POLL_MS, undefined, { signal: ended }).catch(() => {})
      if (ended.aborted) return
      const now = await look()
      yield now === before ? ': same\n\n' : CHANGED
      before = now
    }
  } finally {
    stream.close()
  }
}

async function inboxOf(viewer: Viewer): Promise<string | null> {
  const organizations = await organizationsOf(viewer)
  return organizations && digestWaiting(await askWaiting(viewer, organizations))
}

async function approvalOf(viewer: Viewer, id: string): Promise<string | null> {
  const found = await findApproval(viewer, id)
  if (found === 'signed out') return null
  if (!found) refuse('not_found')
  return digestOf({ ...found, payment: await findPayment(viewer, found.approval) })
}

/** Live changes of a page: tells when what it shows is another, and keeps no session alive. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Live } from '../api/http/http.ts'
import { refuse } from '../domain/errors.ts'
import { findApproval } from './approval.ts'
import { organizationsOf } from './inbox.ts'
import type { Viewer } from './viewer.ts'

/** Most streams of one browser session: each is a connection, of which browsers have six for a host. */
const STREAMS_MAX = 5
const POLL_MS = 2000
const STALLED_MS = 60_000
/** Longest life of a stream; the browser connects again by itself. */
const LIFE_MS = 10 * 60_000

/** Open streams of this process, by session. */
const open = new Map<string, Set<AbortController>>()

/** Ends every stream; the process stops. */
export function endPageStreams(): void {
  for (const stream of [...open.values()].flatMap((ofSession) => [...ofSession])) stream.abort()
}

/**
 * Streams server-sent events (WHATWG HTML, 9.2): `changed` when the page shows something old. Refuses `rate_limited`
 * beyond five of a session.
 */
export function showChanges(viewer: Viewer): Response {
  const id = viewer.http.req.query('approval')
  const look = async (): Promise<string | null> => {
    const shown = id === undefined ? await inboxOf(viewer) : await approvalOf(viewer, id)
    return shown && createHash('sha256').update(JSON.stringify(shown)).digest('base64url')
  }
  const ofSession = open.get(viewer.session) ?? new Set()
  if (ofSession.size >= STREAMS_MAX) refuse('rate_limited', { retry_after_seconds: POLL_MS / 1000 })
  return new Live({
    contentType: 'text/event-stream',
    stalledMs: STALLED_MS,
    begin: (over) => changes(viewer.session, look, over),
  }).toResponse(viewer.http)
}

async function* changes(
  session: string,
  look: () => Promise<string | null>,
  over: AbortSignal,
): AsyncGenerator<string> {
  const stream = new AbortController()
  const ofSession = open.get(session) ?? new Set()
  open.set(session, ofSession.add(stream))
  const ended = AbortSignal.any([over, stream.signal, AbortSignal.timeout(LIFE_MS)])
  try {
    let before = await look()
    yield ': connected\n\n'
    while (before !== null && !ended.aborted) {
      await delay(POLL_MS, undefined, { signal: ended }).catch(() => {})
      if (ended.aborted) return
      const now = await look()
      yield now === before ? ': same\n\n' : 'event: changed\ndata: \n\n'
      before = now
    }
  } finally {
    ofSession.delete(stream)
    if (ofSession.size === 0) open.delete(session)
  }
}

async function inboxOf(viewer: Viewer): Promise<object | null> {
  const organizations = await organizationsOf(viewer)
  if (!organizations) return null
  const lists = organizations.map(({ id }) =>
    viewer.call('GET', `/organizations/${id}/attention?kind=review_approval&limit=100`),
  )
  return Promise.all(lists)
}

async function approvalOf(viewer: Viewer, id: string): Promise<object | null> {
  const found = await findApproval(viewer, id)
  if (found === 'signed out') return null
  if (!found) refuse('not_found')
  const payment = await viewer.call('GET', `/payments/${found.approval.target_id}`)
  return { ...found, payment }
}

/** Live changes of a page: tells when what it shows is another, and keeps no session alive. */
import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { type Newest, readNewest, waitForNewest } from '../../api/events/newest.ts'
import { type OpenStream, openStream } from '../../api/events/open-streams.ts'
import { Live } from '../../api/http/http.ts'
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { Me } from '../../domain/people/person.ts'
import { config } from '../../platform/config.ts'
import { findApproval, findPayment, readApproval } from './find.ts'
import { askWaiting, digestOfInbox, digestOfWaiting } from './inbox.ts'
import { type Organization, organizationsOf } from '../frame/organizations.ts'
import { digestOf } from '../frame/layout.ts'
import { type Viewer, refusalIn } from '../frame/viewer.ts'

/** Pause between two looks of a stream, however much happens. */
const PAUSE_MS = 2000
/** Longest wait without a look: it finds the end of the session, and new organizations. */
const WAIT_MS = Math.max(config.eventHeartbeatMs, PAUSE_MS)
const STALLED_MS = 4 * WAIT_MS
/** Longest life of a stream; the browser connects again by itself. */
const LIFE_MS = 10 * 60_000
const CHANGED = 'event: changed\ndata: \n\n'

/** Bulkhead: looks of all streams of this process at once, so that they delay no page and no program. */
const inLanes = pLimit(2)

/**
 * Streams server-sent events (WHATWG HTML, 9.2): `changed` when the page shows something old, at once if that changed
 * before the stream began (`shown` is the digest of the page). Without a session 204, after which browsers stop
 * asking. Refuses `rate_limited` beyond five of a person, `service_unavailable` beyond those of the process, and
 * `not_found`.
 */
export async function showChanges(viewer: Viewer): Promise<Response> {
  const { http } = viewer
  const me = await viewer.call<Pick<Me, 'id'>>('GET', '/me')
  if (!me.ok && me.status === 401) return http.body(null, 204)
  if (!me.ok) throw refusalIn(me.error)
  http.set('caller', { user_id: me.body.id })
  const id = http.req.query('approval')
  const stream = openStream('pages', me.body.id)
  let begun = false
  try {
    const company = http.req.query('company')
    const watch =
      company !== undefined
        ? watchCompany(viewer, company)
        : id === undefined
          ? watchInbox(viewer)
          : watchApproval(viewer, id)
    const first = await watch(null)
    if (first === null) return http.body(null, 204)
    const shown = http.req.query('shown') ?? first.digest
    const begin = (over: AbortSignal) => {
      begun = true
      over.addEventListener('abort', stream.close)
      return changes(stream, { first, shown, watch })
    }
    return new Live({ contentType: 'text/event-stream', stalledMs: STALLED_MS, begin }).toResponse(http)
  } finally {
    if (!begun) stream.close()
  }
}

/** Digest of the page as it is now, and texts of its organizations from before it was read. */
type SeenState = { readonly digest: string; readonly known: Newest }

/**
 * Looks again at the organizations in which something happened, and at new ones; at all with null. Null when the session
 * is over.
 */
type Watch = (newer: Newest | null) => Promise<SeenState | null>

async function* changes(
  stream: OpenStream,
  { first, shown, watch }: { first: SeenState; shown: string; watch: Watch },
): AsyncGenerator<string> {
  const ended = AbortSignal.any([stream.over, AbortSignal.timeout(LIFE_MS)])
  try {
    let before = first
    yield shown === first.digest ? ': connected\n\n' : CHANGED
    while (!ended.aborted) {
      await delay(PAUSE_MS, undefined, { signal: ended }).catch(() => {})
      const newer = await waitForNewest(before.known, WAIT_MS, ended)
      if (ended.aborted) return
      const now = await watch(newer)
      if (now === null) return void (yield CHANGED) // the page leads to the sign-in
      if (now.digest !== before.digest) yield CHANGED
      else if (newer.size === 0) yield ': nothing new\n\n'
      before = now
    }
  } finally {
    stream.close()
  }
}

/** Watches what waits for the viewer in each of their organizations. */
function watchInbox(viewer: Viewer): Watch {
  const digests = new Map<OrganizationId, string>()
  let known = new Map<OrganizationId, string>()
  return async (newer) => {
    const organizations = await inLanes(() => organizationsOf(viewer))
    if (!organizations) return null
    const fresh = organizations.filter(({ id }) => !known.has(id))
    // before the organizations are asked, so that what happens meanwhile is seen
    const added = fresh.length > 0 ? await readNewest(fresh.map(({ id }) => id)) : []
    known = new Map([...known, ...(newer ?? []), ...added])
    const asked = organizations.filter(({ id }) => newer?.has(id) || !digests.has(id))
    await Promise.all(
      asked.map((organization) =>
        inLanes(async () => digests.set(organization.id, digestOfWaiting(await askWaiting(viewer, organization)))),
      ),
    )
    const own = new Set(organizations.map(({ id }) => id))
    for (const id of [...known.keys()].filter((one) => !own.has(one))) {
      known.delete(id)
      digests.delete(id)
    }
    return { digest: digestOfInbox(organizations.map(({ id }) => digests.get(id) ?? '')), known }
  }
}

/** Watches all that happens in a company, for a page of work in progress. */
function watchCompany(viewer: Viewer, id: string): Watch {
  let known: Newest | undefined
  return async (newer) => {
    const answer = await inLanes(() => viewer.call<Organization>('GET', `/organizations/${encodeURIComponent(id)}`))
    if (answer.status === 401) return null
    if (!answer.ok) throw refusalIn(answer.error)
    known = newer && known ? new Map([...known, ...newer]) : await readNewest([answer.body.id])
    return { digest: digestOf([...known]), known }
  }
}

/** Watches an approval, and the payment that it is about, in the organization that has it. */
function watchApproval(viewer: Viewer, id: string): Watch {
  let place: { readonly organization: Organization; readonly known: Newest } | undefined
  let payment: Awaited<ReturnType<typeof findPayment>> = null
  return (newer) =>
    inLanes(async () => {
      if (!place) {
        const found = await findApproval(viewer, id)
        if (found === 'signed out') return null
        const { organization } = found ?? refuse('not_found')
        place = { organization, known: await readNewest([organization.id]) }
      } else place = { ...place, known: new Map([...place.known, ...(newer ?? [])]) }
      const { organization, known } = place
      const approval = await readApproval(viewer, organization, id)
      if (approval === 'signed out') return null
      if (!approval) return { digest: 'none', known }
      if (newer?.size !== 0) payment = await findPayment(viewer, approval)
      return { digest: digestOf({ organization, approval, payment }), known }
    })
}

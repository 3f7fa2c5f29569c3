/** Deliveries to a webhook endpoint or a log stream: a list with their states, and one with each try. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { LogStream } from '../../domain/registries/log-stream.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, nextOf, notFound, queryOf } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { type Mood, badge, empty, head, notice, table, tabs } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

const STATES = ['pending', 'succeeded', 'failed'] as const
const MOODS: Readonly<Record<Delivery['status'], Mood | undefined>> = {
  pending: undefined,
  succeeded: 'good',
  failed: 'bad',
}

/** Kind of a receiver: its place in the API, and that of its pages. */
type Kind = { readonly api: 'webhook-endpoints' | 'log-streams'; readonly pages: 'webhooks' | 'streams' }

export const WEBHOOKS: Kind = { api: 'webhook-endpoints', pages: 'webhooks' }
export const STREAMS: Kind = { api: 'log-streams', pages: 'streams' }

const deliveryPath = ({ api }: Kind, company: string, endpoint: string, rest: string): string =>
  `/organizations/${encodeURIComponent(company)}/${api}/${encodeURIComponent(endpoint)}/deliveries${rest}`

/** Shows the deliveries of an endpoint, of one state or of all. */
export async function showDeliveriesOf(
  viewer: Viewer,
  shell: CompanyShell,
  endpoint: string,
  kind = WEBHOOKS,
): Promise<Markup> {
  const { http, words } = viewer
  const { deliveries: of } = words.programs
  const query = queryOf(viewer, ['status', 'cursor'])
  const path = deliveryPath(kind, shell.company.id, endpoint, `?${query}`)
  const rows = bodyOf(await viewer.call<Rows<Delivery>>('GET', path))
  const at = `/o/${shell.company.id}/programs/${kind.pages}/${endpoint}`
  const here = http.req.query('status') ?? ''
  const all = [['', of.allStates], ...STATES.map((state) => [state, of.states[state]] as const)] as const
  return html`<section>
    <h2>${of.heading}</h2>
    ${tabs(
      of.heading,
      all.map(([state, text]) => ({ path: state ? `?status=${state}` : '?', text, here: state === here })),
    )}
    <div class="card">
      ${rows.data.length > 0 ? deliveryTable(rows.data, at, shell, words) : empty('clock', of.none, of.noneYet)}
    </div>
    ${rows.data.some(({ status }) => status === 'pending') ? lookAgain(words) : ''} ${nextOf(viewer, rows)}
  </section>`
}

/** Leads to the page as it is now: what is delivered is in no log, so that no stream tells. */
const lookAgain = ({ books }: Words): Markup => html`<p><a href="">${books.exports.lookAgain}</a></p>`

const stateBadge = ({ status }: Delivery, { programs }: Words): Markup =>
  badge(programs.deliveries.states[status], MOODS[status])

/** Says what the receiver answered to the latest try. */
function sayAnswer({ attempts }: Delivery, { programs }: Words): string {
  const { deliveries: of } = programs
  const last = attempts.at(-1)
  if (!last) return of.notTried
  if (last.status_code !== null) return of.answered(last.status_code)
  return last.failure === null ? of.noAnswer : of.failures[last.failure]
}

const deliveryTable = (rows: readonly Delivery[], at: string, { formats }: CompanyShell, words: Words): Markup => {
  const { deliveries: of } = words.programs
  return table({
    caption: of.heading,
    columns: [
      { name: of.when },
      { name: of.event },
      { name: of.answer },
      { name: of.tries, figure: true },
      { name: of.state },
    ],
    rows: rows.map((row) => [
      html`<a href="${at}/deliveries/${row.id}">${formats.instant(row.created_at)}</a>`,
      html`<code>${row.event_type}</code>`,
      sayAnswer(row, words),
      String(row.attempts.length),
      stateBadge(row, words),
    ]),
  })
}

export const showDelivery = (kind: Kind) => deliveryPage(kind)

const deliveryPage = (kind: Kind, fault?: Fault) =>
  companyPage('programs', async (viewer, shell) => {
    const { http, words } = viewer
    const { company, formats } = shell
    const { deliveries: of } = words.programs
    const [endpoint, id] = [http.req.param('id') ?? '', http.req.param('delivery') ?? '']
    const path = deliveryPath(kind, company.id, endpoint, `/${encodeURIComponent(id)}`)
    const answer = await viewer.call<Delivery>('GET', path)
    if (answer.status === 404) return notFound(viewer).frame
    const one = bodyOf(answer)
    const at = `/o/${company.id}/programs/${kind.pages}/${endpoint}`
    return {
      title: one.event_type,
      ...(fault && { status: fault.status }),
      body: html`${fault ? notice('fault', fault.text) : ''}
        ${head(html`<code>${one.event_type}</code>`, { below: html`${stateBadge(one, words)} ${of.origins[one.origin]} · <a href="${at}${kind.pages === 'streams' ? '/deliveries' : ''}">${of.all}</a>` })}
        <div class="card">
          ${rowsOf([
            [of.eventId, html`<code>${one.event_id}</code>`],
            [of.when, formats.instant(one.created_at)],
            [of.nextTry, one.next_attempt_at && formats.instant(one.next_attempt_at)],
            [of.endedAt, one.ended_at && formats.instant(one.ended_at)],
          ])}
          <form method="post" action="${at}/deliveries/${one.id}/replay">
            <div class="actions"><button>${of.again}</button></div>
          </form>
        </div>
        ${one.attempts.length === 0 ? '' : attemptsOf(one, shell, words)}
        ${one.status === 'pending' ? lookAgain(words) : ''}`,
    }
  })

const attemptsOf = ({ attempts }: Delivery, { formats }: CompanyShell, { programs }: Words): Markup => {
  const { deliveries: of } = programs
  return html`<div class="card">
    ${table({
      caption: of.tries,
      columns: [{ name: of.when }, { name: of.answer }, { name: of.text }, { name: of.took, figure: true }],
      rows: attempts.map((one) => [
        formats.instant(one.attempted_at),
        one.status_code === null ? of.failures[one.failure ?? 'connection'] : of.answered(one.status_code),
        one.response ? isolate(one.response) : '',
        `${formats.figure(String(one.duration_ms))} ms`,
      ]),
    })}
  </div>`
}

/** Delivers an event once more. */
export const replayDelivery = (kind: Kind) =>
  act<Delivery>({
    ask: ({ viewer, company, id }) => {
      const delivery = encodeURIComponent(viewer.http.req.param('delivery') ?? '')
      return { path: deliveryPath(kind, company, id, `/${delivery}/replay`), body: {} }
    },
    then: (_, { company, id }) =>
      kind.pages === 'streams'
        ? `/o/${company}/programs/streams/${id}/deliveries`
        : `/o/${company}/programs/webhooks/${id}?done=replayed`,
    again: (viewer, fault) => deliveryPage(kind, fault)(viewer),
  })

/** Shows the deliveries to a log stream, on a page of their own: its card has no room for them. */
export const showStreamDeliveries = companyPage('programs', async (viewer, shell) => {
  const { pay, programs } = viewer.words
  const { deliveries: of } = programs
  const stream = viewer.http.req.param('id') ?? ''
  const path = `/organizations/${encodeURIComponent(shell.company.id)}/log-streams/${encodeURIComponent(stream)}`
  const answer = await viewer.call<LogStream>('GET', path)
  if (answer.status === 404) return notFound(viewer).frame
  const { address } = bodyOf(answer)
  const all = html`<a href="/o/${shell.company.id}/programs/streams">${pay.back}</a>`
  return {
    title: of.heading,
    body: html`${head(isolate(address), { below: all })} ${await showDeliveriesOf(viewer, shell, stream, STREAMS)}`,
  }
})

/** Log streams of a company: a list with what can be done, and the form of a new one. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { LogStream, LogStreamWithSecret } from '../../domain/registries/log-stream.ts'
import { type ApiCall, type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, nextOf, queryOf } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { area, badge, empty, field, head, icon, notice, select, sure } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Fields, Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { onceAtATime, onceByProof, showSecret } from './secret.ts'

const pathOf = (company: string, rest = ''): string =>
  `/organizations/${encodeURIComponent(company)}/log-streams${rest}`
const streamPath = (company: string, id: string, rest = ''): string =>
  pathOf(company, `/${encodeURIComponent(id)}${rest}`)

export const showStreams = (viewer: Viewer): Promise<Page | Response> => streamsPage()(viewer)

const streamsPage = (fault?: Fault) =>
  companyPage('programs', async (viewer, shell) => {
    const { words } = viewer
    const { streams: of, parts } = words.programs
    const path = pathOf(shell.company.id, `?${queryOf(viewer, ['cursor'])}`)
    const rows = bodyOf(await viewer.call<Rows<LogStream>>('GET', path))
    return {
      title: parts.streams.name,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, of.done)} ${fault ? notice('fault', fault.text) : ''}
      ${head(parts.streams.name, {
        below: html`${parts.streams.text}`,
        actions: html`<a class="button" href="/o/${shell.company.id}/programs/streams/new"
          >${icon('plus')}${of.add}</a
        >`,
      })}
      ${
        rows.data.length > 0
          ? rows.data.map((row) => streamCard(row, shell, words))
          : html`<div class="card">${empty('programs', of.none, of.noneYet)}</div>`
      }
      ${nextOf(viewer, rows)}`,
    }
  })

function streamBadge({ paused, failing_since: failing }: LogStream, { programs }: Words): Markup {
  const { states } = programs.webhooks
  if (paused) return badge(states.disabled, 'warn')
  return failing === null ? badge(states.active, 'good') : badge(states.failing, 'bad')
}

function streamCard(row: LogStream, { company, formats }: CompanyShell, words: Words): Markup {
  const { streams: of, webhooks } = words.programs
  const action = `/o/${company.id}/programs/streams/${row.id}`
  const at = (instant: string | null) => instant && formats.instant(instant)
  const button = (verb: string, text: string): Markup =>
    html`<form method="post" action="${action}/${verb}"><button class="second">${text}</button></form>`
  const rotate = sure({ ask: of.rotate, text: of.rotateText, action: `${action}/rotate`, button: of.rotateNow })
  return html`<section class="card">
    <h2>${isolate(row.address)} ${streamBadge(row, words)}</h2>
    ${row.disabled_reason ? notice('warn', webhooks.disabledFor[row.disabled_reason]) : ''}
    ${rowsOf([
      [of.kind, of.kinds[row.kind]],
      [webhooks.description, row.description && isolate(row.description)],
      [of.waiting, String(row.waiting)],
      [webhooks.lastSuccess, at(row.last_success_at) ?? webhooks.never],
      [webhooks.lastFailure, at(row.last_failure_at)],
      [webhooks.failingSince, at(row.failing_since)],
      [webhooks.earlierUntil, at(row.previous_secret_expires_at)],
      [webhooks.madeAt, at(row.created_at)],
    ])}
    <div class="actions">
      <a class="button second" href="${action}/deliveries">${words.programs.deliveries.heading}</a>
      ${row.paused ? button('resume', of.resume) : html`${button('test', of.test)} ${button('pause', of.pause)}`}
      ${row.kind === 'https' ? rotate : ''}
      ${sure({ ask: of.remove, text: of.removeText, action: `${action}/delete`, button: of.removeNow })}
    </div>
  </section>`
}

export const showNewStream = (viewer: Viewer): Promise<Page | Response> => newPage()(viewer)

const newPage = (fault?: Fault) =>
  companyPage('programs', (viewer, { company }) => {
    const { words } = viewer
    const { streams: of, webhooks } = words.programs
    const { optional } = words.pay
    const at = `/o/${company.id}/programs/streams`
    const value = (name: string) => ({ id: name, value: fault?.sent.get(name), wrong: fault?.wrong[name] })
    return Promise.resolve({
      title: of.add,
      ...(fault && { status: fault.status }),
      body: html`${head(of.add)} ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="${at}">
          ${keepFields([['key', randomUUID()]])}
          ${select({
            ...value('kind'),
            label: of.kind,
            required: true,
            choices: [
              ['https', of.kinds.https],
              ['syslog_tls', of.kinds.syslog_tls],
            ],
          })}
          ${field({ ...value('url'), label: of.url, hint: of.urlHint, more: html`maxlength="2048"` }, optional)}
          ${field({ ...value('authorization'), label: of.authorization, hint: of.authorizationHint, type: 'password', more: html`maxlength="4096" autocomplete="off"` }, optional)}
          ${field({ ...value('host'), label: of.host, hint: of.hostHint, more: html`maxlength="253"` }, optional)}
          ${field({ ...value('port'), label: of.port, type: 'number', more: html`min="1024" max="65535" placeholder="6514"` }, optional)}
          ${area({ ...value('ca'), label: of.ca, hint: of.caHint }, optional)}
          ${field({ ...value('description'), label: webhooks.description, more: html`maxlength="255"` }, optional)}
          <div class="actions">
            <button>${of.make}</button>
            <a class="button second" href="${at}">${words.pay.back}</a>
          </div>
        </form>`,
    })
  })

/** Reads the fields that belong to the kind of the stream. */
function streamIn(form: Fields) {
  const given = (name: string) => form.get(name).trim() || undefined
  const description = given('description') ?? null
  return form.get('kind') === 'https'
    ? { kind: 'https', url: given('url'), authorization: given('authorization'), description }
    : { kind: 'syslog_tls', host: given('host'), port: Number(given('port') ?? 6514), ca: given('ca'), description }
}

/** Makes a stream, and shows its secret by this answer alone; one by syslog has none. */
export const createStream = onceByProof(
  act<LogStreamWithSecret>({
    ask: ({ form, company }) => ({ path: pathOf(company), body: streamIn(form) }),
    then: ({ secret }, { viewer, company }) => {
      const { streams: of, webhooks } = viewer.words.programs
      if (secret === null) return `/o/${company}/programs/streams?done=made`
      return showSecret(viewer, { heading: of.made, secret, text: webhooks.secretText, next: '/programs/streams' })
    },
    again: (viewer, fault) => newPage(fault)(viewer),
  }),
)

const again = (viewer: Viewer, fault: Fault) => streamsPage(fault)(viewer)

const take = (done: string, ask: (company: string, id: string) => ApiCall) =>
  act({
    ask: ({ company, id }) => ask(company, id),
    then: (_, { company }) => `/o/${company}/programs/streams?done=${done}`,
    again,
  })

const setPaused = (paused: boolean) => (company: string, id: string) =>
  ({ method: 'PATCH', path: streamPath(company, id), body: { paused } }) as const

export const testStream = take('tested', (company, id) => ({ path: streamPath(company, id, '/test'), body: {} }))
export const pauseStream = take('paused', setPaused(true))
export const resumeStream = take('resumed', setPaused(false))
export const deleteStream = take('deleted', (company, id) => ({ method: 'DELETE', path: streamPath(company, id) }))

export const rotateStream = onceAtATime(
  act<LogStreamWithSecret>({
    ask: ({ company, id }) => ({ path: streamPath(company, id, '/rotate-secret'), body: {} }),
    then: ({ secret }, { viewer }) => {
      const { webhooks: of } = viewer.words.programs
      return showSecret(viewer, {
        heading: of.rotated,
        secret: secret ?? '',
        text: of.rotatedText,
        next: '/programs/streams',
      })
    },
    again,
  }),
)

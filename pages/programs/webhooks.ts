/** Webhook endpoints of a company: a list, and the form of a new or changed one. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { EVENT_TYPES } from '../../domain/registries/event-types.ts'
import type { Endpoint, EndpointWithSecret } from '../../domain/registries/webhook-endpoint.ts'
import { type Fault, Unclear, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, nextOf, queryOf } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { badge, empty, field, head, icon, notice, table } from '../frame/parts.ts'
import type { Fields, Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { onceAtATime, showSecret } from './secret.ts'

/** Builds the path of an endpoint, or of a part of it, in the API. */
export const endpointPath = (company: string, id: string, rest = ''): string =>
  `/organizations/${encodeURIComponent(company)}/webhook-endpoints/${encodeURIComponent(id)}${rest}`

export const showWebhooks = companyPage('programs', async (viewer, shell) => {
  const { words } = viewer
  const { webhooks: of, parts } = words.programs
  const path = `/organizations/${shell.company.id}/webhook-endpoints?${queryOf(viewer, ['cursor'])}`
  const rows = bodyOf(await viewer.call<Rows<Endpoint>>('GET', path))
  return {
    title: parts.webhooks.name,
    body: html`${doneNotice(viewer, of.done)}
      ${head(parts.webhooks.name, {
        below: html`${parts.webhooks.text}`,
        actions: html`<a class="button" href="/o/${shell.company.id}/programs/webhooks/new"
          >${icon('plus')}${of.add}</a
        >`,
      })}
      <div class="card">
        ${rows.data.length > 0 ? endpointTable(rows.data, shell, words) : empty('programs', of.none, of.noneYet)}
      </div>
      ${nextOf(viewer, rows)}`,
  }
})

/** Shows the state of an endpoint in a word. */
export function endpointBadge({ status, failing_since: failing }: Endpoint, { programs }: Words): Markup {
  const { states } = programs.webhooks
  if (status === 'disabled') return badge(states.disabled, 'warn')
  return failing === null ? badge(states.active, 'good') : badge(states.failing, 'bad')
}

/** Says how many types of events an endpoint takes. */
export const sayTypes = ({ types }: Endpoint, { programs }: Words): string =>
  types.length === 0 ? programs.webhooks.allTypes : programs.webhooks.someTypes(types.length)

const endpointTable = (rows: readonly Endpoint[], { company, formats }: CompanyShell, words: Words): Markup => {
  const { webhooks: of } = words.programs
  return table({
    caption: words.programs.parts.webhooks.name,
    columns: [{ name: of.url }, { name: of.types }, { name: of.lastSuccess }, { name: of.state }],
    rows: rows.map((row) => [
      html`<a href="/o/${company.id}/programs/webhooks/${row.id}">${isolate(row.url)}</a>
        ${row.description ? html`<br /><span class="small">${isolate(row.description)}</span>` : ''}`,
      sayTypes(row, words),
      row.last_success_at ? formats.instant(row.last_success_at) : of.never,
      endpointBadge(row, words),
    ]),
  })
}

export const showNewWebhook = (viewer: Viewer): Promise<Page | Response> => newPage()(viewer)

const newPage = (fault?: Fault) =>
  companyPage('programs', async (viewer, { company }) => {
    const { webhooks: of } = viewer.words.programs
    const at = `/o/${company.id}/programs/webhooks`
    const kept = keepFields([
      ['key', randomUUID()],
      ['newest', await newestOf(viewer, company.id)],
    ])
    return {
      title: of.add,
      ...(fault && { status: fault.status }),
      body: html`${head(of.add)} ${fault ? notice('fault', fault.text) : ''}
      ${endpointForm(viewer.words, { action: at, back: at, button: of.make, kept, ...(fault && { fault }) })}`,
    }
  })

/** Finds the newest endpoint of a company: a form that is sent again finds another one than its page did. */
async function newestOf(viewer: Viewer, company: string): Promise<string> {
  const path = `/organizations/${encodeURIComponent(company)}/webhook-endpoints?limit=1`
  const answer = await viewer.call<Rows<Endpoint>>('GET', path)
  return (answer.ok && answer.body.data[0]?.id) || ''
}

type EndpointForm = {
  readonly action: string
  readonly back: string
  readonly button: string
  readonly kept: Markup
  readonly fault?: Fault
  readonly endpoint?: Endpoint
}

/** Shows the fields of an endpoint: where to, and which events. */
export function endpointForm(words: Words, { action, back, button, kept, fault, endpoint }: EndpointForm): Markup {
  const { webhooks: of } = words.programs
  const chosen = new Set(fault ? fault.sent.all('types') : endpoint?.types)
  return html`<form class="card" method="post" action="${action}">
    ${kept}
    ${field({
      id: 'url',
      label: of.url,
      type: 'url',
      value: fault?.sent.get('url') ?? endpoint?.url,
      required: true,
      hint: of.urlHint,
      wrong: fault?.wrong['url'],
      more: html`maxlength="2048" placeholder="https://"`,
    })}
    ${field(
      {
        id: 'description',
        label: of.description,
        value: fault?.sent.get('description') ?? endpoint?.description,
        wrong: fault?.wrong['description'],
        more: html`maxlength="255"`,
      },
      words.pay.optional,
    )}
    <fieldset>
      <legend>${of.types}</legend>
      <p class="small">${of.typesHint}</p>
      <div class="pair">${GROUPS.map(([noun, types]) => groupOf(noun, types, chosen))}</div>
    </fieldset>
    <div class="actions">
      <button>${button}</button>
      <a class="button second" href="${back}">${words.pay.back}</a>
    </div>
  </form>`
}

const nounOf = (type: string): string => type.slice(0, type.indexOf('.'))
const GROUPS = [...new Set(EVENT_TYPES.map((type) => nounOf(type)))].map(
  (noun) => [noun, EVENT_TYPES.filter((type) => nounOf(type) === noun)] as const,
)

/** Shows the types of a noun, open where one is chosen. */
const groupOf = (noun: string, types: readonly string[], chosen: ReadonlySet<string>): Markup =>
  html`<details class="group" ${types.some((type) => chosen.has(type)) ? 'open' : ''}>
    <summary><code>${noun}.*</code></summary>
    ${types.map(
      (type) =>
        html`<label class="choice"
          ><input type="checkbox" name="types" value="${type}" ${chosen.has(type) ? 'checked' : ''} /><code
            >${type}</code
          ></label
        >`,
    )}
  </details>`

/** Reads the fields of an endpoint from its form. */
export const endpointIn = (form: Fields) => ({
  url: form.get('url').trim(),
  types: form.all('types'),
  description: form.get('description').trim() || null,
})

/** Makes an endpoint, and shows its secret by this answer alone. */
export const createWebhook = onceAtATime(
  act<EndpointWithSecret>({
    ask: async ({ viewer, form, company }) => {
      const isAgain = (await newestOf(viewer, company)) !== form.get('newest')
      if (isAgain) throw new Unclear(viewer.words.programs.webhooks.madeMeanwhile)
      return { path: `/organizations/${encodeURIComponent(company)}/webhook-endpoints`, body: endpointIn(form) }
    },
    then: ({ id, secret }, { viewer }) => {
      const { webhooks: of } = viewer.words.programs
      return showSecret(viewer, { heading: of.made, secret, text: of.secretText, next: `/programs/webhooks/${id}` })
    },
    again: (viewer, fault) => newPage(fault)(viewer),
  }),
)

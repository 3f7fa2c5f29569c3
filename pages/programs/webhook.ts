/** One webhook endpoint: where it leads, its secret, and what can be done with it. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Replay } from '../../domain/webhooks/delivery.ts'
import type { Endpoint, EndpointWithSecret } from '../../domain/registries/webhook-endpoint.ts'
import { type ApiCall, type Fault, Unclear, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, notFound } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { head, icon, notice, sure } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { showDeliveriesOf } from './deliveries.ts'
import { showReplaysOf } from './replays.ts'
import { onceAtATime, showSecret } from './secret.ts'
import { endpointBadge, endpointForm, endpointIn, endpointPath, sayTypes } from './webhooks.ts'

export const showWebhook = (viewer: Viewer): Promise<Page | Response> => webhookPage()(viewer)

/** Makes a page of an endpoint; of an unknown one, or another company's, there is none. */
const endpointPage = (
  show: (viewer: Viewer, shell: CompanyShell, endpoint: Endpoint) => ReturnType<Parameters<typeof companyPage>[1]>,
) =>
  companyPage('programs', async (viewer, shell) => {
    const answer = await viewer.call<Endpoint>('GET', endpointPath(shell.company.id, viewer.http.req.param('id') ?? ''))
    if (answer.status === 404) return notFound(viewer).frame
    return show(viewer, shell, bodyOf(answer))
  })

const webhookPage = (fault?: Fault) =>
  endpointPage(async (viewer, shell, endpoint) => {
    const { words } = viewer
    const { webhooks: of } = words.programs
    const { company } = shell
    const [deliveries, replays] = await Promise.all([
      showDeliveriesOf(viewer, shell, endpoint.id),
      showReplaysOf(viewer, shell, endpoint.id, fault),
    ])
    return {
      title: endpoint.url,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, of.done)} ${fault ? notice('fault', fault.text) : ''}
      ${head(isolate(endpoint.url), {
        below: html`${endpointBadge(endpoint, words)} <a href="/o/${company.id}/programs/webhooks">${of.all}</a>`,
      })}
      ${endpoint.disabled_reason ? notice('warn', of.disabledFor[endpoint.disabled_reason]) : ''}
      ${describe(endpoint, shell, words)} ${actions(endpoint, shell, words)} ${deliveries} ${replays}`,
    }
  })

function describe(endpoint: Endpoint, { formats }: CompanyShell, words: Words): Markup {
  const { webhooks: of } = words.programs
  const at = (instant: string | null) => instant && formats.instant(instant)
  return html`<div class="card">
    ${rowsOf([
      [of.description, endpoint.description && isolate(endpoint.description)],
      [of.types, sayTypes(endpoint, words)],
      [of.lastSuccess, at(endpoint.last_success_at)],
      [of.lastFailure, at(endpoint.last_failure_at)],
      [of.failingSince, at(endpoint.failing_since)],
      [of.earlierUntil, at(endpoint.previous_secret_expires_at)],
      [of.madeAt, at(endpoint.created_at)],
    ])}
    ${
      endpoint.types.length === 0
        ? ''
        : html`<details>
            <summary>${of.whichTypes}</summary>
            <ul>
              ${endpoint.types.map((type) => html`<li><code>${type}</code></li>`)}
            </ul>
          </details>`
    }
  </div>`
}

function actions({ id, status, updated_at: seen }: Endpoint, { company }: CompanyShell, { programs }: Words): Markup {
  const { webhooks: of } = programs
  const at = `/o/${company.id}/programs/webhooks/${id}`
  const button = (verb: string, text: string): Markup =>
    html`<form method="post" action="${at}/${verb}"><button class="second">${text}</button></form>`
  return html`<div class="actions">
    ${status === 'active' ? button('test', of.test) : button('enable', of.enable)}
    <a class="button second" href="${at}/change">${of.change}</a>
    ${status === 'active' ? button('disable', of.disable) : ''}
    ${sure({
      ask: of.rotate,
      text: of.rotateText,
      action: `${at}/rotate`,
      button: of.rotateNow,
      fields: keepFields([['seen', seen]]),
    })}
    ${sure({ ask: of.remove, text: of.removeText, action: `${at}/delete`, button: of.removeNow })}
  </div>`
}

const again = (viewer: Viewer, fault: Fault) => webhookPage(fault)(viewer)

/** Makes what takes a form of an endpoint's page, and shows that page with what was done. */
const take = (done: string, ask: (path: string) => ApiCall) =>
  act({
    ask: ({ company, id }) => ask(endpointPath(company, id)),
    then: (_, { company, id }) => `/o/${company}/programs/webhooks/${id}?done=${done}`,
    again,
  })

export const testWebhook = take('tested', (path) => ({ path: `${path}/test`, body: {} }))
export const enableWebhook = take('enabled', (path) => ({ path: `${path}/enable`, body: {} }))
export const disableWebhook = take('disabled', (path) => ({ path: `${path}/disable`, body: {} }))

export const deleteWebhook = act({
  ask: ({ company, id }) => ({ method: 'DELETE', path: endpointPath(company, id) }),
  then: (_, { company }) => `/o/${company}/programs/webhooks?done=deleted`,
  again,
})

/** Delivers the events of some days again; the key of the form does it once. */
export const replayEvents = act<Replay>({
  ask: ({ form, company, id }) => ({
    path: endpointPath(company, id, '/replay'),
    key: form.get('key'),
    body: { from: form.get('from'), ...(form.get('to') && { to: form.get('to') }) },
  }),
  then: (_, { company, id }) => `/o/${company}/programs/webhooks/${id}?done=replaying`,
  again,
})

/** Gives an endpoint another secret, and shows it by this answer alone. A second one would end the first at once. */
export const rotateWebhook = onceAtATime(
  act<EndpointWithSecret>({
    ask: async ({ viewer, form, company, id }) => {
      const path = endpointPath(company, id)
      const now = await viewer.call<Endpoint>('GET', path)
      if (now.ok && now.body.updated_at !== form.get('seen'))
        throw new Unclear(viewer.words.programs.webhooks.changedMeanwhile)
      return { path: `${path}/rotate-secret`, body: {} }
    },
    then: ({ id, secret }, { viewer }) => {
      const { webhooks: of } = viewer.words.programs
      return showSecret(viewer, { heading: of.rotated, secret, text: of.rotatedText, next: `/programs/webhooks/${id}` })
    },
    again,
  }),
)

export const showChangeWebhook = (viewer: Viewer): Promise<Page | Response> => changePage()(viewer)

const changePage = (fault?: Fault) =>
  endpointPage((viewer, { company }, endpoint) => {
    const { webhooks: of } = viewer.words.programs
    const back = `/o/${company.id}/programs/webhooks/${endpoint.id}`
    const form = { action: `${back}/change`, back, button: of.save, kept: html``, endpoint }
    return Promise.resolve({
      title: of.change,
      ...(fault && { status: fault.status }),
      body: html`${head(of.change, { below: isolate(endpoint.url) })} ${fault ? notice('fault', fault.text) : ''}
        <p>${icon('info')} ${of.changeText}</p>
        ${endpointForm(viewer.words, { ...form, ...(fault && { fault }) })}`,
    })
  })

export const changeWebhook = act({
  ask: ({ form, company, id }) => ({ method: 'PATCH', path: endpointPath(company, id), body: endpointIn(form) }),
  then: (_, { company, id }) => `/o/${company}/programs/webhooks/${id}?done=changed`,
  again: (viewer, fault) => changePage(fault)(viewer),
})

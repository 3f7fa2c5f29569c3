/** Logo and service ID of a company. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Fault } from '../frame/act.ts'
import type { CompanyShell } from '../frame/company.ts'
import { field, sure } from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'

/** Shows the logo, and the form that sets another one. */
export function logoCard({ words }: Viewer, { company }: CompanyShell): Markup {
  const { settings: of } = words.company
  const at = `/o/${company.id}/company/settings/logo`
  const { url } = company.logo
  return html`<section class="card">
    <h2>${of.logo}</h2>
    ${url ? html`<p><img src="${new URL(url).pathname}" alt="${of.logoAlt}" width="96" height="96" /></p>` : ''}
    <form method="post" action="${at}" enctype="multipart/form-data">
      ${field({ id: 'file', label: of.logo, type: 'file', hint: of.logoHint, required: true, more: html`accept="image/png,image/jpeg,image/webp"` })}
      <div class="actions"><button class="second">${of.logoSend}</button></div>
    </form>
    ${url ? html`<form method="post" action="${at}/remove"><button class="danger">${of.logoRemove}</button></form>` : ''}
  </section>`
}

/** Shows the service ID, or the form that takes one for good. */
export function handleCard(
  { words }: Viewer,
  { company }: CompanyShell,
  fault: Pick<Fault, 'wrong' | 'sent'> | undefined,
): Markup {
  const { settings: of } = words.company
  return html`<section class="card">
    <h2>${of.handle}</h2>
    ${
      company.svc_id
        ? html`<p><code>${company.svc_id}</code></p>
            <p class="small">${of.handleText}</p>`
        : sure({
            ask: of.handleAsk,
            text: of.handleText,
            action: `/o/${company.id}/company/settings/handle`,
            button: of.handleClaim,
            fields: field({
              id: 'svc_id',
              label: of.handle,
              hint: of.handleHint,
              value: fault?.sent.get('svc_id') ?? '',
              wrong: fault?.wrong['svc_id'],
              required: true,
              more: html`maxlength="30"`,
            }),
          })
    }
  </section>`
}

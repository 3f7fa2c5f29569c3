/** Security log of the viewer. */
import { html } from 'hono/html'
import { SECURITY_EVENTS, type SecurityEvent } from '../../domain/people/security-event.ts'
import { deviceNameOf } from '../../domain/people/device.ts'
import { bodyOf, nextOf, queryOf } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { type Choice, empty, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { mePage } from './frame.ts'
import type { Markup } from '../../api/http/http.ts'
import { filterForm, choiceFilter } from '../frame/forms/filters.ts'

export const showLog = mePage('log', async (viewer, { formats }) => {
  const { log } = viewer.words.me
  const query = queryOf(viewer, ['type', 'cursor'])
  const rows = bodyOf(await viewer.call<Rows<SecurityEvent>>('GET', `/me/security-events?${query}`))
  const nameOf = (type: string): string => (log.events as Readonly<Record<string, string>>)[type] ?? type
  const listed = table({
    caption: viewer.words.me.tabs.log,
    columns: [{ name: log.when }, { name: log.what }, { name: log.where }],
    rows: rows.data.map(({ occurred_at: at, type, ip_address: address, user_agent: agent }) => {
      const device = deviceNameOf(agent)
      return [
        formats.instant(at),
        nameOf(type),
        html`${device ? isolate(viewer.words.me.sessions.device(device)) : ''}
        ${address ? html`<span class="small">${address}</span>` : ''}`,
      ]
    }),
  })
  return {
    title: viewer.words.me.tabs.log,
    body: html`<p class="small">${log.strange}</p>
      ${filters(viewer)}
      <section class="card">${rows.data.length > 0 ? listed : empty('clock', log.none, '')}</section>
      ${nextOf(viewer, rows)}`,
  }
})

function filters(viewer: Viewer): Markup {
  const { log } = viewer.words.me
  const choices = SECURITY_EVENTS.map((type): Choice => [type, log.events[type]])
  return filterForm(viewer, choiceFilter(viewer, 'type', log.what, [['', log.all], ...choices]))
}

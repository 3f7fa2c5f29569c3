/** History of an invoice or a credit note in words, the newest first. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { HistoryEvent } from '../../domain/event.ts'
import type { CompanyShell } from '../frame/company.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

const LISTED = '100'

/** Writes the query of a page of events: the first, or the one that the address names. */
export function eventsQuery({ http }: Viewer): string {
  const cursor = http.req.query('events')
  return new URLSearchParams({ limit: LISTED, ...(cursor && { cursor }) }).toString()
}

export const eventList = (of: Rows<HistoryEvent>, { formats }: CompanyShell, { invoices }: Words): Markup =>
  html`<section class="card">
    <h2>${invoices.events.heading}</h2>
    <ol class="steps">
      ${of.data.toReversed().map(
        ({ event_type: type, occurred_at: at, actor_user_id: person }) =>
          html`<li>
            ${sayEvent(type, invoices.events.of)}
            <span class="small">${formats.instant(at)}${person === null ? `, ${invoices.events.byUs}` : ''}</span>
          </li>`,
      )}
    </ol>
    ${of.next_cursor ? html`<p><a href="?events=${of.next_cursor}">${invoices.events.later}</a></p>` : ''}
  </section>`

/** Says a type of event; one of a later version by its own name. */
function sayEvent(type: string, words: Readonly<Record<string, string>>): string {
  const name = type.split('.').at(-1) ?? type
  return words[name] ?? name.replaceAll('_', ' ')
}

/** History of a payment: what happened to it, when, and by whom. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { HistoryEvent } from '../../domain/event.ts'
import type { CompanyShell } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { findNames } from '../frame/organizations.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

/** Events of a page; a payment has fewer, but for one that its partner holds again and again. */
const EVENTS_MAX = 100

/** Writes the address of a page of the events of a payment. */
function eventsOf({ http }: Viewer, paymentId: string): string {
  const cursor = http.req.query('events')
  const query = new URLSearchParams({ limit: String(EVENTS_MAX), ...(cursor && { cursor }) })
  return `/payments/${paymentId}/events?${query.toString()}`
}

/** Shows the events of a payment in words, oldest first; those that say nothing to people are left out. */
export async function historyOf(viewer: Viewer, shell: CompanyShell, paymentId: string): Promise<Markup | ''> {
  const { words } = viewer
  const answer = await viewer.call<Rows<HistoryEvent>>('GET', eventsOf(viewer, paymentId))
  if (!answer.ok) return ''
  const events = answer.body.data.flatMap((event) => {
    const text = wordOf(event, words)
    return text === undefined ? [] : [{ event, text }]
  })
  const { next_cursor: next } = answer.body
  if (events.length === 0 && next === null) return ''
  const names = await findNames(
    viewer,
    shell.company.id,
    events.flatMap(({ event }) => event.actor_user_id ?? []),
  )
  return html`<section class="card">
    <h2>${words.payments.history}</h2>
    <ol class="steps">
      ${events.map(({ event, text }) => {
        const name = names.get(event.actor_user_id ?? '')
        return html`<li>
          ${text}${name === undefined ? '' : html` (${isolate(name)})`}
          <span class="small">${shell.formats.instant(event.occurred_at)}</span>
        </li>`
      })}
    </ol>
    ${next === null ? '' : html`<p><a href="?events=${next}">${words.invoices.events.later}</a></p>`}
  </section>`
}

/** Finds the words of an event by the part of its type behind the noun. */
function wordOf({ event_type: type }: HistoryEvent, { payments }: Words): string | undefined {
  const events: Readonly<Record<string, string>> = payments.events
  return type.startsWith('payment.') ? events[type.slice('payment.'.length)] : undefined
}

/** Replays: the events of some days, delivered to a webhook endpoint again. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Replay } from '../../domain/webhooks/delivery.ts'
import type { Fault } from '../frame/act.ts'
import { type CompanyShell, bodyOf } from '../frame/company.ts'
import { keepFields } from '../frame/layout.ts'
import { badge, field, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { endpointPath } from './webhooks.ts'

const LISTED_MAX = 10

/** Shows the latest replays of an endpoint, and a form for another one. */
export async function showReplaysOf(viewer: Viewer, shell: CompanyShell, id: string, fault?: Fault): Promise<Markup> {
  const { words } = viewer
  const { replays: of } = words.programs
  const path = endpointPath(shell.company.id, id, `/replays?limit=${LISTED_MAX}`)
  const { data } = bodyOf(await viewer.call<Rows<Replay>>('GET', path))
  return html`<details ${fault?.sent.get('from') ? 'open' : ''}>
    <summary>${of.heading}</summary>
    <form class="card" method="post" action="/o/${shell.company.id}/programs/webhooks/${id}/replay">
      ${keepFields([['key', randomUUID()]])}
      <p>${of.text}</p>
      <div class="pair">
        ${field({ id: 'from', label: words.home.from, type: 'date', required: true, value: fault?.sent.get('from'), wrong: fault?.wrong['from'] })}
        ${field({ id: 'to', label: words.home.to, type: 'date', value: fault?.sent.get('to'), wrong: fault?.wrong['to'] }, words.pay.optional)}
      </div>
      <div class="actions"><button class="second">${of.make}</button></div>
    </form>
    ${data.length > 0 ? html`<div class="card">${replayTable(data, shell, words)}</div>` : ''}
  </details>`
}

const replayTable = (rows: readonly Replay[], { formats }: CompanyShell, { programs }: Words): Markup => {
  const { replays: of } = programs
  return table({
    caption: of.heading,
    columns: [{ name: of.from }, { name: of.until }, { name: of.queued, figure: true }, { name: of.state }],
    rows: rows.map((row) => [
      formats.instant(row.from),
      formats.instant(row.until),
      formats.figure(String(row.queued)),
      badge(of.states[row.status], row.status === 'completed' ? 'good' : undefined),
    ]),
  })
}

/** Connections on the page of operators: each with its state, its work, and what has to be done. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { countRefused } from '../../api/callbacks/refused.ts'
import { judgeConnection } from '../../domain/audit/connection.ts'
import type { ConnectionStanding } from '../../services/audit/connections.ts'
import { instant } from '../frame/layout.ts'
import { badge, table } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

/** Shows the connections, with one sentence about each. */
export const connectionTable = (connections: readonly ConnectionStanding[], { operate }: Words): Markup => {
  const { standing } = operate
  return table({
    caption: operate.connections,
    columns: [
      { name: standing.name },
      { name: standing.verdict },
      { name: standing.heard },
      { name: standing.orders, figure: true },
      { name: standing.onHold, figure: true },
      { name: standing.callbacks, figure: true },
      { name: standing.findings, figure: true },
    ],
    rows: connections.map(({ name: connection, ...one }) => [
      html`<code>${connection}</code> ${one.kind}, ${one.driver} ${stateOf(one, standing)}`,
      standing.verdicts[judgeConnection(one)],
      heardOf(one, standing),
      one.oldest_at ? html`${one.orders} ${standing.oldest} ${instant(one.oldest_at)}` : String(one.orders),
      String(one.on_hold),
      standing.countCallbacks(one.unhandled_callbacks, countRefused(connection)),
      String(one.findings),
    ]),
  })
}

type ConnectionWords = Words['operate']['standing']

function stateOf({ pause, closed }: Pick<ConnectionStanding, 'pause' | 'closed'>, words: ConnectionWords): Markup {
  if (!pause) return html`${closed ? words.closed : words.open}`
  const { since, by, reason: why } = pause
  return html`${badge(words.paused, 'bad')} ${instant(since)} (${by}): ${why}`
}

/** Shows the last answer, the last call, and when the lists were read. */
const heardOf = (one: Omit<ConnectionStanding, 'name'>, words: ConnectionWords): Markup => {
  const at = (time: string | null) => (time ? instant(time) : words.never)
  return html`${words.answered} ${at(one.answered_at)}, ${words.called} ${at(one.called_at)}, ${words.read}
  ${at(one.read_at)}`
}

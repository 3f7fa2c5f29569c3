/** Connections on the page of operators: each with its state, its work, and what has to be done. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { countRefused } from '../../api/callbacks/refused.ts'
import { judgeConnection } from '../../domain/audit/connection.ts'
import type { ConnectionStanding } from '../../services/audit/connections.ts'
import { instant, isolate } from '../frame/layout.ts'
import { badge, table } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

/** Shows the connections, with one sentence about each. */
export const connectionTable = (connections: readonly ConnectionStanding[], { operate }: Words): Markup => {
  const { standing } = operate
  return table({
    caption: operate.connections,
    columns: [{ name: standing.name }, { name: standing.verdict }, { name: standing.heard }, { name: standing.orders }],
    rows: connections.map(({ name: connection, ...one }) => [
      html`<code>${connection}</code> ${one.kind}, ${one.driver} ${stateOf(one, standing)}`,
      html`${standing.verdicts[judgeConnection(one)]}
      ${one.findings > 0 ? html`(${standing.findings}: ${one.findings})` : ''} ${pauseOf(one)}`,
      heardOf(connection, one, standing),
      html`${one.orders}${one.oldest_at ? html`, ${standing.oldest} ${instant(one.oldest_at)}` : ''}
      ${one.on_hold > 0 ? html`(${standing.onHold}: ${one.on_hold})` : ''}`,
    ]),
  })
}

type ConnectionWords = Words['operate']['standing']

const stateOf = ({ pause, closed }: Pick<ConnectionStanding, 'pause' | 'closed'>, words: ConnectionWords): Markup =>
  pause ? badge(words.paused, 'bad') : html`${closed ? words.closed : words.open}`

const pauseOf = ({ pause }: Pick<ConnectionStanding, 'pause'>): Markup | string =>
  pause ? html`<br />${instant(pause.since)} (${pause.by}): ${isolate(pause.reason)}` : ''

/**
 * Shows the last answer to a worker; of a connection that moves money, its calls and when its lists were read, too. A desk
 * answers the API as well, which nobody notes: it is never said to be silent.
 */
const heardOf = (name: string, one: Omit<ConnectionStanding, 'name'>, words: ConnectionWords): Markup => {
  const at = (time: string | null) => (time ? instant(time) : words.never)
  const answered = html`${words.answered} ${at(one.answered_at)}`
  if (one.kind !== 'fiat' && one.kind !== 'crypto') return one.answered_at ? answered : html`–`
  const callbacks = words.countCallbacks(one.unhandled_callbacks, countRefused(name))
  return html`${answered}, ${words.called} ${at(one.called_at)} (${callbacks}), ${words.read} ${at(one.read_at)}`
}

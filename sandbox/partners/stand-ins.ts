/** Registry of the stand-ins, by the driver of their connections. */
import { Webhook } from 'standardwebhooks'
import { config } from '../../platform/config.ts'
import { type Connection, isOfDriver } from '../../platform/connections.ts'
import type { Callback } from '../db/callbacks.ts'
import { fireblocksStandIn } from './fireblocks/server.ts'
import { fileBankStandIn } from './file-bank/stand-in.ts'
import { entityEndpoints } from './entities.ts'
import { type Endpoint, serve } from './http.ts'
import { increaseStandIn } from './increase/server.ts'
import { messageEndpoints } from './messages.ts'
import { moneyEndpoints } from './money.ts'
import { ratesEndpoints } from './rates.ts'
import { screeningEndpoints } from './screening.ts'
import { serveReferenceRates } from './reference-rates.ts'
import type { CallbackMessage, StandIn } from './stand-in.ts'

/** Makes the stand-ins of all connections whose address is here; they call `changed` when something may be due sooner. */
export const standInsOf = (changed: () => void): ReadonlyMap<string, StandIn> =>
  new Map(config.connections.filter(({ standIn }) => standIn).map((one) => [one.name, standInFor(one, changed)]))

function standInFor(connection: Connection, changed: () => void): StandIn {
  if (isOfDriver(connection, 'ecb'))
    return { serve: async ({ response }) => serveReferenceRates(connection.name, response), message: sayNothing }
  if (isOfDriver(connection, 'fireblocks')) return fireblocksStandIn(connection, changed)
  if (isOfDriver(connection, 'http')) return ownProtocol(connection, endpointsOf(connection, changed))
  if (isOfDriver(connection, 'increase')) return increaseStandIn(connection, changed)
  if (isOfDriver(connection, 'iso20022')) return fileBankStandIn(connection)
  throw new Error(`no stand-in speaks the protocol of ${connection.settings.driver}`)
}

function endpointsOf({ name, kind }: Connection, changed: () => void): readonly Endpoint[] {
  if (kind === 'rates') return ratesEndpoints
  if (kind === 'screening') return screeningEndpoints
  return kind === 'messages'
    ? messageEndpoints('messenger')
    : [...moneyEndpoints(name, changed), ...entityEndpoints(name)]
}

/** Makes a stand-in that speaks our own protocol. */
export const ownProtocol = (
  { name, key, callbackSecret }: Pick<Connection, 'name' | 'key' | 'callbackSecret'>,
  endpoints: readonly Endpoint[],
): StandIn => ({
  serve: ({ path, query, request, response }) =>
    serve({ partner: name, key, endpoints, path, query }, request, response),
  message: (callback) => Promise.resolve(signMessage(callback, callbackSecret ?? '')),
})

/** Signs a callback by Standard Webhooks. */
function signMessage({ id, type, subjectId, version }: Callback, secret: string): CallbackMessage {
  const [body, at] = [JSON.stringify({ type, id: subjectId, version }), new Date()]
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
  }
}

const sayNothing = () => Promise.resolve(null)

import '../../platform/start-faults.ts' // first: it explains start faults of the next imports
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { config } from '../../platform/config.ts'
import { IDLE_MS } from '../../platform/network/connections.ts'
import { log } from '../../platform/log.ts'
import { followClock } from '../../db/postgres/clock.ts'
import { sql } from '../../db/postgres/sql.ts'
import { endStart } from '../../platform/start-faults.ts'
import { serveAccounting } from './accounting/server.ts'
import { startDispatcher } from './dispatcher.ts'
import { messageEndpoints } from './messages.ts'
import type { StandIn } from './stand-in.ts'
import { ownProtocol, standInsOf } from './stand-ins.ts'

const DEFAULT_PORT = 3100
const DRAIN_MS = 8000

/** Options; `callbackUrl` is the root of the API, port 0 any free one. */
export type PartnersOptions = { readonly port: number; readonly callbackUrl: string }
export type RunningPartners = { readonly port: number; readonly stop: () => Promise<void> }

/**
 * Starts the stand-ins, each under the path of its name (docs/partners.md). Their books are in Postgres: several
 * servers may run, and any may be killed. Throws in `live`.
 */
export async function startPartners({ port, callbackUrl }: PartnersOptions): Promise<RunningPartners> {
  if (config.live) throw new Error('the sandbox partners do not run in live')
  const partners: StandIns = allStandIns(() => pump.wake())
  const pump = await startDispatcher(callbackUrl, partners)
  const working = await Promise.all([...partners.values()].flatMap(({ start }) => (start ? [start()] : [])))
  const server = createServer({ keepAliveTimeout: IDLE_MS }, (request, response) => {
    answer(partners, request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'a sandbox partner failed')
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
      response.end('{"code":"internal","message":"something broke"}')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, config.host, () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await Promise.all([closed, pump.stop(), ...working.map((one) => one.stop())])
    },
  }
}

type StandIns = ReadonlyMap<string, StandIn>

/** Lists who is here: the mail server, and one for each connection whose address is here. */
function allStandIns(changed: () => void): StandIns {
  const { mail } = config.partners
  const mailServer =
    mail && ownProtocol({ name: 'mail', key: mail.key, callbackSecret: null }, messageEndpoints('mail'))
  return new Map([...standInsOf(changed), ...(mailServer ? [['mail', mailServer] as const] : [])])
}

async function answer(partners: StandIns, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://partners')
  const [, partner = '', ...rest] = url.pathname.split('/')
  const path = `/${rest.join('/')}`
  if (partner === 'accounting') return serveAccounting(path, url.searchParams, request, response)
  const found = partners.get(partner)
  if (found) return found.serve({ path, query: url.searchParams, request, response })
  response.writeHead(url.pathname === '/healthz' ? 200 : 404, { 'content-type': 'application/json' })
  response.end('{}')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await followClock() // what a partner dates, it dates by business time, also while that is in the past
  const { port, stop } = await startPartners({
    port: Number(new URL(config.sandboxPartnersUrl).port) || DEFAULT_PORT,
    callbackUrl: config.publicUrl,
  })
  endStart()
  log.info({ port }, 'sandbox ready')
  const drain = () => {
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    void stop()
      .then(() => sql.end({ timeout: 5 }))
      .then(() => process.exit(0))
  }
  process.once('SIGTERM', drain)
  process.once('SIGINT', drain)
}

/** The API process: listens, answers, drains. */
import './platform/start-faults.ts' // first: it explains a start that fails in what is imported next
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { requireBoundRole } from './db/postgres/bound-role.ts'
import { followClock } from './db/postgres/clock.ts'
import { requireSessions } from './db/sessions.ts'
import { config } from './platform/config.ts'
import { log } from './platform/log.ts'
import { startTraces, stopTraces } from './platform/traces.ts'
import { endPools } from './db/postgres/sql.ts'
import { endStart } from './platform/start-faults.ts'
import { requireConnections } from './services/connections/open.ts'
import { flushRequests } from './services/requests/buffer.ts'
import { offerSamplePlans } from './services/subscriptions/sample-plans.ts'
import { createApp } from './api/app.ts'
import { allowStreams, endStreams } from './api/events/open-streams.ts'
import { openMailServer } from './api/inbound-mails/smtp.ts'
import { serverOf } from './api/listener.ts'
import { routes } from './api/routes.ts'
import { mountPages } from './pages/app.ts'
import { watchLastHour } from './pages/operate/last-hour.ts'
import { injectFaults } from './platform/faults.ts'
import { hasFault, takeFault } from './sandbox/db/faults.ts'
import { allRoutes } from './sandbox/routes.ts'
import { announceCommits, flushSignals } from './temporal/announce.ts'
import { connection } from './temporal/client.ts'

const DRAIN_MS = 15_000
/**
 * Share of the drain in which idle connections stay open. Pools of proxies learn by an answer that a connection ends, and
 * checks of `/readyz` that the process stops, while new connections are still taken.
 */
const FAREWELL_MS = 5000
const IDLE_CHECK_MS = 100

type Running = { server: Server; port: number; stop: (farewell?: Promise<unknown>) => Promise<void> }

/**
 * Starts listening; answers the port, which the system chooses if PORT is 0. `stop` waits for a farewell, in which each
 * answer ends its connection, and `/readyz` is 503. Then it takes no new connections, and ends with the last answer.
 */
export async function startServer(): Promise<Running> {
  await requireBoundRole()
  await requireSessions()
  await requireConnections()
  await followClock()
  if (!config.live) {
    injectFaults({ has: hasFault, take: takeFault })
    await offerSamplePlans()
  }
  announceCommits()
  allowStreams()
  const lastHour = watchLastHour()
  const app = createApp(config.live ? routes : allRoutes)
  mountPages(app)
  const server = serverOf(app.fetch)
  await once(server.listen(config.port, config.host), 'listening')
  const { port } = server.address() as AddressInfo // of a port, not of a pipe
  const mailServer = config.billsMailPort === undefined ? null : await openMailServer(config.billsMailPort)
  let stopping = false
  // clients that keep a connection open are asked to reconnect
  for (const event of ['request', 'checkExpectation'])
    server.prependListener(event, (_request, response: ServerResponse) => {
      if (stopping) response.setHeader('connection', 'close')
    })
  const stop = async (farewell?: Promise<unknown>) => {
    stopping = true
    endStreams()
    const mailsEnd = mailServer?.stop()
    lastHour.stop()
    await farewell
    const closing = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
    await new Promise((resolve) => server.close(resolve))
    clearInterval(closing)
    await mailsEnd
    await flushRequests()
  }
  return { server, port, stop }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await startTraces('api')
  const { port, stop } = await startServer()
  endStart()
  log.info({ port }, 'api ready')
  /** Stops with a farewell when a deployment asks, without one from a terminal. */
  const drain = (signal: NodeJS.Signals) => {
    setTimeout(() => process.exit(1), DRAIN_MS).unref() // a client that never ends does not keep us
    void stop(signal === 'SIGTERM' ? delay(FAREWELL_MS) : undefined)
      .then(flushSignals)
      .then(() => Promise.all([endPools(), connection.close(), stopTraces()]))
      .then(() => process.exit(0))
  }
  process.once('SIGTERM', drain)
  process.once('SIGINT', drain)
}

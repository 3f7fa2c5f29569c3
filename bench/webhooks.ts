/** G13: 1,000 events a minute to a healthy endpoint beside a slow and a dead one, against none. */
import { once } from 'node:events'
import { type RequestListener, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { EndpointId } from '../domain/ids.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { createEndpoint, deleteEndpoint } from '../services/webhooks/commands.ts'
import { against, compare, itemAt, line, median, runPaced, quantile } from './measure.ts'
import { owner, untilIdle } from './owner.ts'
import { type Payer, makePayers, onePayment } from './payments.ts'
import type { Round } from './turns.ts'

const PAYMENTS_PER_SECOND = 3
const SECONDS = 30
const WARM_SECONDS = 5
const EVENTS_PER_MINUTE_MIN = 1000
const SLOW_MS = 5000
const HEALTHY_MS_MAX = 2000
const PATIENCE_MS = 60_000

export async function benchWebhooks(apiUrl: string, rounds: number): Promise<void> {
  const receivers = await openReceivers()
  const [payers, others] = [await makePayers(apiUrl, 1), await makePayers(apiUrl, 1)]
  const received: ReceivedEvent[] = []
  const beside = async (seconds: number) => {
    const endpoints = await Promise.all(payers.map((payer) => makeEndpoints(payer, receivers)))
    await waitForRuns(endpoints.flat())
    receivers.healthy.splice(0)
    const round = await pay(payers, seconds)
    await Promise.all(payers.map((payer) => waitForAll(payer, receivers)))
    received.push(...receivers.healthy.splice(0))
    // the slow endpoint's backlog must not affect the other payments
    await Promise.all(payers.map((payer, index) => deleteEndpoints(payer, endpoints[index] ?? [])))
    await untilIdle()
    return round
  }
  await beside(WARM_SECONDS)
  await pay(others, WARM_SECONDS)
  received.length = 0
  const name = 'payment with endpoints ÷ without, p50'
  const { a, b, p50 } = await compare(
    name,
    rounds,
    () => beside(SECONDS),
    () => pay(others, SECONDS),
  )
  const times = received.map(({ afterMs }) => afterMs)
  const perMinute = (received.length / rounds / SECONDS) * 60
  line('events a minute', perMinute, `${received.length} in ${rounds} rounds`, { atLeast: EVENTS_PER_MINUTE_MIN })
  const note = `p50 ${median(times).toFixed(0)} ms; the slow one got ${receivers.slow.length}`
  line('event at the healthy endpoint, p99 ms', quantile(times, 0.99), note, { atMost: HEALTHY_MS_MAX })
  line(name, p50, against(a.p50Ms, b.p50Ms, 'ms'), { atMost: 1.1 })
  for (const { server } of receivers.all) {
    server.closeAllConnections()
    server.close()
  }
}

async function pay(payers: readonly Payer[], seconds: number): Promise<Round> {
  const times: number[] = []
  await runPaced(PAYMENTS_PER_SECOND, seconds, async (index) => {
    const begun = performance.now()
    const aside = await onePayment(itemAt(payers, index))
    times.push(performance.now() - begun - aside)
  })
  return { rate: PAYMENTS_PER_SECOND, p50Ms: median(times), count: times.length }
}

/** Waits until the healthy endpoint has all events of the round; throws if that takes too long. */
async function waitForAll({ organizationId }: Payer, { healthy }: Receivers): Promise<void> {
  const [row] = await owner<{ ids: string[] }[]>`
    select array_agg(id) as ids from events where organization_id = ${organizationId} and stream <> 'webhook_endpoints'
      and occurred_at > (select max(inserted_at) from webhook_endpoints where organization_id = ${organizationId})`
  const gaveUpAt = performance.now() + PATIENCE_MS
  const missing = () => {
    const ids = new Set(healthy.map(({ id }) => id))
    return (row?.ids ?? []).filter((id) => !ids.has(id)).length
  }
  while (missing() > 0) {
    if (performance.now() > gaveUpAt) throw new Error(`${missing()} events did not come`)
    await delay(20)
  }
}

/** Waits until each endpoint has its run, which the sweep starts: nothing announces these rows. */
async function waitForRuns(ids: readonly EndpointId[]): Promise<void> {
  const unseen = () => owner`select from processes where id = any (${[...ids]}) and unseen_since is not null`
  while ((await unseen()).length > 0) await delay(20)
}

type ReceivedEvent = { readonly id: string; readonly afterMs: number }
type ReceivingServer = { readonly server: Server; readonly url: string }
type Receivers = {
  readonly all: readonly ReceivingServer[]
  readonly healthy: ReceivedEvent[]
  readonly slow: ReceivedEvent[]
}

/** Opens a fast receiver, a slow one, and one that never answers. */
async function openReceivers(): Promise<Receivers> {
  const [healthy, slow]: [ReceivedEvent[], ReceivedEvent[]] = [[], []]
  const listeners: RequestListener[] = [answering(healthy, 0), answering(slow, SLOW_MS), () => {}]
  return { all: await Promise.all(listeners.map((listener) => open(listener))), healthy, slow }
}

const answering =
  (received: ReceivedEvent[], afterMs: number): RequestListener =>
  async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { timestamp, data } = JSON.parse(Buffer.concat(chunks).toString())
    received.push({ id: data.id, afterMs: Date.now() - Date.parse(timestamp) })
    if (afterMs > 0) await delay(afterMs)
    response.writeHead(204).end()
  }

async function open(listener: RequestListener): Promise<ReceivingServer> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` } // it listens on TCP
}

const makeEndpoints = (payer: Payer, { all }: Receivers): Promise<EndpointId[]> =>
  Promise.all(
    all.map(async ({ url }) => {
      const wanted = { url, types: [], description: null }
      const made = await asSystem(payer.organizationId, (tx) => createEndpoint(tx, { ...payer, kind: 'user' }, wanted))
      return made.id as EndpointId // the id of the inserted row
    }),
  )

const deleteEndpoints = ({ organizationId }: Payer, ids: readonly EndpointId[]): Promise<unknown> =>
  asSystem(organizationId, async (tx) => {
    for (const id of ids) await deleteEndpoint(tx, id)
  })

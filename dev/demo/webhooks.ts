/** Demo of a webhook consumer: a receiver on this machine that verifies events, and its endpoint. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Receipt, lineOf, receive } from '../receiver.ts'
import { client, confirming, organization_id, sayRun, say } from './caller.ts'

const LOOK_MS = 100
const PATIENCE_MS = 60_000

export type Consumer = {
  readonly id: string
  readonly since: string
  readonly taken: readonly Receipt[]
  readonly close: () => void
}

export async function consumer(): Promise<Consumer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  const url = `http://127.0.0.1:${port}/events`
  const endpoint = await confirming.createWebhookEndpoint({ organization_id, url, description: 'The demo' })
  const taken: Receipt[] = []
  server.on(
    'request',
    receive(endpoint.secret, (one) => taken.push(one)),
  )
  say('Events', `go to ${url} from now on, signed with a secret that was shown once`)
  sayRun('  they are delivered here', `webhook-${endpoint.id}`)
  return { id: endpoint.id, since: endpoint.created_at, taken, close: () => server.close() }
}

/** Waits for all events; tells whether each subject's came in order. */
export async function waitForDelivery({ id, since, taken, close }: Consumer, subjectId: string): Promise<boolean> {
  const missing = await logSince(since)
  const isMissing = () => {
    for (const { event } of taken) missing.delete(event.data.id)
    return missing.size > 0
  }
  await waitWhile(isMissing)
  if (missing.size > 0) {
    say('The receiver', `lacks ${[...missing.values()].join(', ')}`)
    return false
  }
  const subjects = new Set(taken.map(({ event }) => event.data.subject_id))
  const late = taken.filter((one) => one.late).length
  say('The receiver', `verified ${taken.length} events of ${subjects.size} subjects; ${late} came out of order`)
  for (const one of taken.filter(({ event }) => event.data.subject_id === subjectId)) say(' ', lineOf(one))
  const endpoint = { organization_id, webhook_endpoint_id: id }
  const { data } = await client.listWebhookDeliveries({ ...endpoint, status: 'succeeded', limit: 1 })
  await client.replayWebhookDelivery({ ...endpoint, delivery_id: data[0]?.id ?? '' })
  await waitWhile(() => !taken.some(({ again }) => again))
  say('  one is delivered once more,', 'and known by its id')
  await confirming.deleteWebhookEndpoint(endpoint)
  close()
  return late === 0
}

async function logSince(since: string): Promise<Map<string, string>> {
  const events = new Map<string, string>()
  const logged = client.listEvents({ organization_id, order: 'asc', limit: 100, from: since })
  for await (const { id, event_type: type } of logged) events.set(id, type)
  return events
}

/** Waits at most a minute: deliveries take less than a second, but a machine may be busy. */
async function waitWhile(isSo: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (isSo() && Date.now() < end) await delay(LOOK_MS)
}

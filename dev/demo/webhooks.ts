/** Demo of a webhook consumer: a receiver on this machine that verifies events, and its endpoint. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Taken, lineOf, receive } from '../receiver.ts'
import { call, callConfirmed, organization, sayRun, say } from './caller.ts'

const ENDPOINTS = `${organization}/webhook-endpoints`
const LOOK_MS = 100
const PATIENCE_MS = 60_000

export type Consumer = {
  readonly id: string
  readonly since: string
  readonly taken: readonly Taken[]
  readonly close: () => void
}

export async function consumer(): Promise<Consumer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  const url = `http://127.0.0.1:${port}/events`
  const endpoint = await callConfirmed('POST', ENDPOINTS, { url, description: 'The demo' })
  const taken: Taken[] = []
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
  const { data } = await call('GET', `${ENDPOINTS}/${id}/deliveries?status=succeeded&limit=1`)
  await call('POST', `${ENDPOINTS}/${id}/deliveries/${data[0].id}/replay`, {})
  await waitWhile(() => !taken.some(({ again }) => again))
  say('  one is delivered once more,', 'and known by its id')
  await callConfirmed('DELETE', `${ENDPOINTS}/${id}`)
  close()
  return late === 0
}

async function logSince(since: string): Promise<Map<string, string>> {
  const path = `${organization}/events?order=asc&limit=100&from=${encodeURIComponent(since)}`
  const events = new Map<string, string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: any = await call('GET', `${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    for (const { id, event_type: type } of page.data) events.set(id, type)
    cursor = page.next_cursor
  }
  return events
}

/** Waits at most a minute: deliveries take less than a second, but a machine may be busy. */
async function waitWhile(isSo: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (isSo() && Date.now() < end) await delay(LOOK_MS)
}

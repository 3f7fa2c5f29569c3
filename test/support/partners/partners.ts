/** The stand-in partners for the tests of one file, and their controls. */
import { type Connection, isOfDriver } from '../../../platform/connections.ts'
import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll } from 'vitest'
import { type RunningPartners, startPartners } from '../../../sandbox/partners/server.ts'
import { config } from '../../../platform/config.ts'
import type { ConnectionName } from '../../../domain/partner.ts'
import type { Fault, Faulty } from '../../../domain/sandbox/sandbox.ts'
import { api, baseUrl } from '../api.ts'
import { owner } from '../database.ts'

const port = Number(new URL(config.sandboxPartnersUrl).port)

/** Starts the partners in this process at their usual address, with callbacks to this API. */
export function usePartners(callbackUrl: string | (() => string) = baseUrl): void {
  let running: RunningPartners
  beforeAll(async () => {
    running = await startPartners({ port, callbackUrl: typeof callbackUrl === 'string' ? callbackUrl : callbackUrl() })
    await owner`delete from sandbox_faults` // left by an earlier file of the same service
  })
  afterAll(() => running.stop())
}

/** Starts the partners with a manual bank, which moves payouts only on a test's command. */
export function useManualBank(): void {
  usePartners()
  beforeAll(async () => {
    await owner`insert into sandbox_faults (partner, fault, times) values ('bank', 'manual', 1000000)`
  })
}

export async function fault(partner: string, name: Fault, times = 1): Promise<void> {
  const answer = await api('POST', '/sandbox/faults', { body: { partner, fault: name, times } })
  if (answer.status !== 200) throw new Error(`fault: ${JSON.stringify(answer.body)}`)
}

/** Has a partner at fault while something is done: others who ask it meanwhile use none of it up. */
export async function whileFaulty<Result>(partner: string, name: Fault, work: () => Promise<Result>): Promise<Result> {
  await fault(partner, name, 1000)
  try {
    return await work()
  } finally {
    await liftFaults(partner)
  }
}

/** Lifts the faults of one partner: tests of the others run at the same time. */
export const liftFaults = (partner: string) => owner`delete from sandbox_faults where partner = ${partner}`

/** The stand-in's entry; undefined without one. */
export async function payoutAt(partner: ConnectionName, id: string) {
  const [row] = await owner<{ status: string; version: number; amount: string; currency: string; reference: string }[]>`
    select status, version, amount, currency, reference from sandbox_payouts where partner = ${partner} and id = ${id}`
  return row
}

/** Finds a connection of the configuration. */
export function connected(name: string): Connection {
  const found = config.connections.find((one) => one.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

/** Tells whether a connection speaks our own protocol: others say what happened in words of their own. */
export const speaksOurs = (name: string): boolean => isOfDriver(connected(name), 'http')

function mailServer() {
  if (!config.partners.mail) throw new Error('there is no mail')
  return config.partners.mail
}

/** Sends one HTTP request to a partner, as the service would. */
export async function askPartner(partner: Faulty, method: string, path: string, body?: unknown, key?: string) {
  const access = partner === 'mail' ? mailServer() : connected(partner)
  const response = await fetch(`${access.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key ?? access.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as any, headers: response.headers }
}

type Calling = {
  readonly partner?: ConnectionName
  readonly secret?: string
  readonly message?: string
  readonly type?: 'payout.updated' | 'deposit.updated'
}

/** Posts a callback, signed by its partner or with a wrong secret. */
export function calledBack(
  id: string,
  { partner = 'bank', secret = '', message = `msg_${randomUUID()}`, type = 'payout.updated' }: Calling = {},
) {
  const [body, at] = [JSON.stringify({ type, id, version: 1 }), new Date()]
  const key = secret || (connected(partner).callbackSecret ?? '')
  return api('POST', `//partners/${partner}/callbacks`, {
    body,
    headers: {
      'webhook-id': message,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(message, at, body),
    },
  })
}

export type Received = { path: string; headers: IncomingHttpHeaders; text: string; body: any }
export type Receiver = { url: () => string; received: Received[]; answer: { status: number } }

/** Receives callbacks instead of the API, and answers them with `answer.status`. */
export function useReceiver(): Receiver {
  const [received, answer]: [Received[], { status: number }] = [[], { status: 204 }]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      received.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) })
      response.writeHead(answer.status).end()
    })
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, answer }
}

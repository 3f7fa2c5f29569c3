/** A client of Fireblocks for tests: it signs each request, and has request and answer judged by the document. */
import { createHash, randomUUID, sign, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect } from 'vitest'
import { config } from '../../../../platform/config.ts'
import { SANDBOX_FIREBLOCKS } from '../../../../platform/drivers/sandbox.ts'
import { sql, transaction } from '../../../../db/postgres/sql.ts'
import type { Fault } from '../../../../domain/sandbox/sandbox.ts'
import { arrive } from '../../../../sandbox/db/deposits.ts'
import { setFault as setFaultOf } from '../../../../sandbox/db/faults.ts'
import { type RunningPartners, startPartners } from '../../../../sandbox/partners/server.ts'
import { until } from '../../until.ts'
import { faultsOf, faultsOfTransaction } from './document.ts'

const ROOT = `${config.sandboxPartnersUrl}/custodian`

type Webhook = { readonly text: string; readonly headers: Readonly<Record<string, unknown>> }

/** Starts the stand-ins for this file, and receives what they call back; `answer.status` answers it. */
export function useFireblocks() {
  const [webhooks, answer]: [Webhook[], { status: number }] = [[], { status: 200 }]
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      webhooks.push({ text: body, headers: request.headers })
      response.writeHead(answer.status).end()
    })
  })
  let running: RunningPartners
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    running = await startPartners({ port: Number(new URL(config.sandboxPartnersUrl).port), callbackUrl })
  })
  afterAll(async () => {
    await running.stop()
    receiver.closeAllConnections()
    receiver.close()
    await sql.end({ timeout: 1 })
  })
  return { answer, webhooks, told: (id: string) => webhooks.map(readWebhook).filter(({ data }) => data.id === id) }
}

/** Has the next requests or payouts of the custodian hit by a fault. */
export const setFault = (fault: Fault, times = 1) =>
  transaction((tx) => setFaultOf(tx, { partner: 'custodian', fault, times }))

export const ADDRESS = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'

/** Writes an order of a transfer of USDC from the first vault account. */
export const order = (externalTxId: string, more: object = {}) => ({
  externalTxId,
  assetId: 'USDC',
  amount: '10.50',
  source: { type: 'VAULT_ACCOUNT', id: '0' },
  destination: { type: 'ONE_TIME_ADDRESS', oneTimeAddress: { address: ADDRESS } },
  note: 'Invoice 1',
  ...more,
})
export const create = (externalTxId: string = randomUUID(), more: object = {}) =>
  ask('POST', '/transactions', { body: order(externalTxId, more) })
export const byExternalId = async (id: string) => (await ask('GET', `/transactions/external_tx_id/${id}`)).body
export const completed = (id: string) =>
  until('a completed transaction', async () => {
    const found = await byExternalId(id)
    return found.status === 'COMPLETED' && found
  })

/** Lets coins arrive at an address. */
export async function letArrive(account: string, amount: string, currency = 'USDC', id: string = randomUUID()) {
  const sender = { name: null, account_reference: ADDRESS, country: null, reference: null }
  await transaction((tx) => arrive(tx, { id, partner: 'custodian', account, amount: { amount, currency }, sender }))
  return id
}

const TYPES = /^TRANSACTION_(?:CREATED|STATUS_UPDATED)$/

type Claims = Readonly<Record<string, unknown>>

/** Signs a token over a request; `changed` claims, key and signature make it wrong. */
export function token(
  path: string,
  body: string,
  changed: Claims = {},
  key: string = SANDBOX_FIREBLOCKS.ourKey,
): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    uri: path,
    nonce: randomUUID(),
    iat: now,
    exp: now + 30,
    sub: SANDBOX_FIREBLOCKS.apiKey,
    bodyHash: createHash('sha256').update(body).digest('hex'),
    ...changed,
  }
  const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return [...parts, sign('RSA-SHA256', Buffer.from(parts.join('.')), key).toString('base64url')].join('.')
}

type Answer = { readonly status: number; readonly body: any; readonly headers: Headers }
type Call = {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Token in place of the right one. */
  readonly token?: string
}

/** Sends one request, of a path below `/v1`; both sides must be as the document says. */
export async function ask(method: string, path: string, call: Call = {}): Promise<Answer> {
  const url = new URL(`${ROOT}/v1${path}`)
  const text = call.body === undefined ? '' : JSON.stringify(call.body)
  const response = await fetch(url, {
    method,
    headers: {
      'x-api-key': SANDBOX_FIREBLOCKS.apiKey,
      authorization: `Bearer ${call.token ?? token(`${url.pathname}${url.search}`, text)}`,
      ...(text && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(text && { body: text }),
  })
  const body: any = await response.json()
  const query = new URLSearchParams(url.search)
  query.delete('pageCursor') // part of a `next-page`, which is opaque
  const message = { method, path: url.pathname.slice('/custodian/v1'.length), query, body: call.body }
  expect(faultsOf({ ...message, status: response.status, answer: body })).toEqual([])
  return { status: response.status, body, headers: response.headers }
}

/** Reads the transaction of a webhook, which must be signed and as the document says. */
function readWebhook({ text, headers }: Webhook): any {
  const signature = Buffer.from(String(headers['fireblocks-signature']), 'base64')
  expect(verify('RSA-SHA512', Buffer.from(text), SANDBOX_FIREBLOCKS.theirPublicKey, signature)).toBe(true)
  const told = JSON.parse(text)
  expect(told).toMatchObject({ type: expect.stringMatching(TYPES), tenantId: expect.any(String) })
  expect(faultsOfTransaction(told.data)).toEqual([])
  return told
}

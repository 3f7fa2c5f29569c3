/** A client of Fireblocks for tests: it signs each request, and has request and answer judged by the document. */
import { createHash, randomUUID, sign, verify } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { config } from '../../../../platform/config.ts'
import { SANDBOX_FIREBLOCKS } from '../../../../platform/drivers/sandbox.ts'
import { type RunningPartners, startPartners } from '../../../../sandbox/partners/server.ts'
import { faultsOf, faultsOfTransaction } from './document.ts'

const ROOT = `${config.sandboxPartnersUrl}/custodian`

/** Starts the stand-ins for this file; what they call back goes to `callbackUrl`. */
export function useFireblocks(callbackUrl: () => string): void {
  let running: RunningPartners
  beforeAll(async () => {
    const { port } = new URL(config.sandboxPartnersUrl)
    running = await startPartners({ port: Number(port), callbackUrl: callbackUrl() })
  })
  afterAll(() => running.stop())
}

export type Claims = Readonly<Record<string, unknown>>

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

export type Answer = { readonly status: number; readonly body: any; readonly headers: Headers }
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
export function readWebhook({ text, headers }: { text: string; headers: Readonly<Record<string, unknown>> }): any {
  const signature = Buffer.from(String(headers['fireblocks-signature']), 'base64')
  expect(verify('RSA-SHA512', Buffer.from(text), SANDBOX_FIREBLOCKS.theirPublicKey, signature)).toBe(true)
  const told = JSON.parse(text)
  expect(told).toMatchObject({ type: 'TRANSACTION_STATUS_UPDATED', tenantId: expect.any(String) })
  expect(faultsOfTransaction(told.data)).toEqual([])
  return told.data
}

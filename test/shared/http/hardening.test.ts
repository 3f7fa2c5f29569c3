/** Regressions of attacks and careless calls: each test is a guarantee that broke once, or could. */

import { expect, test } from 'vitest'
import { sql } from '../../../db/postgres/sql.ts'
import {
  api,
  approvalPath,
  approve,
  baseUrl,
  contact,
  createPayment,
  fund,
  organization,
  payerAndPayee,
  person,
  withStepUp,
} from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import { eventually, stateOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth } from '../../support/model-runs.ts'
import { assetPath } from '../../../api/assets/assets.ts'
import { readFileSync } from 'node:fs'
import { createApp } from '../../../api/app.ts'
import { mountPages } from '../../../pages/app.ts'
import { allRoutes } from '../../../sandbox/routes.ts'

useWorker()
const REUSED = [422, 'idempotency_key_reused']

test('a key that decided one approval decides no other one, nor one of another organization, and the worker lives on', async () => {
  const { boss, payer, contactId } = await payerAndPayee()
  const elsewhere = await organization(boss)
  await fund(elsewhere.id, '100.00')
  const [one, other] = [await createPayment(boss, contactId), await createPayment(boss, contactId)]
  const there = await createPayment(boss, await contact(boss, elsewhere.id, payer.svcId))
  const decide = (payment: typeof one, verb: string, body: object = {}) =>
    withStepUp('POST', `${approvalPath(payment)}/${verb}`, { token: boss.token, body, key: 'one decision' })
  expect((await decide(one, 'approve')).status).toBe(200)
  expect((await decide(one, 'approve')).body.status).toBe('approved')
  expect(refusal(await decide(one, 'approve', { comment: 'another body' }))).toEqual(REUSED)
  expect(refusal(await decide(other, 'approve'))).toEqual(REUSED)
  expect(refusal(await decide(there, 'approve'))).toEqual(REUSED)
  expect((await api('GET', approvalPath(other), { token: boss.token })).body.status).toBe('pending')
  expect((await approve(boss, other)).body.status).toBe('approved')
  await eventually(() => stateOf(other)).toBe('COMPLETED')
})

test('one request id on many requests is only a mark in the log', async () => {
  const { boss, payer, contactId } = await payerAndPayee()
  const headers = { 'x-request-id': 'the-same' }
  const [first, second] = [await createPayment(boss, contactId), await createPayment(boss, contactId)]
  for (const payment of [first, second]) {
    const rejected = await api('POST', `${approvalPath(payment)}/reject`, { token: boss.token, body: {}, headers })
    expect(rejected.body.status).toBe('rejected')
  }
  const call = { token: boss.token, body: { name: 'Twice', type: 'business' }, headers }
  const makeContact = () => api('POST', `/organizations/${payer.id}/payment-contacts`, call)
  const [one, two] = [await makeContact(), await makeContact()]
  expect([one.status, two.status, one.body.id === two.body.id]).toEqual([201, 201, false])
})

test('bytes that are no UTF-8 are no JSON', async () => {
  const { token } = await person()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = Buffer.from('{"name":"\xff"}', 'latin1')
  const answer = await fetch(`${baseUrl}/api/v1/organizations`, { method: 'POST', headers, body })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { type: 'malformed_request', details: { reason: 'not_utf8' } } })
})

test('no filter, however odd, is a bug of ours', async () => {
  const { boss, payer } = await payerAndPayee()
  const edges = '0001-01-01T00:00:00+14:00|0001-01-01T00:00:00Z|9999-12-31T23:59:59-15:59|2024-01-01T00:00:00+16:00'
  const odds = '2024-01-01T24:00:00Z|2024-01-01T00:00:00 +01:00|-0001-01-01|9999-12-31|infinity'
  const instants = `${edges}|${odds}`.split('|')
  const odd: Record<string, string[]> = {
    limit: ['-5', '1e3', '', '9'.repeat(400)],
    cursor: ['', 'x', '00000000-0000-0000-0000-000000000000'],
    from: instants,
    to: instants,
    as_of: instants,
    q: ['%', '_', '\\', '\0', 'İ', '💩', "'", 'a'.repeat(255), 'a'.repeat(256)],
    amount_min: ['9'.repeat(255), `0.${'1'.repeat(253)}`, 'NaN', '-1', '1e5'],
    currency: ['', 'USD\0', '💩'],
    statuses: ['', 'x'],
    ['__proto__']: ['x'],
    constructor: ['x'],
  }
  const lists = ['payments', 'approvals', 'payment-contacts', 'transactions', 'multi-currency-accounts', 'balances']
  for (const list of everyNth(lists, 3)) {
    const asked = Object.entries(odd).flatMap(([key, values]) => values.map((text) => [key, text] as const))
    for (const [name, value] of everyNth(asked, 2, lists.indexOf(list) / 3)) {
      const query = `${name}=${encodeURIComponent(value)}`
      for (const url of [query, `${query}&${query}`]) {
        const { status } = await api('GET', `/organizations/${payer.id}/${list}?${url}`, { token: boss.token })
        expect.soft([200, 400], `${list}?${url}`).toContain(status)
      }
    }
  }
})

test('the application role takes money from the organization it speaks for and from no other', async () => {
  const [mine, theirs] = [await payerAndPayee(), await payerAndPayee()]
  const taking = sql.begin(async (tx) => {
    await tx`select set_config('app.organization_id', ${mine.payer.id}, true)`
    await tx`select from ledger_post(array['taken'], array[${mine.payer.id}]::uuid[], array[1, 1],
      array[${theirs.payer.id}, ${mine.payer.id}]::uuid[], array['available', 'available'], array['USD', 'USD'],
      array[-5, 5]::numeric[])`
  })
  await expect(taking).rejects.toThrow('takes money only from the organization')
})

test('a payee sees only what was settled, and once', async () => {
  const { boss, payer, contactId } = await payerAndPayee()
  const payment = await createPayment(boss, contactId)
  const feed = () =>
    sql.begin(async (tx) => {
      await tx`select set_config('app.organization_id', ${payer.id}, true)`
      await tx`select feed_payees(array[${payment.id}]::uuid[], array[1]::numeric[], array[now()], array[1]::bigint[])`
    })
  await expect(feed()).rejects.toThrow('wrote 0 rows for 1 payments')
  await approve(boss, payment)
  await eventually(() => stateOf(payment)).toBe('COMPLETED')
  await expect(feed()).rejects.toThrow('wrote 0 rows for 1 payments')
})

test('a body that is too large is read to its end, so that who still sends it gets the answer, not a broken connection', async () => {
  const send = (bytes: number) => api('POST', '/auth/sign-in', { body: JSON.stringify({ email: 'x'.repeat(bytes) }) })
  for (let i = 0; i < 2; i += 1) {
    const answer = await send(6_000_000)
    expect([answer.status, answer.body.error.type]).toEqual([413, 'payload_too_large'])
    expect(answer.headers.get('connection')).toBe('keep-alive')
  }
})

test.each([
  ['/healthz', 200],
  ['/openapi.json', 200],
  ['/docs', 200],
  ['/docs/scalar.js', 200],
  [assetPath('page.js'), 200],
  [assetPath('style.css'), 200],
  ['/sign-in', 200],
  ['/approve', 303],
  ['/operate', 200],
  ['/i/nothing', 404],
  ['/files/nothing', 400],
  ['/api/v1/me', 401],
  ['/api/v1/auth/sign-in', 405],
  ['/mcp', 405],
  ['/oauth/token', 405],
  ['/.well-known/oauth-authorization-server', 200],
  ['/.well-known/jwks.json', 200],
  ['/.git/config', 404],
])('the answer of %s, %d, is run, framed and guessed as nothing else, and names no program', async (path, status) => {
  const answer = await fetch(baseUrl + path, { redirect: 'manual' })
  expect(answer.status).toBe(status)
  const { headers } = answer
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
  if (await answer.text())
    expect(headers.get('content-type')).toMatch(/^application\/(problem\+)?json|^text\/\w+; charset=utf-8$/i)
  expect(['server', 'x-powered-by'].filter((name) => headers.has(name))).toEqual([])
})

const values = readFileSync('ops/helm/values.yaml', 'utf8')
/** Prefixes of paths that the ingress lets in, beside the root itself. */
const prefixes = [...values.matchAll(/^ {4}- (\/\S*)$/gm)].map(([, path = '']) => path)

/** Paths of operators: their data, their pages, what only the machine itself asks, and what is in test alone. */
const INSIDE = ['/metrics', '/codec', '/operate', '/healthz', '/readyz', '/design']

/** Tells if a prefix covers a path, element by element, as Kubernetes compares them. */
const covers = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

test('each path of the app is let in, or is of operators, and never both', () => {
  const app = createApp(allRoutes)
  mountPages(app)
  const paths = new Set(app.routes.map(({ path }) => path).filter((path) => path !== '/*'))
  expect(paths.size).toBeGreaterThan(200)
  expect(prefixes).not.toContain('/') // a prefix of all would be all
  const isIn = (path: string) => path === '/' || prefixes.some((prefix) => covers(prefix, path))
  const isInside = (path: string) => INSIDE.some((prefix) => covers(prefix, path))
  expect([...paths].filter((path) => isIn(path) === isInside(path))).toEqual([])
  expect(prefixes.filter((prefix) => ![...paths].some((path) => covers(prefix, path)))).toEqual([])
})

/** Two accounts, invoices and payments through real processes; all that they write is searched for secrets. */
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startPartners } from '../../../sandbox/partners/server.ts'
import { config } from '../../../platform/config.ts'
import { client, connection } from '../../../temporal/client.ts'
import { tokenHash } from '../../../platform/encryption.ts'
import { freePort } from '../../../dev/machine/ports.ts'
import { api as here, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { approvalRun, failingRun, ownerRun, passwordRun, secondFactorRun } from '../../support/identity/run.ts'
import { invoiceRun } from '../../support/invoices/run.ts'
import { paymentRun } from '../../support/payments/run.ts'
import { type History, readable } from '../../support/histories/recorded.ts'
import { BALANCES, apiKey, revoke } from '../../support/organizations/api-keys.ts'
import { staffed } from '../../support/organizations/members.ts'
import { type Run, ask } from '../../support/runs/calls.ts'
import { type Service, found, secret, secrets, startBoth, tablesAsText, until } from '../../support/identity/secrets.ts'

const mails = await vi.hoisted(async () => {
  const { startMailServer } = await import('../../support/mail-server.ts')
  const server = await startMailServer()
  Object.assign(process.env, { SMTP_URL: `smtp://${server.address}`, MAIL_FROM: 'The Bank <hello@bank.test>' })
  return server
})
const workerMetricsPort = await freePort()
const { api, worker } = await startBoth({ WORKER_METRICS_PORT: String(workerMetricsPort) })
const port = Number(new URL(config.sandboxPartnersUrl).port)
const partners = await startPartners({ port, callbackUrl: api.url })
afterAll(() => Promise.all([api.stop(), worker.stop(), partners.stop(), connection.close()]))

const run: Run = { url: api.url, mails, refusals: [], answered: new Set() }

let tables: Map<string, string>
let histories: string[]
let payment: string
beforeAll(async () => {
  const philippa = await passwordRun(run)
  await secondFactorRun(run, philippa)
  await approvalRun(run, philippa)
  const bartholomew = await ownerRun(run)
  await invoiceRun(run, bartholomew)
  payment = readable(await paymentRun(run, bartholomew, worker))
  await failingRun(run, bartholomew)
  await until(async () => expect(await owner`select from messages where status = 'queued'`).toHaveLength(0))
  await until(() => expect(api.said()).toContain('"route":"POST /auth/sign-out"'))
  tables = await tablesAsText()
  histories = await deliveries()
}, 180_000)

async function deliveries(): Promise<string[]> {
  const sent = await owner`select id from messages where status in ('sent', 'mailbox')`
  return Promise.all(
    sent.map(async ({ id }) => {
      const history = await client.workflow.getHandle(`delivery-${id}`).fetchHistory()
      return readable(JSON.parse(historyToJSON(history)) as History) // the shape that historyToJSON documents
    }),
  )
}

const foundIn = (texts: Map<string, string>): Record<string, string[]> =>
  Object.fromEntries([...texts].map(([name, text]) => [name, found(text).sort()]).filter(([, names]) => names?.length))

test('the run was through everything that takes or gives a secret', () => {
  expect([...run.answered]).toEqual(
    expect.arrayContaining([
      'POST /auth/sign-up 201',
      'POST /auth/email/confirm 200',
      'POST /auth/email/confirm 422',
      'POST /auth/sign-in 401',
      'POST /auth/password/forgot 200',
      'POST /auth/password/reset 200',
      'POST /auth/password/reset 422',
      'POST /me/password 200',
      'POST /me/password 422',
      'POST /me/phone-numbers/confirm 200',
      'POST /me/phone-numbers/confirm 422',
      'POST /auth/totp/activate 200',
      'POST /auth/totp/activate 422',
      'POST /auth/sign-in/totp/activate 200',
      'POST /auth/mfa 200',
      'POST /auth/webauthn 200',
      'POST /auth/sign-in/device 200',
      'POST /auth/sign-in/device 401',
      'POST /me/recovery-codes 200',
      'POST /me/passkeys 201',
      'POST /me/passkeys 422',
      'POST /me/approval-credential 201',
      'POST /me/challenges/{id}/approve 200',
      'POST /me/challenges/{id}/approve 403',
      'POST /step-up/{id}/fallback 200',
      'DELETE /auth/totp 200',
      'POST /me/avatar 200',
      'POST /auth/sign-out 200',
      'DELETE /invoices/{id}/public-link 200',
    ]),
  )
  expect(secrets.size).toBeGreaterThan(60)
})

test('the search finds every one of them, as text and as the bytes of a column', async () => {
  expect(found([...secrets.values()].join('\n'))).toEqual([...secrets.keys()])
  const bytes = await owner`select t::text as row from unnest(${[...secrets.values()]}::text[]) u,
    convert_to(u, 'UTF8') t`
  const long = [...secrets].filter(([, value]) => !/^\w{6}$/.test(value)).map(([name]) => name)
  expect(found(bytes.map(({ row }) => row).join('\n'))).toEqual(long)
})

test('none is in the logs of either process, at the level that tells most', async () => {
  const bugs = run.refusals.filter((text) => text.includes('internal_error')).length
  expect(bugs).toBeGreaterThan(15)
  await until(() => expect(api.said().split('"msg":"bug"').length - 1).toBe(bugs))
  for (const { said } of [api, worker] satisfies Service[]) expect(found(said())).toEqual([])
})

test('the log of requests says who asked and why one was refused', () => {
  const written = api
    .said()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
  const requests = written.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(requests).toContainEqual(
    expect.objectContaining({ time, route: 'POST /auth/sign-in', status: 401, refused: 'invalid_credentials' }),
  )
  expect(requests).toContainEqual(
    expect.objectContaining({
      route: 'POST /me/password',
      status: 200,
      user_id: expect.stringMatching(/^[\da-f-]{36}$/),
    }),
  )
  for (const { status, refused, route } of requests)
    expect([route, status, Number(status) >= 400]).toEqual([route, status, refused !== undefined])
})

test('none is in a table, but what has its place there', () => {
  const of = (name: string) => [`${name} address`, `${name} name`]
  const addresses = ['owner address', 'other address', 'third address']
  expect(foundIn(tables)).toEqual({
    approval_decisions: ['comment'],
    approvals: ['contact'],
    events: ['contact', 'organization'],
    invoices: ['organization'],
    messages: [...addresses, 'phone number'].sort(),
    organizations: ['organization'],
    passkeys: ['passkey name'],
    payment_contacts: ['contact'],
    payments: ['contact', 'internal_notes', 'payout_reason', 'statement_description'],
    people: [...of('owner'), ...of('other')].sort(),
    phone_numbers: ['phone number'],
    security_events: ['passkey name'],
    sign_ups: [...of('owner'), ...of('other'), 'third address'].sort(),
    // shown again to the requester; releases nothing without an approval device
    // the signature of a used challenge is the proof that auditors verify
    step_ups: ['contact', 'number to match', 'signature'],
    transactions: ['contact', 'organization', 'statement_description'],
  })
})

test('tokens and recovery codes stand there as hashes, passwords as argon2id, codes and authenticator secrets sealed', () => {
  const stands = (table: string, name: string) =>
    expect(tables.get(table)).toContain(tokenHash(secrets.get(name) ?? '').toString('hex'))
  stands('sessions', 'session token')
  stands('trust_tokens', 'trust token')
  stands('login_credentials', 'login credential')
  stands('approval_credentials', 'approval credential')
  stands('invoices', 'token of a page')
  expect(tables.get('people')).toContain('$argon2id$')
  expect(tables.get('authenticators')).toContain(Buffer.from('\u0004dev1').toString('hex'))
})

test('in what people and organizations can read of what happened stand names that they gave, and no secret', () => {
  const [own, organization] = [tables.get('security_events') ?? '', tables.get('events') ?? '']
  expect(own).toContain('recovery_code.used')
  expect(own).toContain('step_up.verified')
  for (const told of ['organization.created', 'payment.created', '41.97']) expect(organization).toContain(told)
  expect([...found(own), ...found(organization)]).toEqual(['passkey name', 'organization', 'contact'])
})

test('none is in the histories of mails and messages to phones, not even their recipients', () => {
  expect(histories.length).toBeGreaterThan(15)
  expect(histories.join('\n')).toContain('deliverMessage')
  expect(found(histories.join('\n'))).toEqual([])
})

test('none is in the history of the workflow', () => {
  expect(payment).toContain('Payment by service ID')
  expect(found(payment)).toEqual([])
})

test('no refusal repeats what it was given', () => {
  const text = run.refusals.join('\n')
  for (const type of ['malformed_request', 'invalid_request', 'invalid_credentials', 'internal_error'])
    expect(text).toContain(type)
  expect(found(text)).toEqual([])
})

describe('the metrics that anybody scrapes', () => {
  test.each([
    ['of the API', () => new URL('/metrics', api.url), 'POST /payments'],
    ['of the worker', () => new URL(`http://127.0.0.1:${workerMetricsPort}/metrics`), 'temporal_'],
  ])('%s hold none', async (_, url, told) => {
    const metrics = await (await fetch(url())).text()
    expect(metrics).toContain(told)
    expect(found(metrics)).toEqual([])
  })
})

describe('an API key in another process than the one that made it', () => {
  const there = (token: string, method: string, path: string, body?: object) => ask(run, method, path, body, token)

  test('that was made or revoked is so at once', async () => {
    const { boss, id } = await staffed()
    const key = await apiKey(boss, id)
    const path = `/organizations/${id}/multi-currency-accounts`
    expect((await there(key.secret, 'GET', path)).status).toBe(200)
    await revoke(boss, key)
    expect((await there(key.secret, 'GET', path)).body.error.type).toBe('invalid_api_key')
  })

  test('is in no log of it, at the level that tells most, also when statements fail', async () => {
    const { boss, id } = await staffed()
    const key = await apiKey(boss, id)
    const path = `/organizations/${id}/api-keys`
    const asked = await there(boss.token, 'POST', path, BALANCES)
    await here('POST', `/sandbox/step-up/${asked.body.error.step_up.id}/decide`, { body: { decision: 'allow' } })
    const made = (await there(boss.token, 'POST', path, BALANCES)).body
    const rotated = (await withStepUp('POST', `${path}/${made.id}/rotate`, { token: boss.token, body: {} })).body
    const accounts = `/organizations/${id}/multi-currency-accounts`
    for (const [name, text] of Object.entries({ made: made.secret, rotated: rotated.secret, key: key.secret })) {
      secret(`${name} secret`, text.slice(18))
      expect((await there(text, 'GET', accounts)).status).toBe(200)
      await there(text, 'GET', '/me')
      await there(text.slice(0, 9) + (text[9] === 'a' ? 'b' : 'a') + text.slice(10), 'GET', accounts)
    }
    await owner`alter function find_api_key rename to hidden`
    try {
      expect((await there(key.secret, 'GET', accounts)).body.error.type).toBe('internal_error')
    } finally {
      await owner`alter function hidden rename to find_api_key`
    }
    await until(() => expect(api.said()).toContain('find_api_key'))
    expect(found(api.said())).toEqual([])
  })
})

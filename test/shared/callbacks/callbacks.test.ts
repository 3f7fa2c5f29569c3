import { randomUUID } from 'node:crypto'
import { connected } from '../../support/partners/partners.ts'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../services/maintenance/purge.ts'
import { depositIdOf } from '../../../domain/deposits/deposit.ts'
import { client } from '../../../temporal/client.ts'
import { MANY } from '../../support/model-runs.ts'
import { baseUrl, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { type Payment, eventually, terminate } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
const SECRETS = { bank: connected('bank').callbackSecret ?? '', custodian: connected('custodian').callbackSecret ?? '' }
const OTHER_SECRET = `whsec_${Buffer.from('another secret, which is long enough').toString('base64')}`
const DAY = 86_400
type Headers = Record<string, string | undefined>
type Signed = { partner?: string; webhookId?: string; at?: Date; body?: string; secret?: string }
type Sending = Signed & { sent?: string | Uint8Array<ArrayBuffer>; headers?: Headers }
const bodyAbout = (id: string, type = 'payout.updated') => JSON.stringify({ type, id, version: 3 })

/** Posts one callback as a partner; `sent` replaces the signed body, `headers` override. */
async function post({ partner = 'bank', ...given }: Sending = {}) {
  const { webhookId = `msg_${randomUUID()}`, at = new Date(), body = bodyAbout(randomUUID()), sent = body } = given
  const secret = given.secret ?? SECRETS.bank
  const [seconds, signature] = [Math.floor(at.getTime() / 1000), new Webhook(secret).sign(webhookId, at, body)]
  const signed = { 'webhook-id': webhookId, 'webhook-timestamp': String(seconds), 'webhook-signature': signature }
  const headers = { 'content-type': 'application/json', ...signed, ...given.headers }
  const kept = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined)
  const url = `${baseUrl}/partners/${partner}/callbacks`
  const response = await fetch(url, { method: 'POST', headers: kept, body: sent })
  const text = await response.text()
  return { status: response.status, text, type: text === '' ? undefined : JSON.parse(text).error.type }
}

const kept = async (webhookId: string) =>
  owner`select partner, subject, subject_id, handled_at is not null as handled from partner_callbacks where id = ${webhookId}`
const callbacksOf = async ({ id }: { id: string }) =>
  (await owner`select callbacks_received from payments where id = ${id}`)[0]?.['callbacks_received'] as number

/** The last change of a process and its version; undefined without a process. */
const processOf = async (id: string) =>
  (await owner<{ why: string; version: string }[]>`select why, version from processes where id = ${id}`)[0]

const stateOfRun = async (workflowId: string) =>
  (
    await client.workflow
      .getHandle(workflowId)
      .describe()
      .catch(() => undefined)
  )?.status.name

async function bankPayment(): Promise<Payment> {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment: Payment = await createPayment(boss, contactId, '1.00')
  await owner`update payments set rail = 'fiat' where id = ${payment.id}`
  return payment
}

describe('a callback that the partner signed', () => {
  test('is answered 204 with nothing, kept, counted for its payment, and wakes it', async () => {
    const payment = await bankPayment()
    const webhookId = `msg_${randomUUID()}`
    expect(await post({ webhookId, body: bodyAbout(payment.id.toUpperCase()) })).toEqual({ status: 204, text: '' })
    const row = { partner: 'bank', subject: 'payment', subject_id: payment.id, handled: true }
    expect([await kept(webhookId), await callbacksOf(payment)]).toEqual([[row], 1])
    expect(await processOf(payment.id)).toMatchObject({ why: 'partner_called' })
  })

  test('is one whatever comes at once, and again later', async () => {
    const payment = await bankPayment()
    const webhookId = `msg_${randomUUID()}`
    const same = { webhookId, body: bodyAbout(payment.id) }
    const answers = await Promise.all(Array.from({ length: MANY }, () => post(same)))
    answers.push(await post({ ...same, at: new Date(Date.now() - 60_000) }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect([await callbacksOf(payment), (await kept(webhookId)).length]).toEqual([1, 1])
  })

  test('counts each time where the partner names them apart, and at each partner by itself', async () => {
    const payment = await bankPayment()
    const webhookId = `msg_${randomUUID()}`
    await Promise.all(Array.from({ length: MANY }, () => post({ body: bodyAbout(payment.id) })))
    expect(await callbacksOf(payment)).toBe(MANY)
    await post({ webhookId, body: bodyAbout(payment.id) })
    await post({ webhookId, body: bodyAbout(payment.id), partner: 'custodian', secret: SECRETS.custodian })
    expect((await kept(webhookId)).map((row) => row['partner']).toSorted()).toEqual(['bank', 'custodian'])
  })

  test('about nothing that we know is answered the same, and wakes nobody', async () => {
    const ids = [randomUUID(), randomUUID()]
    const { boss, contactId } = await payerAndPayee('100.00')
    const internal: Payment = await createPayment(boss, contactId, '1.00')
    const before = await processOf(internal.id)
    for (const id of [...ids, internal.id]) {
      const webhookId = `msg_${randomUUID()}`
      expect(await post({ webhookId, body: bodyAbout(id) })).toEqual({ status: 204, text: '' })
      expect(await kept(webhookId)).toMatchObject([{ handled: true }])
    }
    expect(await callbacksOf(internal)).toBe(0)
    expect(before).toMatchObject({ why: 'created' })
    expect(await Promise.all([internal.id, ...ids].map(processOf))).toEqual([before, undefined, undefined])
  })

  test('about a deposit that nobody has yet is kept, and starts the run that asks about it; another kind is not kept', async () => {
    const [other, webhookId, deposit] = [`msg_${randomUUID()}`, `msg_${randomUUID()}`, randomUUID()]
    expect((await post({ webhookId: other, body: '{"type":"account.updated","id":7}' })).status).toBe(204)
    expect((await post({ webhookId, body: bodyAbout(deposit, 'deposit.updated') })).status).toBe(204)
    const row = { partner: 'bank', subject: 'deposit', subject_id: deposit, handled: false }
    expect([await kept(other), await kept(webhookId)]).toEqual([[], [row]])
    const id = depositIdOf('bank', deposit)
    expect(await processOf(id)).toMatchObject({ why: 'partner_called' })
    await eventually(() => stateOfRun(`deposit-${id}`)).toBe('RUNNING')
  })

  test('while the secret changes may carry a signature for each, and others that nobody knows', async () => {
    const [webhookId, at, body] = [`msg_${randomUUID()}`, new Date(), bodyAbout(randomUUID())]
    const [ours, theirs] = [SECRETS.bank, OTHER_SECRET].map((secret) => new Webhook(secret).sign(webhookId, at, body))
    const signedBy = async (signature: string) =>
      (await post({ webhookId, at, body, headers: { 'webhook-signature': signature } })).status
    expect([await signedBy(`${theirs} ${ours}`), await signedBy(`v1a,abc v2 ${ours} ${theirs}`)]).toEqual([204, 204])
    expect(await signedBy(`${theirs} v1 v1, v2,abc`)).toBe(401)
    for (const seconds of [-290, 290])
      expect((await post({ at: new Date(Date.now() + seconds * 1000) })).status, 'within 5 minutes').toBe(204)
  })
})

describe('what the partner did not sign is 401, and nothing is kept of it', () => {
  const signed = bodyAbout(randomUUID())
  const about = (headers: Headers): Sending => ({ headers })
  const bearer = `Bearer ${connected('bank').key}`
  test.each<[string, Sending]>([
    ['from six minutes ago', { at: new Date(Date.now() - 360_000) }],
    ['of in six minutes', { at: new Date(Date.now() + 360_000) }],
    ['under another secret', { secret: OTHER_SECRET }],
    ['with another body', { body: signed, sent: bodyAbout(randomUUID()) }],
    ['with a blank more', { body: signed, sent: `${signed} ` }],
    ['with no body', { body: signed, sent: '' }],
    ['with another id', about({ 'webhook-id': 'msg_other' })],
    ['with another time', about({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) })],
    ['with a time that is none', about({ 'webhook-timestamp': 'now' })],
    ['with a time and more', about({ 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}.5` })],
    ['without an id', about({ 'webhook-id': undefined })],
    ['with an id of blanks', { webhookId: 'msg 1' }],
    ['with an id that is long', { webhookId: 'm'.repeat(256) }],
    ['without a time', about({ 'webhook-timestamp': undefined })],
    ['without a signature', about({ 'webhook-signature': undefined })],
    ['with an empty signature', about({ 'webhook-signature': 'v1,' })],
    ['with a signature of another version', about({ 'webhook-signature': 'v2,abc' })],
    ['with a bearer instead', about({ 'webhook-signature': undefined, authorization: bearer })],
  ])('%s', async (_, sending) => {
    const before = await owner`select count(*) as n from partner_callbacks`
    expect(await post(sending)).toMatchObject({ status: 401, type: 'not_authenticated' })
    expect(await owner`select count(*) as n from partner_callbacks`).toEqual(before)
  })
})

test('a partner that is none, or that calls nobody, is 404, whatever is signed', async () => {
  for (const partner of ['rates', 'nobody', 'constructor', '__proto__', 'Bank'])
    expect(await post({ partner })).toMatchObject({ status: 404, type: 'not_found' })
})

describe('what is signed and cannot be read is refused', () => {
  const bytes = (...parts: number[]) => new Uint8Array(parts)
  test.each<[string, Sending, number, string]>([
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['no JSON', { body: '{' }, 400, 'malformed_request'],
    ['no UTF-8', { body: '\ufffd', sent: bytes(0xff) }, 400, 'malformed_request'],
    ['nothing', { body: '' }, 400, 'invalid_request'],
    ['a list', { body: '[]' }, 400, 'invalid_request'],
    ['no id', { body: '{"type":"payout.updated"}' }, 400, 'invalid_request'],
    ['an id that is none', { body: bodyAbout('1') }, 400, 'invalid_request'],
    ['NUL', { body: '{"type":"payout.updated\\u0000","id":"1"}' }, 400, 'invalid_request'],
    ['more than 64 KiB', { body: JSON.stringify({ type: 'x'.repeat(65_536) }) }, 413, 'payload_too_large'],
    ['more than 1 MiB', { body: JSON.stringify({ type: 'x'.repeat(1_100_000) }) }, 413, 'payload_too_large'],
  ])('%s', async (_, sending, status, type) => expect(await post(sending)).toMatchObject({ status, type }))
})

test('what was told on is forgotten after 30 days, and nothing else', async () => {
  const payment = await bankPayment()
  await eventually(() => stateOfRun(`payment-${payment.id}`)).toBe('RUNNING')
  await terminate(payment)
  const [open, told] = [`msg_${randomUUID()}`, `msg_${randomUUID()}`]
  await post({ webhookId: open, body: bodyAbout(randomUUID(), 'deposit.updated') })
  await post({ webhookId: told, body: bodyAbout(payment.id) })
  await advance(30 * DAY - 60)
  await purgeExpired()
  expect((await kept(told)).length).toBe(1)
  await advance(120)
  await purgeExpired()
  expect(await kept(told)).toEqual([])
  expect(await kept(open)).toMatchObject([{ handled: false }])
})

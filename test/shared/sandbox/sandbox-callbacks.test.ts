/** Callbacks of the stand-in partners: signed, retried until taken, and disordered on request. */
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { startPartners } from '../../../sandbox/partners/server.ts'
import { arrive } from '../../../sandbox/db/deposits.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { connected, askPartner, fault, payoutAt, usePartners, useReceiver } from '../../support/partners/partners.ts'

const receiver = useReceiver()
usePartners(receiver.url)
beforeEach(async () => {
  receiver.answer.status = 204
  await api('DELETE', '/sandbox/faults')
})

const BODY = { amount: { amount: '10.00', currency: 'EUR' }, reference: 'Invoice 1', beneficiary: { iban: 'x' } }
const SENDER = { name: 'Sender', account_reference: null, country: 'DE', reference: 'Invoice 9' }
const payOut = async () => {
  const id = randomUUID()
  await askPartner('bank', 'PUT', `/payouts/${id}`, BODY)
  return id
}
const of = (id: string) => receiver.received.filter(({ body }) => body.id === id)
const versionsOf = (id: string) => of(id).map(({ body }) => body.version)
const quiet = () => owner`select id from sandbox_callbacks`

test('each change is called back, signed by Standard Webhooks', async () => {
  const id = await payOut()
  await expect.poll(() => versionsOf(id).sort()).toEqual([2, 3])
  for (const { path, headers, text, body } of of(id)) {
    expect(path).toBe('/partners/bank/callbacks')
    expect(body).toEqual({ type: 'payout.updated', id, version: body.version })
    const signed = headers as Record<string, string>
    expect(new Webhook(connected('bank').callbackSecret ?? '').verify(text, signed)).toEqual(body)
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(text, signed)).toThrow()
  }
  expect(new Set(of(id).map(({ headers }) => headers['webhook-id'])).size).toBe(2)
})

test('a deposit is called back once, whatever is repeated; so is its return', async () => {
  const id = randomUUID()
  const arrival = { id, partner: 'custodian', account: 'a', amount: { amount: '5.00', currency: 'USDC' } } as const
  await Promise.all(Array.from({ length: 4 }, () => transaction((tx) => arrive(tx, { ...arrival, sender: SENDER }))))
  await expect.poll(() => versionsOf(id)).toEqual([1])
  expect(of(id)[0]).toMatchObject({ path: '/partners/custodian/callbacks', body: { type: 'deposit.updated' } })
  const giveBack = () => askPartner('custodian', 'PUT', `/deposits/${id}/return`, { reason: 'no answer' })
  await Promise.all(Array.from({ length: 4 }, giveBack))
  await expect.poll(() => versionsOf(id)).toEqual([1, 2])
  await expect.poll(quiet).toHaveLength(0)
  expect(versionsOf(id)).toEqual([1, 2])
})

test('who does not take it gets it again, with the same id', async () => {
  receiver.answer.status = 503
  const id = await payOut()
  await expect.poll(() => of(id).length).toBeGreaterThanOrEqual(4)
  receiver.answer.status = 204
  await expect.poll(quiet).toHaveLength(0)
  expect(new Set(of(id).map(({ headers }) => headers['webhook-id'])).size).toBe(2)
})

describe('faults', () => {
  test('duplicate_callback: each comes twice, with the same id', async () => {
    await fault('bank', 'duplicate_callback', 2)
    const id = await payOut()
    await expect.poll(() => versionsOf(id).sort()).toEqual([2, 2, 3, 3])
    expect(new Set(of(id).map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })

  test('lost_callback: it never comes', async () => {
    await fault('bank', 'lost_callback', 1)
    const id = await payOut()
    await expect.poll(() => payoutAt('bank', id)).toMatchObject({ status: 'settled' })
    await expect.poll(quiet).toHaveLength(0)
    expect(versionsOf(id)).toEqual([3])
  })

  test.each(['late_callback', 'out_of_order'] as const)('%s: an older word comes after a newer one', async (name) => {
    await fault('bank', name, 1)
    const id = await payOut()
    await expect.poll(() => versionsOf(id)).toEqual([3, 2])
  })

  test('out_of_order: who asks hears an older word after a newer one', async () => {
    const id = await payOut()
    await expect.poll(() => payoutAt('bank', id)).toMatchObject({ status: 'settled' })
    const ask = async () => (await askPartner('bank', 'GET', `/payouts/${id}`)).body
    expect(await ask()).toMatchObject({ status: 'settled', version: 3 })
    await fault('bank', 'out_of_order', 1)
    expect(await ask()).toMatchObject({ status: 'processing', version: 2 })
    expect(await ask()).toMatchObject({ status: 'settled', version: 3 })
  })
})

test('what a partner had begun when it was killed, another one ends', async () => {
  receiver.answer.status = 503
  const id = randomUUID()
  const first = await startPartners({ port: 0, callbackUrl: 'http://127.0.0.1:1' })
  await askPartner('bank', 'PUT', `/payouts/${id}`, BODY)
  await expect.poll(() => payoutAt('bank', id)).toMatchObject({ status: 'settled' })
  // as a killed sender leaves it: claimed, without an outcome
  await first.stop()
  await owner`update sandbox_callbacks set due_at = clock_timestamp() + interval '1 second', attempts = 1`
  receiver.answer.status = 204
  await expect.poll(() => new Set(versionsOf(id))).toEqual(new Set([2, 3]))
  await expect.poll(quiet).toHaveLength(0)
})

test('several partners at once settle each payout once', async () => {
  const others = await Promise.all([1, 2, 3].map(() => startPartners({ port: 0, callbackUrl: receiver.url() })))
  const ids = await Promise.all(Array.from({ length: 12 }, payOut))
  const states = () => owner`select distinct status, version from sandbox_payouts where id = any (${ids})`
  await expect.poll(states).toEqual([{ status: 'settled', version: 3 }])
  await expect.poll(quiet).toHaveLength(0)
  await Promise.all(others.map((other) => other.stop()))
  for (const id of ids) expect(versionsOf(id).sort()).toEqual([2, 3])
})

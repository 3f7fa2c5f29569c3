/** Each fault of the stand-in partners happens as often as requested, with its effect. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import {
  ACCOUNTING_FAULTS,
  CALLBACK_FAULTS,
  FAULTS,
  PAYEE_CHECK_FAULTS,
  REQUEST_FAULTS,
} from '../../../domain/sandbox/sandbox.ts'
import { api } from '../../support/api.ts'
import { connected, askPartner, fault, payoutAt, usePartners } from '../../support/partners/partners.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { owner } from '../../support/database.ts'

usePartners()
beforeEach(() => api('DELETE', '/sandbox/faults'))

const BODY = { amount: { amount: '10.00', currency: 'EUR' }, reference: 'Invoice 1', beneficiary: { iban: 'x' } }
const put = (id: string = randomUUID()) => askPartner('bank', 'PUT', `/payouts/${id}`, BODY)
const set = (partner: string, name: string, times: unknown = 1) =>
  api('POST', '/sandbox/faults', { body: { partner, fault: name, times } })

describe('switching them on', () => {
  test('what is set is listed until it has hit, and cleared at once', async () => {
    expect((await set('bank', 'error', 2)).body).toEqual({ partner: 'bank', fault: 'error', times: 2 })
    await set('custodian', 'manual', 5)
    const manual = { partner: 'custodian', fault: 'manual', times: 5 }
    const listed = (data: object[]) => ({ data, has_more: false, next_cursor: null })
    const list = async () => (await api('GET', '/sandbox/faults')).body
    expect(await list()).toEqual(listed([{ partner: 'bank', fault: 'error', times: 2 }, manual]))
    await put()
    expect(await list()).toEqual(listed([{ partner: 'bank', fault: 'error', times: 1 }, manual]))
    expect((await set('bank', 'error', 7)).body.times).toBe(7)
    expect((await api('DELETE', '/sandbox/faults')).body.data).toEqual([])
    expect((await put()).status).toBe(200)
  })

  test.each<[partner: string, more: readonly string[]]>([
    ['bank', [...CALLBACK_FAULTS, 'manual', 'instant_rejected', 'instant_timeout']],
    ['custodian', [...CALLBACK_FAULTS, 'manual']],
    ['rates', []],
    ['messenger', []],
    ['mail', []],
    ['payee_checks', PAYEE_CHECK_FAULTS],
    ['accounting', ACCOUNTING_FAULTS],
    ['storage', []],
  ])('%s has the faults of a request, and its own; others are refused with a list of those', async (partner, more) => {
    const possible = [...REQUEST_FAULTS, ...more]
    for (const name of FAULTS) {
      const { status, body } = await set(partner, name)
      expect(status, name).toBe(possible.includes(name) ? 200 : 422)
      if (status === 422)
        expect(body.error.details).toMatchObject({
          reason: 'not_of_this_partner',
          faults: expect.arrayContaining(possible),
        })
    }
  })

  test('a partner that has no stand-in is refused, with a list of those that there are', async () => {
    const { status, body } = await set('usd', 'error')
    expect([status, body.error.details.reason]).toEqual([422, 'no_stand_in'])
    expect(body.error.details.partners.toSorted()).toEqual(
      ['accounting', 'bank', 'custodian', 'mail', 'messenger', 'payee_checks', 'rates', 'storage'], // prettier-ignore
    )
    expect((await set('No name', 'error')).status).toBe(400)
  })
})

describe('what they do', () => {
  test('down: the connection is cut; error: 500; rate_limited: 429 with Retry-After; and nothing was done', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    await fault('bank', 'down')
    await expect(put(ids[0])).rejects.toThrow('fetch failed')
    await fault('bank', 'error')
    expect((await put(ids[1])).status).toBe(500)
    await fault('bank', 'rate_limited')
    const { status, headers } = await put(ids[2])
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    for (const id of ids) expect(await payoutAt('bank', id)).toBeUndefined()
    expect((await put(ids[0])).status).toBe(200)
  })

  test('ambiguous: the deed is done and the connection cut; who only asks is answered', async () => {
    await fault('bank', 'ambiguous', 1)
    const id = randomUUID()
    expect((await askPartner('bank', 'GET', `/payouts/${id}`)).status).toBe(404)
    await expect(put(id)).rejects.toThrow('fetch failed')
    await expect.poll(() => payoutAt('bank', id)).toMatchObject({ status: 'settled' })
  })

  test('malformed: the deed is done, and 200 says nothing that can be read', async () => {
    for (let round = 0; round < 8; round += 1) {
      await fault('bank', 'malformed', 1)
      const id = randomUUID()
      const answer = await put(id).catch((error: unknown) => error)
      if (answer instanceof Error) expect(answer).toBeInstanceOf(SyntaxError)
      else expect(answer).toMatchObject({ status: 200, body: { status: 7 } })
      expect(await payoutAt('bank', id)).toBeDefined()
    }
  })

  test('slow: the deed is done, and the answer is not whole when the time is over', async () => {
    await fault('bank', 'slow', 1)
    const id = randomUUID()
    const { url, key } = connected('bank')
    const [body, signal] = [JSON.stringify(BODY), AbortSignal.timeout(config.partnerTimeoutMs)]
    const sent = { method: 'PUT', headers: { authorization: `Bearer ${key}` }, body, signal }
    const response = await fetch(`${url}/v1/payouts/${id}`, sent)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('timeout')
    expect(await payoutAt('bank', id)).toBeDefined()
  })

  test('5 faults hit exactly 5 of 15 requests at once, of one partner alone', async () => {
    await fault('bank', 'error', 5)
    const [asked, elsewhere] = await Promise.all([
      Promise.all(Array.from({ length: 15 }, () => put())),
      Promise.all(Array.from({ length: 5 }, () => askPartner('custodian', 'GET', '/payouts'))),
    ])
    expect(asked.filter(({ status }) => status === 500)).toHaveLength(5)
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(elsewhere.every(({ status }) => status === 200)).toBe(true)
  })
})

const beneficiary = { network: 'ethereum', coin: 'USDC', address: '0x1' }
const COIN = { amount: { amount: '1.000000', currency: 'USDC' }, reference: 'Invoice 1', beneficiary }
const payOut = (id: string, body: object = BODY) => askPartner('bank', 'PUT', `/payouts/${id}`, body)
const withdraw = (id: string) => askPartner('custodian', 'PUT', `/payouts/${id}`, COIN)
const cancel = (id: string) => askPartner('custodian', 'PUT', `/payouts/${id}/cancellation`, {})

test('of two bodies for one id at once, one is paid, once, and the other is a conflict', async () => {
  const id = randomUUID()
  const bodies = Array.from({ length: 6 }, (_, index) => ({ ...BODY, reference: `Invoice ${index % 2}` }))
  const answers = await Promise.all(bodies.map((body) => payOut(id, body)))
  const paid = answers.filter(({ status }) => status === 200)
  expect([paid.length, new Set(paid.map(({ body }) => body.reference)).size]).toEqual([3, 1])
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'id_reused']))
  expect(await owner`select from sandbox_payouts where id = ${id}`).toHaveLength(1)
})

test('what has not begun is cancelled; what has is not', async () => {
  const [id, late] = [randomUUID(), randomUUID()]
  expect((await cancel(id)).status).toBe(404)
  await fault('custodian', 'manual', 2)
  await withdraw(id)
  expect((await cancel(id)).body.status).toBe('pending')
  await expect.poll(async () => (await cancel(id)).body).toMatchObject({ status: 'cancelled', version: 2 })
  await withdraw(late)
  await movePayout('custodian', late, { from: ['pending'], to: 'processing' })
  expect(await cancel(late)).toMatchObject({ status: 200, body: { status: 'processing', version: 2 } })
})

test('cancellations at once of what is on its way leave one end', async () => {
  const id = randomUUID()
  await withdraw(id)
  await Promise.all(Array.from({ length: 4 }, () => cancel(id)))
  await expect.poll(async () => (await payoutAt('custodian', id))?.status).toMatch(/^(cancelled|settled)$/)
  const { status, version } = (await payoutAt('custodian', id))!
  expect(version).toBe(status === 'cancelled' ? 2 : 3)
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import type { Answer } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { askPartner, fault, payoutAt, usePartners } from '../../support/partners/partners.ts'

usePartners()
const BODY = { amount: { amount: '10.00', currency: 'EUR' }, reference: 'Invoice 1', beneficiary: { iban: 'x' } }
const beneficiary = { network: 'ethereum', coin: 'USDC', address: '0x1' }
const COIN = { amount: { amount: '1.000000', currency: 'USDC' }, reference: 'Invoice 1', beneficiary }
const payOut = (id: string, body: object = BODY) => askPartner('bank', 'PUT', `/payouts/${id}`, body)
const withdraw = (id: string) => askPartner('custodian', 'PUT', `/payouts/${id}`, COIN)
const cancel = (id: string) => askPartner('custodian', 'PUT', `/payouts/${id}/cancellation`, {})

test('a withdrawal has the hash of its transaction once it is broadcast', async () => {
  const id = randomUUID()
  expect((await withdraw(id)).body).toMatchObject({ status: 'pending', reference: null })
  await expect.poll(() => payoutAt('custodian', id)).toMatchObject({ status: 'settled' })
  expect((await askPartner('custodian', 'GET', `/payouts/${id}`)).body.reference).toMatch(/^0x[0-9a-f]{64}$/)
})

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

test('at the door: a wrong key, an unknown id, an unknown path; and what is refused creates nothing', async () => {
  const id = randomUUID()
  const path = `/payouts/${id}`
  expect((await askPartner('bank', 'GET', path, undefined, 'another key')).status).toBe(401)
  expect((await askPartner('bank', 'GET', '/payouts/nonsense')).status).toBe(404)
  expect((await askPartner('rates', 'GET', path)).status).toBe(404)
  expect((await askPartner('bank', 'PUT', `${path}/cancellation`, {})).status).toBe(404)
  const nothing = { ...BODY, amount: { amount: '0.00', currency: 'EUR' } }
  const atTheDoor = { ...BODY, reference: 'to be refused at the door' }
  const refused = { status: 422, body: { code: expect.any(String), message: expect.any(String) } }
  for (const body of [{}, nothing, { ...BODY, beneficiary: undefined }, atTheDoor])
    expect(await payOut(id, body)).toMatchObject(refused)
  expect((await askPartner('bank', 'GET', path)).status).toBe(404)
})

test('the list has every payout once, in the order in which they were made', async () => {
  const ids: string[] = Array.from({ length: 7 }, () => randomUUID())
  for (const id of ids) await withdraw(id)
  const listed: string[] = []
  let next: string | null = null
  do {
    const after: string = next === null ? '' : `&after=${next}`
    const { body }: Pick<Answer, 'body'> = await askPartner('custodian', 'GET', `/payouts?limit=2${after}`)
    expect(body.data.length).toBeLessThanOrEqual(2)
    listed.push(...body.data.map((payout: { id: string }) => payout.id))
    next = body.next
  } while (next !== null)
  expect(listed.filter((id) => ids.includes(id))).toEqual(ids)
  expect(new Set(listed).size).toBe(listed.length)
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


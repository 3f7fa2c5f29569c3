import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import {
  api,
  approvalPath,
  createPayment,
  join,
  organization,
  payerAndPayee,
  paymentBody,
  person,
} from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, payer, payee, contactId } = await payerAndPayee('1000.00')
const count = async () => Number((await owner`select count(*) as n from payments`)[0]?.['n'])

test('20 POSTs at once with one key make one payment and get equal answers', async () => {
  const [key, before] = [randomUUID(), await count()]
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      api('POST', '/payments', { token: boss.token, key, body: paymentBody(contactId, '7.00') }),
    ),
  )
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]))
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
  expect(await count()).toBe(before + 1)
})

test('a retry answers the original payment as it is now', async () => {
  const key = randomUUID()
  const first = await createPayment(boss, contactId, '7.00', key)
  await api('POST', `${approvalPath(first)}/reject`, { token: boss.token, body: {} })
  const again = await createPayment(boss, contactId, '7.00', key)
  expect(again).toMatchObject({ id: first.id, status: 'cancelled' })
})

test('a retry that comes while the organization is paused is told of the original payment, and makes no other', async () => {
  const [key, by] = [randomUUID(), await payerAndPayee('100.00')]
  const ask = (amount: string, retryOf: string) =>
    api('POST', '/payments', { token: by.boss.token, key: retryOf, body: paymentBody(by.contactId, amount) })
  const first = await ask('7.00', key)
  await moveOrganization(by.payer.id as OrganizationId, 'pause')
  expect(await ask('7.00', key)).toMatchObject({ status: 201, body: { id: first.body.id } })
  expect((await ask('8.00', key)).body.error.type).toBe('idempotency_key_reused')
  expect((await ask('7.00', randomUUID())).body.error.type).toBe('organization_unavailable')
})

test('unknown fields do not count: a body that has some is the same request', async () => {
  const key = randomUUID()
  const first = await createPayment(boss, contactId, '7.00', key)
  const body = { ...paymentBody(contactId, '7.00'), unknown: 1 }
  const again = await api('POST', '/payments', { token: boss.token, key, body })
  expect(again.body.id).toBe(first.id)
})

test('many POSTs at once with one key and two amounts make one payment; the other amount is refused', async () => {
  const key = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      api('POST', '/payments', { token: boss.token, key, body: paymentBody(contactId, i % 2 ? '1.00' : '2.00') }),
    ),
  )
  const made = answers.filter((answer) => answer.status === 201)
  const refused = answers.filter(({ status, body }) => status === 422 && body.error.type === 'idempotency_key_reused')
  expect(made.length + refused.length).toBe(6)
  expect(new Set(made.map((answer) => answer.body.id)).size).toBe(1)
  expect(new Set(made.map((answer) => answer.body.deducting.amount)).size).toBe(1)
})

test('the same key of another person is another request', async () => {
  const key = randomUUID()
  const admin = await person()
  await join(payer.id, admin, 'admin')
  const mine = await createPayment(boss, contactId, '1.00', key)
  expect((await createPayment(admin, contactId, '1.00', key)).id).not.toBe(mine.id)
})

test('a creation that was refused can succeed later with the same key', async () => {
  const key = randomUUID()
  const broke = await organization(boss, 'Handle later')
  const body = { name: 'Later', type: 'business', destinations: [{ type: 'svc_id', svc_id: 'later-handle' }] }
  const path = `/organizations/${broke.id}/payment-contacts`
  const refused = await api('POST', path, { token: boss.token, key, body })
  expect(refusal(refused)).toEqual([422, 'unknown_handle'])
  await owner`update organizations set svc_id = 'later-handle' where id = ${payee.id}`
  expect((await api('POST', path, { token: boss.token, key, body })).status).toBe(201)
})

test.each([[''], ['x'.repeat(256)], ['schlüssel']])('the key %j is refused', async (key) => {
  const answer = await api('POST', '/payments', {
    token: boss.token,
    headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
    body: paymentBody(contactId),
  })
  expect(refusal(answer)).toEqual([400, 'idempotency_key_invalid'])
})

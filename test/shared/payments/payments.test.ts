import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  api,
  approvalPath,
  approve,
  contact,
  createPayment,
  fund,
  join,
  organization,
  payerAndPayee,
  paymentBody,
  person,
} from '../../support/api.ts'
import { BANK, WALLET } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { useWorker } from '../../support/worker.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import * as v from 'valibot'
import { NewPayment } from '../../../domain/payments/payment.ts'

useWorker()

const { boss, payeeBoss, payer, payee, contactId } = await payerAndPayee('1000.00')

const balancesOf = async (organizationId: string, token: string) => {
  const { body } = await api('GET', `/organizations/${organizationId}/balances`, { token })
  return body.data.find((row: { currency: string }) => row.currency === 'USD')
}

const expectProof = async (organizationId: string, token: string) => {
  const { body } = await api('GET', `/organizations/${organizationId}/ledger/integrity`, { token })
  expect(body).toMatchObject({ ok: true, violations: [] })
}

test('a payment waits for approval, then settles, and both organizations see it', async () => {
  const one = await payerAndPayee('500.00')
  const payment = await createPayment(one.boss, one.contactId, '120.50')
  expect(payment).toMatchObject({
    status: 'awaiting_approval',
    status_detail: 'awaiting approval',
    rail: 'svc_id',
    cancellable: false,
    quote_id: null,
    payment_batch_id: null,
    transaction_id: null,
    deducting: { amount: '120.50', currency: 'USD' },
    landing: { amount: '120.50', currency: 'USD' },
    event: { stream: 'payments', subject_id: payment.id, type: 'payment.created' },
  })
  expect(await balancesOf(one.payer.id, one.boss.token)).toMatchObject({ available: { amount: '500.00' } })

  const approved = await approve(one.boss, payment)
  expect(approved.status).toBe(200)
  expect(approved.body).toMatchObject({ status: 'approved', approver: { id: one.boss.userId }, rejection_reason: null })

  const settled = (await api('GET', `/payments/${payment.id}`, { token: one.boss.token })).body
  expect(settled).toMatchObject({ status: 'succeeded', transaction_id: expect.any(String) })
  const out = await api('GET', `/transactions/${settled.transaction_id}`, { token: one.boss.token })
  expect(out.body).toMatchObject({
    direction: 'out',
    amount: { amount: '120.50' },
    running_balance: { amount: '379.50' },
    payment_id: payment.id,
    status: 'posted',
  })
  const theirs = await api('GET', `/organizations/${one.payee.id}/transactions`, { token: one.payeeBoss.token })
  expect(theirs.body.data).toMatchObject([
    { direction: 'in', amount: { amount: '120.50' }, running_balance: { amount: '120.50' }, counterparty: 'Payer' },
  ])
  const left = { available: { amount: '379.50' }, held: { amount: '0.00' } }
  expect(await balancesOf(one.payer.id, one.boss.token)).toMatchObject(left)
  await expectProof(one.payer.id, one.boss.token)
  await expectProof(one.payee.id, one.payeeBoss.token)
})

const post = (body: unknown) => api('POST', '/payments', { token: boss.token, body })
const good = paymentBody(contactId)

test('what cannot be paid gets one exact refusal, and nothing is written', async () => {
  const before = await owner`select count(*) from payments`
  const amountOf = (amount: string, currency = 'USD') => ({ ...good, amount: { amount, currency } })
  for (const [body, status, type] of [
    [amountOf('1e3'), 400, 'invalid_request'],
    [amountOf('0.001'), 422, 'amount_precision'],
    [amountOf('1.00', 'EUR'), 422, 'unsupported_currency'],
    [amountOf('1.00', 'XQZ'), 422, 'unsupported_currency'],
    [{ ...good, payment_contact_id: randomUUID() }, 404, 'not_found'],
  ] as const) {
    const answer = await post(body)
    expect(refusal(answer), JSON.stringify(body)).toEqual([status, type])
    expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'))
  }
  expect(await owner`select count(*) from payments`).toEqual(before)
})

test('a bank or crypto contact is refused with unsupported_rail, whatever the amount, one without destination too', async () => {
  for (const destination of [BANK, WALLET, undefined]) {
    const made = await api('POST', `/organizations/${payer.id}/payment-contacts`, {
      token: boss.token,
      body: { name: 'Elsewhere', type: 'business', ...(destination && { destinations: [destination] }) },
    })
    const amounts = ['1.00 USD', '1.001 USD', '1 EUR', '1 XQZ', `${'9'.repeat(16)} USD`]
    for (const [amount, currency] of amounts.slice(destination ? 0 : 4).map((one) => one.split(' '))) {
      const answer = await post({ ...paymentBody(made.body.id), amount: { amount, currency } })
      expect(refusal(answer)).toEqual([422, destination ? 'unsupported_rail' : 'destination_missing'])
    }
  }
})

test('a contact of another organization is not found, like one that does not exist', async () => {
  const foreign = await api('POST', '/payments', { token: payeeBoss.token, body: paymentBody(contactId) })
  const unknown = await api('POST', '/payments', { token: payeeBoss.token, body: paymentBody(randomUUID()) })
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body.error, request_id: '' }).toEqual({ ...unknown.body.error, request_id: '' })
})

test('a person of two organizations pays from the one that the contact belongs to', async () => {
  const second = await organization(boss, 'Second')
  await fund(second.id, '10.00')
  const theirContact = await contact(boss, second.id, payee.svcId)
  expect((await createPayment(boss, theirContact, '1.00')).organization_id).toBe(second.id)
})

test('a member sees and changes the payments they made, may not approve them, and finds nothing of others', async () => {
  const member = await person()
  await join(payer.id, member, 'member')
  const mine = await createPayment(member, contactId, '3.00')
  const others = await createPayment(boss, contactId, '4.00')
  const list = await api('GET', `/organizations/${payer.id}/payments`, { token: member.token })
  expect(list.body.data.map((payment: { id: string }) => payment.id)).toEqual([mine.id])
  const note = (id: string) => api('PATCH', `/payments/${id}`, { token: member.token, body: { tag: 'other' } })
  expect([(await note(mine.id)).body.tag, (await note(others.id)).status]).toEqual(['other', 404])
  for (const path of ['', '/receipt', '/events']) {
    expect((await api('GET', `/payments/${others.id}${path}`, { token: member.token })).status).toBe(404)
  }
  const tried = await api('POST', `${approvalPath(mine)}/approve`, { token: member.token, body: {} })
  expect(refusal(tried)).toEqual([403, 'forbidden'])
})

test('the list filters, pages and keeps its order', async () => {
  const one = await payerAndPayee('1000.00')
  const made = []
  for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00']) {
    made.unshift((await createPayment(one.boss, one.contactId, amount)).id)
  }
  const path = `/organizations/${one.payer.id}/payments`
  const list = async (query: string) => (await api('GET', `${path}?${query}`, { token: one.boss.token })).body
  const ids = (page: { data: { id: string }[] }) => page.data.map((payment) => payment.id)

  const firstPage = await list('limit=2')
  expect(ids(firstPage)).toEqual(made.slice(0, 2))
  expect(firstPage).toMatchObject({ has_more: true, next_cursor: made[1] })
  const rest = await list(`limit=100&cursor=${firstPage.next_cursor}`)
  expect(ids(rest)).toEqual(made.slice(2))
  expect(rest).toMatchObject({ has_more: false, next_cursor: null })

  expect(ids(await list('amount_min=2&amount_max=3.5'))).toEqual(made.slice(2, 4))
  expect(ids(await list('status=succeeded'))).toEqual([])
  expect(ids(await list('status=awaiting_approval&rail=svc_id&currency=USD&limit=100'))).toEqual(made)
  expect(ids(await list('q=INVOICE'))).toHaveLength(5)
  expect(ids(await list('q=nothing%20like%20it'))).toEqual([])
  expect(ids(await list(`payment_contact_id=${randomUUID()}`))).toEqual([])
  expect(ids(await list('from=2000-01-01&to=2000-12-31'))).toEqual([])
})

describe('idempotency', async () => {
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
})

test('each of the usual reasons is one that a payment takes', async () => {
  const { token } = await person()
  const { status, body } = await api('GET', '/payout-reasons', { token })
  expect(status).toBe(200)
  const codes: string[] = body.data.map(({ code }: { code: string }) => code)
  expect(codes).toContain('services')
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) expect(v.is(NewPayment.entries.payout_reason, code)).toBe(true)
})

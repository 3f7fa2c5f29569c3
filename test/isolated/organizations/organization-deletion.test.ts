/** Organizations with money, or money on its way, are never deleted, even in a race. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { api, approve, createPayment, fund, organization, payerAndPayee, person } from '../../support/api.ts'
import { apiKey, use } from '../../support/organizations/api-keys.ts'
import { tamper } from '../../support/ledger/books.ts'
import { owner } from '../../support/database.ts'
import { arriveCrypto } from '../../support/deposits/deposits.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
await installGates({
  create: { on: 'insert on deposits' },
  settle: { on: 'update on payments', when: "new.status = 'succeeded'" },
})

const admin = (...words: string[]) => administer(words)
const rowOf = async (table: string, id: string) =>
  (await owner`select status, to_jsonb(t) ->> 'status_detail' as detail from ${owner(table)} t where id = ${id}`)[0]

async function place() {
  const boss = await person()
  return { boss, id: (await organization(boss)).id }
}

describe('an organization is not deleted', () => {
  const inTheWay = (id: string) =>
    admin('organization', 'delete', id).then(
      () => 'deleted',
      ({ type, details }) => (type === 'invalid_state' ? details.in_the_way : type),
    )
  const NOTHING_THERE = { balances: [], held_deposits: 0, payments_under_way: 0, exchanges_not_covered: 0 }

  test('with money, and says what is in the way; banned it can be meanwhile', async () => {
    const { boss, id } = await place()
    const key = await apiKey(boss, id)
    await fund(id, '10.00')
    await arriveCrypto(id, '5000')
    const balances = [{ amount: '10.00', currency: 'USD', kind: 'available' }]
    expect(await inTheWay(id)).toEqual({ ...NOTHING_THERE, balances, held_deposits: 1 })
    expect(await rowOf('organizations', id)).toEqual({ status: 'active', detail: null })
    expect(await owner`select from events where subject_id = ${id}`).toEqual([])
    expect((await use(key.secret, id)).status).toBe(200)
    await admin('organization', 'ban', id)
    expect(await inTheWay(id)).toEqual({ ...NOTHING_THERE, balances, held_deposits: 1 })
  })

  test.each(['submitted', 'processing', 'on_hold', 'cancelling'])('while a payment is %s', async (status) => {
    const { boss, payer, contactId } = await payerAndPayee('0')
    const payment = await createPayment(boss, contactId, '5.00')
    await owner`update approvals set status = 'approved' where id = ${payment.approval_request_id}`
    await owner`update payments set status = ${status}, rail = 'fiat' where id = ${payment.id}`
    expect(await inTheWay(payer.id)).toEqual({ ...NOTHING_THERE, payments_under_way: 1 })
  })

  test('while an exchange of it is not covered', async () => {
    const { id } = await place()
    await tamper(
      (tx) => tx`
        insert into covers (id, organization_id, transfer_key, trade_id, opened_by, sell_amount, sell_currency, buy_amount,
          buy_currency, value_usd, status)
        values (${randomUUID()}, ${id}, ${`swap:${id}`}, ${randomUUID()}, ${randomUUID()}, 1, 'USD', 1, 'EUR', 1, 'open')`,
    )
    expect(await inTheWay(id)).toEqual({ ...NOTHING_THERE, exchanges_not_covered: 1 })
  })

  test('while a deposit is being credited: the deletion waits for it, and is refused', async () => {
    const { id } = await place()
    const gate = await closeGate('create', id)
    const credited = fund(id, '5.00')
    await gate.waiting()
    const deleted = inTheWay(id)
    await until('the deletion to wait', async () => {
      const waits = await owner`
        select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted`
      return waits.length > 0
    })
    await gate.open()
    expect(await deleted).toMatchObject({ balances: [{ amount: '5.00', currency: 'USD', kind: 'available' }] })
    await credited
  })
})

test('a payment to an organization that is deleted while it settles fails, and its money is given back', async () => {
  const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '5.00')
  const gate = await closeGate('settle', payer.id)
  const approved = approve(boss, payment)
  await gate.waiting()
  expect(await admin('organization', 'delete', payee.id)).toContain('is deleted')
  await gate.open()
  expect((await approved).status).toBe(200)
  expect(await rowOf('payments', payment.id)).toEqual({ status: 'failed', detail: 'payee unavailable' })
  const [{ body: balances }, { body: books }] = await Promise.all([
    api('GET', `/organizations/${payer.id}/balances`, { token: boss.token }),
    api('GET', `/organizations/${payer.id}/ledger/integrity`, { token: boss.token }),
  ])
  expect([balances.data[0].available.amount, books.ok]).toEqual(['100.00', true])
})

/** The stand-in of Increase, through the official client at another address. */
import { randomUUID } from 'node:crypto'
import Increase from 'increase'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SANDBOX_SETTLE_MS'] = '600000' // transfers stay until a simulation moves them
})

import { owner } from '../../support/database.ts'
import { ACCOUNT, CONNECTION, achOrder, allOf, increaseClient, useIncrease } from '../../support/partners/increase.ts'
import { useReceiver } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'

const receiver = useReceiver()
const increase = useIncrease(receiver.url)
beforeEach(() => owner`delete from sandbox_faults`)

let bank: Increase
beforeAll(() => {
  bank = increaseClient(increase.url())
})
const balance = async () => {
  const { current_balance: current, available_balance: available } = await bank.accounts.balance(ACCOUNT)
  return { current, available }
}
const create = (changes: Partial<Increase.ACHTransferCreateParams> = {}, idempotencyKey: string = randomUUID()) =>
  bank.achTransfers.create(achOrder(changes), { idempotencyKey })
describe('ACH transfers', () => {
  test('one is made for each key, found by it, and refused with other words under it', async () => {
    const key = randomUUID()
    const made = await create({}, key)
    expect(made).toMatchObject({ status: 'pending_submission', amount: 10_000, idempotency_key: key, submission: null })
    const { data: again, response } = await bank.achTransfers.create(achOrder(), { idempotencyKey: key }).withResponse()
    expect([again, response.headers.get('idempotent-replayed')]).toEqual([made, 'true'])
    const other = bank.achTransfers.create(achOrder({ amount: 10_001 }), { idempotencyKey: key })
    await expect(other).rejects.toThrow(Increase.IdempotencyKeyAlreadyUsedError)
    await expect(other).rejects.toMatchObject({ status: 409, resource_id: made.id })
    expect(await allOf(bank.achTransfers.list({ idempotency_key: key }))).toEqual([made])
    expect(await allOf(bank.achTransfers.list({ idempotency_key: randomUUID() }))).toEqual([])
    expect(await bank.achTransfers.retrieve(made.id)).toEqual(made)
    const [{ id } = { id: '' }] = await owner`select id from sandbox_payouts where id = ${key}`
    expect(id).toBe(key)
  })

  test('one is submitted, acknowledged, settled, and returned with its code; the balance follows', async () => {
    const before = await balance()
    const { id, transaction_id: paid } = await create()
    expect(paid).not.toBeNull()
    const after = { current: before.current - 10_000, available: before.available - 10_000 }
    expect(await balance()).toEqual(after)
    const submitted = await bank.simulations.achTransfers.submit(id)
    expect(submitted).toMatchObject({ status: 'submitted', settlement: null, acknowledgement: null })
    expect(submitted.submission?.trace_number).toMatch(/^\d{15}$/)
    const acknowledged = await bank.simulations.achTransfers.acknowledge(id)
    expect(acknowledged.acknowledgement).not.toBeNull()
    const settled = await bank.simulations.achTransfers.settle(id, {})
    expect(settled).toMatchObject({ status: 'submitted', settlement: { settled_at: expect.any(String) } })
    expect(await balance()).toEqual(after)
    const returned = await bank.simulations.achTransfers.return(id, { reason: 'account_closed' })
    expect(returned).toMatchObject({
      status: 'returned',
      return: { return_reason_code: 'account_closed', raw_return_reason_code: 'R02', transfer_id: id },
    })
    expect(await balance()).toEqual(before)
    await expect(bank.simulations.achTransfers.settle(id, {})).rejects.toThrow(Increase.InvalidOperationError)
  })

  test('each change calls back, signed as the client verifies it, and is an event', async () => {
    const { id } = await create()
    await bank.simulations.achTransfers.settle(id, {})
    const calls = () => receiver.received.filter(({ body }) => body.associated_object_id === id)
    await until('two calls', () => Promise.resolve(calls().length === 2))
    for (const { text, headers } of calls()) {
      const event = bank.events.unwrap(text, { headers: headers as Record<string, string> })
      expect(event).toMatchObject({
        category: 'ach_transfer.updated',
        associated_object_type: 'ach_transfer',
        type: 'event',
      })
      expect(await bank.events.retrieve(event.id)).toEqual(event)
      expect(() => bank.events.unwrap(`${text} `, { headers: headers as Record<string, string> })).toThrow()
    }
    const events = await allOf(bank.events.list({ associated_object_id: id }))
    expect(events.map(({ category }) => category)).toEqual([
      'ach_transfer.updated',
      'ach_transfer.updated',
      'ach_transfer.created',
    ])
    expect(await allOf(bank.events.list({ associated_object_id: id, order_by: { direction: 'ascending' } }))).toEqual(
      events.toReversed(),
    )
    expect(calls()[0]?.path).toBe(`/partners/${CONNECTION}/callbacks`)
  })
})

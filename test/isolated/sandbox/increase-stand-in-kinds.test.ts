/** Every kind of transfer at the stand-in of Increase, through the official client. */
import { randomUUID } from 'node:crypto'
import Increase from 'increase'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SANDBOX_SETTLE_MS'] = '600000' // transfers stay until a simulation moves them
})

import { owner } from '../../support/database.ts'
import {
  ACCOUNT,
  BANK,
  CONNECTION,
  achOrder,
  allOf,
  increaseClient,
  useIncrease,
} from '../../support/partners/increase.ts'
import { useReceiver } from '../../support/partners/partners.ts'

const increase = useIncrease(useReceiver().url)
beforeEach(() => owner`delete from sandbox_faults`)

let bank: Increase
let number: Increase.AccountNumber
beforeAll(async () => {
  bank = increaseClient(increase.url())
  number = await bank.accountNumbers.create({ account_id: ACCOUNT, name: 'Organization 7' })
})
const key = () => ({ idempotencyKey: randomUUID() })
const balance = async () => {
  const { current_balance: current, available_balance: available } = await bank.accounts.balance(ACCOUNT)
  return { current, available }
}
const less = (from: { current: number; available: number }, current: number, available: number) => ({
  current: from.current - current,
  available: from.available - available,
})
const instantOrder = () => ({
  amount: 2_500,
  creditor_name: 'Payee Inc',
  source_account_number_id: number.id,
  unstructured_remittance_information: 'Invoice 7',
  account_number: '987654321',
  routing_number: BANK,
})
const wireOrder = () => ({
  account_id: ACCOUNT,
  amount: 50_000,
  creditor: { name: 'Payee Inc', address: { unstructured: { line1: '1 Main Street' } } },
  remittance: { category: 'unstructured' as const, unstructured: { message: 'Invoice 7' } },
  account_number: '987654321',
  routing_number: BANK,
})
const fail = (name: string, times = 1) =>
  owner`insert into sandbox_faults (partner, fault, times) values (${CONNECTION}, ${name}, ${times})`

describe('transfers that leave', () => {
  test('one that asks for an approval holds money until it is approved; another is cancelled', async () => {
    const before = await balance()
    const made = await bank.achTransfers.create(achOrder({ require_approval: true }), key())
    expect(made).toMatchObject({ status: 'pending_approval', transaction_id: null })
    expect(await balance()).toEqual(less(before, 0, 10_000))
    await expect(bank.simulations.achTransfers.settle(made.id, {})).rejects.toThrow(Increase.InvalidOperationError)
    const approved = await bank.achTransfers.approve(made.id)
    expect(approved).toMatchObject({ status: 'pending_submission', approval: { approved_by: null } })
    expect(await balance()).toEqual(less(before, 10_000, 10_000))
    await expect(bank.achTransfers.cancel(made.id)).rejects.toThrow(Increase.InvalidOperationError)
    const other = await bank.wireTransfers.create({ ...wireOrder(), require_approval: true }, key())
    expect(await bank.wireTransfers.cancel(other.id)).toMatchObject({ status: 'canceled', transaction_id: null })
    expect(await balance()).toEqual(less(before, 10_000, 10_000))
  })

  test('one that is posted when it settles is a pending transaction until then', async () => {
    const before = await balance()
    const { id } = await bank.achTransfers.create(achOrder({ transaction_timing: 'asynchronous' }), key())
    const { pending_transaction_id: pendingId } = await bank.simulations.achTransfers.submit(id)
    expect(await balance()).toEqual(less(before, 0, 10_000))
    expect(await bank.pendingTransactions.retrieve(pendingId ?? '')).toMatchObject({
      status: 'pending',
      held_amount: -10_000,
      source: { category: 'ach_transfer_instruction', ach_transfer_instruction: { transfer_id: id } },
    })
    const { transaction_id: paid } = await bank.simulations.achTransfers.settle(id, {})
    expect(await balance()).toEqual(less(before, 10_000, 10_000))
    expect((await bank.pendingTransactions.retrieve(pendingId ?? '')).status).toBe('complete')
    expect(await bank.transactions.retrieve(paid ?? '')).toMatchObject({
      amount: -10_000,
      source: { category: 'ach_transfer_intention', ach_transfer_intention: { transfer_id: id } },
    })
  })

  test('a transfer by Real-Time Payments holds money until it is complete or rejected', async () => {
    const before = await balance()
    const made = await bank.realTimePaymentsTransfers.create(instantOrder(), key())
    expect(made).toMatchObject({ status: 'pending_submission', transaction_id: null })
    expect(await balance()).toEqual(less(before, 0, 2_500))
    const complete = await bank.simulations.realTimePaymentsTransfers.complete(made.id, {})
    expect(complete).toMatchObject({ status: 'complete', rejection: null, acknowledgement: expect.anything() })
    expect(await balance()).toEqual(less(before, 2_500, 2_500))
    const { id } = await bank.realTimePaymentsTransfers.create(instantOrder(), key())
    const rejection = { reject_reason_code: 'account_closed' as const }
    expect(await bank.simulations.realTimePaymentsTransfers.complete(id, { rejection })).toMatchObject({
      status: 'rejected',
      rejection: { ...rejection, reject_reason_additional_information: null },
    })
    expect(await balance()).toEqual(less(before, 2_500, 2_500))
  })

  test('a FedNow transfer is found by its key, and by no other kind', async () => {
    const { idempotencyKey } = key()
    const order = { ...instantOrder(), debtor_name: 'Payer Ltd' }
    const made = await bank.fednowTransfers.create(order, { idempotencyKey })
    expect(made.status).toBe('pending_submitting')
    expect(await allOf(bank.fednowTransfers.list({ idempotency_key: idempotencyKey }))).toEqual([made])
    expect(await allOf(bank.achTransfers.list({ idempotency_key: idempotencyKey }))).toEqual([])
    const wrong = bank.achTransfers.create(achOrder(), { idempotencyKey })
    await expect(wrong).rejects.toMatchObject({ resource_id: made.id })
    await expect(bank.achTransfers.retrieve(made.id)).rejects.toThrow(Increase.ObjectNotFoundError)
  })

  test('a wire is posted when it is submitted', async () => {
    const before = await balance()
    const { id } = await bank.wireTransfers.create(wireOrder(), key())
    expect(await balance()).toEqual(less(before, 0, 50_000))
    const submitted = await bank.simulations.wireTransfers.submit(id)
    expect([submitted.status, await balance()]).toEqual(['submitted', less(before, 50_000, 50_000)])
  })

  test('a bank says that it is corrected, and how', async () => {
    const { id } = await bank.achTransfers.create(achOrder(), key())
    const corrected = { corrected_account_number: '123456' }
    const { notifications_of_change: notes } = await bank.simulations.achTransfers.createNotificationOfChange(
      id,
      corrected,
    )
    expect(notes).toMatchObject([{ change_code: 'incorrect_account_number', ...corrected }])
  })
})

describe('transfers that arrive', () => {
  test('one of each kind is money; an ACH transfer is returned, a wire reversed, once', async () => {
    const before = await balance()
    const to = { account_number_id: number.id, amount: 700 }
    const freeform = { entries: [{ payment_related_information: 'INV-7' }] }
    const addenda = { category: 'freeform' as const, freeform }
    const ach = await bank.simulations.inboundACHTransfers.create({ ...to, addenda, company_name: 'Customer Inc' })
    expect(ach).toMatchObject({
      status: 'accepted',
      direction: 'credit',
      originator_company_name: 'Customer Inc',
      addenda,
    })
    const wire = await bank.simulations.inboundWireTransfers.create({ ...to, debtor_name: 'Customer Inc' })
    const sender = {
      debtor_account_number: '77',
      debtor_name: 'Customer Inc',
      unstructured_remittance_information: 'INV-7',
    }
    const realTime = await bank.simulations.inboundRealTimePaymentsTransfers.create({ ...to, ...sender })
    expect(realTime).toMatchObject({ status: 'confirmed', ...sender })
    const fednow = await bank.simulations.inboundFednowTransfers.create({ ...to, ...sender })
    expect(fednow).toMatchObject({ status: 'confirmed', ...sender })
    expect(await balance()).toEqual(less(before, -2_800, -2_800))
    const returned = await bank.inboundACHTransfers.transferReturn(ach.id, {
      reason: 'credit_entry_refused_by_receiver',
    })
    expect(returned).toMatchObject({
      status: 'returned',
      transfer_return: { reason: 'credit_entry_refused_by_receiver' },
    })
    expect((await bank.inboundWireTransfers.reverse(wire.id, { reason: 'creditor_request' })).status).toBe('reversed')
    const again = bank.inboundACHTransfers.transferReturn(ach.id, { reason: 'credit_entry_refused_by_receiver' })
    await expect(again).rejects.toThrow(Increase.InvalidOperationError)
    expect(await balance()).toEqual(less(before, -1_400, -1_400))
    const route = await allOf(bank.transactions.list({ route_id: number.id }))
    expect(route.slice(0, 6).map(({ amount, source }) => [amount, source.category])).toEqual([
      [-700, 'inbound_wire_transfer_reversal'],
      [-700, 'inbound_ach_transfer_return_intention'],
      [700, 'inbound_fednow_transfer_confirmation'],
      [700, 'inbound_real_time_payments_transfer_confirmation'],
      [700, 'inbound_wire_transfer'],
      [700, 'inbound_ach_transfer'],
    ])
  })

  test('one that waits is declined before it is money; a debit is declined where debits are blocked', async () => {
    const before = await balance()
    const waiting = await bank.simulations.inboundACHTransfers.create({
      account_number_id: number.id,
      amount: 900,
      resolve_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    expect(waiting.status).toBe('pending')
    expect(await bank.inboundACHTransfers.decline(waiting.id, { reason: 'payment_stopped' })).toMatchObject({
      status: 'declined',
      decline: { reason: 'payment_stopped' },
    })
    const debit = await bank.simulations.inboundACHTransfers.create({ account_number_id: number.id, amount: -900 })
    expect(debit).toMatchObject({ status: 'declined', direction: 'debit', amount: 900 })
    expect(await balance()).toEqual(before)
  })

  test('money of the sandbox arrives by ACH, or by wire if it is much', async () => {
    const [small, large] = [randomUUID(), randomUUID()]
    const sender = { name: 'Customer Inc', account_reference: null, country: null, reference: 'INV-7' }
    for (const [id, amount] of [
      [small, '12.50'],
      [large, '1000000.00'],
    ] as const) {
      await owner`
        insert into sandbox_deposits (partner, id, account, amount, currency, sender, reference)
        values (${CONNECTION}, ${id}, ${number.account_number}, ${amount}, 'USD', ${owner.json(sender)}, 'IN7')`
    }
    const [ach] = (await bank.inboundACHTransfers.list({ account_number_id: number.id, limit: 1 })).data
    expect(ach).toMatchObject({ amount: 1_250, originator_company_name: 'Customer Inc', account_number_id: number.id })
    const [wire] = (await bank.inboundWireTransfers.list({ account_number_id: number.id, limit: 1 })).data
    expect(wire).toMatchObject({ amount: 100_000_000, unstructured_remittance_information: 'INV-7' })
  })
})

describe('lists', () => {
  test('of 250 objects have each once, newest first, within bounds', async () => {
    const from = new Date()
    const made = new Map<string, string>()
    for (let index = 0; index < 250; index += 1) {
      const { id, created_at: at } = await bank.achTransfers.create(achOrder({ amount: 100 + index }), key())
      made.set(id, at)
    }
    const after = { created_at: { on_or_after: from.toISOString() } }
    const listed = await allOf(bank.achTransfers.list(after))
    expect(listed.map(({ id }) => id)).toEqual([...made.keys()].toReversed())
    const { data, next_cursor: next } = await bank.achTransfers.list({ ...after, limit: 60 })
    expect([data.length, next]).toEqual([60, expect.any(String)])
    const at = listed[100]?.created_at ?? ''
    const bounds = { after: from.toISOString(), before: at }
    const older = await allOf(bank.achTransfers.list({ created_at: bounds }))
    expect(older).toEqual(listed.filter(({ created_at: moment }) => moment < at))
    expect(await allOf(bank.achTransfers.list({ ...after, status: { in: ['returned', 'rejected'] } }))).toEqual([])
    const transactions = await allOf(bank.transactions.list(after))
    expect(transactions.map(({ id }) => id)).toEqual(listed.map(({ transaction_id: id }) => id))
    expect(new Set((await allOf(bank.events.list(after))).map(({ id }) => id)).size).toBe(250)
  })
})

describe('errors of the client', () => {
  test('are of their classes', async () => {
    const stranger = increaseClient(increase.url(), { apiKey: 'another' })
    await expect(stranger.accounts.retrieve(ACCOUNT)).rejects.toThrow(Increase.InvalidAPIKeyError)
    await expect(bank.accounts.retrieve('sandbox_account_7')).rejects.toThrow(Increase.ObjectNotFoundError)
    await expect(bank.get('/nothing')).rejects.toThrow(Increase.APIMethodNotFoundError)
    for (const wrong of [
      { amount: 0 },
      { routing_number: '101050002' },
      { company_name: 'x'.repeat(17) },
      { color: 1 },
    ]) {
      await expect(bank.achTransfers.create(achOrder(wrong), key())).rejects.toThrow(Increase.InvalidParametersError)
    }
    await expect(bank.achTransfers.list({ limit: 101 })).rejects.toThrow(Increase.InvalidParametersError)
    await fail('error')
    await expect(bank.accounts.retrieve(ACCOUNT)).rejects.toThrow(Increase.InternalServerError)
    await fail('rate_limited')
    await expect(bank.accounts.retrieve(ACCOUNT)).rejects.toThrow(Increase.RateLimitedError)
  })

  test.each(['error', 'rate_limited', 'down', 'ambiguous'])('a retry after %s makes one transfer', async (name) => {
    await fail(name)
    const { idempotencyKey } = key()
    const patient = increaseClient(increase.url(), { maxRetries: 2 })
    const made = await patient.achTransfers.create(achOrder(), { idempotencyKey })
    expect(await allOf(bank.achTransfers.list({ idempotency_key: idempotencyKey }))).toEqual([made])
    expect(await owner`select from sandbox_faults where partner = ${CONNECTION} and times > 0`).toHaveLength(0)
  })
})

test('account numbers are opened once for each key, and closed; banks and subscriptions are shown', async () => {
  const { idempotencyKey } = key()
  const order = { account_id: ACCOUNT, name: 'Organization 8' }
  const made = await bank.accountNumbers.create(order, { idempotencyKey })
  expect(await bank.accountNumbers.create(order, { idempotencyKey })).toEqual(made)
  expect(await allOf(bank.accountNumbers.list({ idempotency_key: idempotencyKey }))).toEqual([made])
  await bank.accountNumbers.update(made.id, { status: 'disabled' })
  const late = await bank.simulations.inboundACHTransfers.create({ account_number_id: made.id, amount: 5 })
  expect(late).toMatchObject({ status: 'declined', decline: { reason: 'ach_route_disabled' } })
  const { data } = await bank.routingNumbers.list({ routing_number: BANK })
  expect(data).toMatchObject([{ routing_number: BANK, real_time_payments_transfers: 'supported' }])
  const subscription = await bank.eventSubscriptions.create({ url: 'https://example.com/callbacks' })
  expect(await bank.eventSubscriptions.update(subscription.id, { status: 'disabled' })).toEqual({
    ...subscription,
    status: 'disabled',
  })
})

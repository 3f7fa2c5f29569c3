/** The question about a payee between approval and order: its steps one by one, twice, and broken off in between. */
import { expect, test } from 'vitest'
import { bank, main } from '../../../activities/index.ts'
import { payeeToAsk, recordPayeeAnswer } from '../../../services/decisions/payee-checks.ts'
import { beginOrder } from '../../../services/payments/orders.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { approve } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fault, payoutAt, usePartners } from '../../support/partners/partners.ts'
import { EUR, attentionOf, checksOf, payeeNamed } from '../../support/payee-checks/payees.ts'
import { eventsOf, holdings, outgoing, read, violations } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'

// without a worker: no run takes a step by itself
usePartners()

/** An approved payment whose answer is a day old, and its steps. */
async function approvedLongAgo() {
  const payer = await payeeNamed('Supplier GmbH')
  const payment = await outgoing(payer)
  expect((await approve(payer.boss, payment)).status).toBe(200)
  await owner`update payee_checks k set checked_at = checked_at - interval '2 days' from payments p
    where p.id = ${payment.id} and k.id = p.payee_check_id`
  await owner`update payments set payee_check_due_at = business_now() - interval '1 second' where id = ${payment.id}`
  // ids of a row that was made
  const ref = { id: payment.id as PaymentId, organizationId: payer.payer.id as OrganizationId }
  return {
    payer,
    payment,
    ref,
    check: () => bank.checkPayee(ref),
    order: () => bank.orderPayout(ref),
    due: async () => {
      const view = await main.viewPayment(ref)
      return 'payee_check_due' in view && view.payee_check_due
    },
    status: async () => (await read(payer, payment)).status,
    standing: async () => [await holdings(payer, payer.payer.id), await violations(payer, payer.payer.id)],
  }
}

test('the bank gets no order before it is asked', async () => {
  const { order, due, payment, status } = await approvedLongAgo()
  await order()
  expect([await due(), await status(), await payoutAt('bank', payment.id)]).toEqual([true, 'submitted', undefined])
})

test('nor by a callback that comes meanwhile', async () => {
  const { payment, ref, status } = await approvedLongAgo()
  await owner`update payments set callbacks_received = callbacks_received + 1 where id = ${payment.id}`
  await bank.pollPayout(ref)
  expect([await status(), await payoutAt('bank', payment.id)]).toEqual(['submitted', undefined])
})

test('a worse answer fails the payment before its order, its money is available again, and attention says why', async () => {
  const { payer, payment, check, order, standing } = await approvedLongAgo()
  await fault('payee_checks', 'no_match')
  await check()
  expect(await read(payer, payment)).toMatchObject({ status: 'failed', status_detail: 'payee check changed' })
  await order()
  expect(await payoutAt('bank', payment.id)).toBe(undefined)
  expect(await standing()).toEqual([{ available: 900, held: 0 }, []])
  expect(await attentionOf(payer)).toMatchObject([{ kind: 'payee_mismatch', action: { payment_id: payment.id } }])
})

test('a step that is taken twice, or by two workers at once, fails the payment once', async () => {
  const { payer, payment, check, standing } = await approvedLongAgo()
  await fault('payee_checks', 'no_match', 3)
  await Promise.all([check(), check()])
  await check()
  await owner`delete from sandbox_faults`
  const events = await eventsOf(payer, payment)
  expect(events.filter((type) => type === 'payment.failed')).toEqual(['payment.failed'])
  expect(await standing()).toEqual([{ available: 900, held: 0 }, []])
})

test('a step that is broken off before its answer is recorded is asked again', async () => {
  const { check, order, due, status, ref } = await approvedLongAgo()
  expect(await asSystem(ref.organizationId, (tx) => payeeToAsk(tx, ref.id))).not.toBe(null) // and no answer
  expect(await due()).toBe(true)
  await check()
  expect(await due()).toBe(false)
  await order()
  expect(await status()).toBe('processing')
})

test('an answer that comes after the order has begun changes nothing', async () => {
  const { payer, payment, ref, status } = await approvedLongAgo()
  const asked = await asSystem(ref.organizationId, (tx) => payeeToAsk(tx, ref.id))
  await owner`update payments set payee_check_due_at = business_now() + interval '1 day' where id = ${payment.id}`
  await asSystem(ref.organizationId, (tx) => beginOrder(tx, ref.id)) // and the worker dies before it learns the outcome
  await owner`update payee_checks set checked_at = checked_at - interval '2 days'`
  const answer = { result: 'no_match', name: null, reason: null } as const
  await asSystem(ref.organizationId, (tx) => recordPayeeAnswer(tx, ref.id, asked!, answer))
  expect(await status()).toBe('submitted')
  await bank.orderPayout(ref)
  expect(await status()).toBe('processing')
  expect((await eventsOf(payer, payment)).includes('payment.failed')).toBe(false)
})

test('a worse answer that came meanwhile counts also when it is old and the bank is away: nothing is asked for ever', async () => {
  const { payer, payment, check, due, status, standing } = await approvedLongAgo()
  await fault('payee_checks', 'no_match')
  const { quote_id } = await quoteOf(payer.boss, payer.contact, EUR)
  await executed(payer.boss, quote_id, { acknowledge_payee_check: true }) // before the first one ends
  await owner`update payee_checks set checked_at = checked_at - interval '25 hours'
    where organization_id = ${payer.payer.id}`
  await fault('payee_checks', 'down')
  await check()
  expect([await due(), await status()]).toEqual([false, 'failed'])
  expect(await standing()).toEqual([{ available: 900, held: 0 }, []])
  expect((await checksOf(payment)).map(({ result }) => result)).toEqual(['match', 'no_match', 'not_possible'])
  expect(await attentionOf(payer)).toMatchObject([{ action: { payment_id: payment.id } }])
})

test('the same answer, or a bank that is away, lets the payment go on', async () => {
  for (const name of ['match', 'down'] as const) {
    const { payment, check, order, status } = await approvedLongAgo()
    await fault('payee_checks', name)
    await check()
    expect((await checksOf(payment)).length).toBe(2)
    await order()
    expect(await status()).toBe('processing')
  }
})

test.each([
  ['match', 'processing', 1],
  ['no_match', 'failed', 0],
  ['down', 'failed', 0],
] as const)(
  'under a setting that forbids what was acknowledged the bank is asked before the order: %s',
  async (name, becomes, orders) => {
    const payer = await payeeNamed('No Match GmbH')
    const { quote_id } = await quoteOf(payer.boss, payer.contact, EUR)
    const payment = await executed(payer.boss, quote_id, { acknowledge_payee_check: true })
    expect((await approve(payer.boss, payment)).status).toBe(200)
    await owner`update organizations set payee_check = 'block' where id = ${payer.payer.id}`
    const ref = { id: payment.id as PaymentId, organizationId: payer.payer.id as OrganizationId }
    await bank.orderPayout(ref)
    expect(await payoutAt('bank', payment.id)).toBe(undefined)
    await fault('payee_checks', name)
    await bank.checkPayee(ref)
    const view = await main.viewPayment(ref)
    expect('payee_check_due' in view && view.payee_check_due).toBe(false)
    await bank.orderPayout(ref)
    expect((await read(payer, payment)).status).toBe(becomes)
    expect([await payoutAt('bank', payment.id)].filter(Boolean)).toHaveLength(orders)
    expect(await violations(payer, payer.payer.id)).toEqual([])
  },
)

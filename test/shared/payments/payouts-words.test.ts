/** Wrong, late or missing payout updates never move money twice and never stop the polling. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { recordCallback } from '../../../services/callbacks/callbacks.ts'
import { api, approve, fund } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import {
  advance,
  become,
  cancel,
  holdings,
  outgoing,
  payerBy,
  read,
  taken,
  violations,
} from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { historyOf } from '../../support/runs/runs.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const atPartner = async (id: string) =>
  (await owner`select status from sandbox_payouts where id = ${id}`).map((row) => row['status'])
const calls = ({ id }: { id: string }, more: { version?: number } = {}) =>
  recordCallback({ partner: 'bank', id: `msg_${randomUUID()}`, subject: 'payment', subjectId: id, ...more })
const forget = (id: string) => owner`delete from sandbox_payouts where id = ${id}`

test('a payment that no partner took is not failed by an operator: it is still being sent', async () => {
  const payer = await payerBy('fiat')
  await fault('bank', 'down', 60)
  const payment = await outgoing(payer)
  await approve(payer.boss, payment)
  await become(payer, payment, 'on_hold')
  await owner`delete from sandbox_faults`
  const failing = administer(['payments', 'fail', payment.id, 'too late'])
  await expect(failing).rejects.toMatchObject({ type: 'invalid_state' })
  await become(payer, payment, 'succeeded')
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('a withdrawal that the custodian took and forgot is not sent again by its cancellation', async () => {
  const { payer, payment } = await taken('crypto')
  await forget(payment.id)
  expect((await cancel(payer, payment)).status).toBe(200)
  await expect.poll(async () => (await read(payer, payment)).status_detail).toContain('no clear answer')
  expect(await atPartner(payment.id)).toEqual([])
  await administer(['payments', 'fail', payment.id, 'the custodian lost it'])
  expect(await become(payer, payment, 'cancelled')).toMatchObject({ status_detail: 'the custodian lost it' })
  expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
})

test('an amount that the bank has changed is told as such: an operator has to look, and the money stays held', async () => {
  const { payer, payment } = await taken('fiat')
  await owner`
    update sandbox_payouts set amount = '90.00', status = 'settled', version = version + 1 where id = ${payment.id}`
  await calls(payment)
  const held = await become(payer, payment, 'on_hold')
  expect(held.status_detail).toBe('the bank names another amount than was ordered: an operator has to look')
  expect((await holdings(payer, payer.payer.id)).held).toBe(Number(held.deducting.amount))
  const unprocessed = () => owner`
    select from payments where id = ${payment.id} and callbacks_processed <> callbacks_received`
  await expect.poll(unprocessed).toHaveLength(0) // the bank may have been polled before it called
})

test('a partner that keeps saying the same after it called is asked at leisure, not in a loop', async () => {
  const { payer, payment } = await taken('fiat')
  await forget(payment.id)
  await become(payer, payment, 'on_hold')
  const asks = async () => Number((await owner`select asks from payments where id = ${payment.id}`)[0]?.['asks'])
  const lengthOf = async () => (await historyOf(payment)).events.length
  await calls(payment, { version: 7 })
  const [before, asked] = [await lengthOf(), await asks()]
  await until('it to be asked twice more', async () => (await asks()) >= asked + 2)
  expect((await lengthOf()) - before).toBeLessThan(60)
  expect((await read(payer, payment)).status).toBe('on_hold')
})

test('a return that is called about is heard, also where the first answer is the one before', async () => {
  const { payer, payment } = await taken('fiat')
  await advance(payment, 'succeeded')
  await become(payer, payment, 'succeeded')
  await fault('bank', 'out_of_order', 1)
  await advance(payment, 'reversed')
  await become(payer, payment, 'reversed')
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('an exchanged payment waits for its approval no longer than its rate is good', async () => {
  const { boss, payer, contact } = await payerBy('fiat', '900.00')
  await fund(payer.id, '500.00', 'USD')
  const quote = await quoteOf(boss, contact, { amount: '100.00', currency: 'USD' })
  expect(quote.warnings.map((one: { type: string }) => one.type)).toContain('rate_expires')
  const made = await executed(boss, quote.quote_id)
  const [approval] = await owner`
    select extract(epoch from expires_at - inserted_at)::integer as seconds from approvals
    where id = ${made.approval_request_id}`
  expect(approval?.['seconds']).toBe(3600)
  await api('POST', '/sandbox/clock/advance', { body: { seconds: 3601 } })
  // its session has ended, so it is read from outside
  const rows = () => owner`select status, status_detail from payments where id = ${made.id}`
  await expect.poll(rows).toEqual([{ status: 'cancelled', status_detail: 'approval expired' }])
})

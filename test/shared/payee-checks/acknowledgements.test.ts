/** An acknowledgement is of the answer that its request could see, and of no worse one. */
import { expect, test } from 'vitest'
import { api, fund, organization, person } from '../../support/api.ts'
import { batchOf, toName } from '../../support/account-changes.ts'
import { submit } from '../../support/batches/batches.ts'
import { requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { EUR, payeeNamed } from '../../support/payee-checks/payees.ts'
import { execute, executed, quoteOf } from '../../support/payments/quotes.ts'

usePartners()

const acknowledged = { acknowledge_payee_check: true }

test('of a quote it is of the answer that the quote showed', async () => {
  const { boss, contact } = await payeeNamed('Close Match Ltd')
  const quote = await quoteOf(boss, contact, EUR)
  await fault('payee_checks', 'no_match')
  const worse = await quoteOf(boss, contact, EUR)
  const refused = await execute(boss, quote.quote_id, acknowledged)
  expect([...refusal(refused), refused.body.error.details]).toEqual([422, 'payee_mismatch', { result: 'no_match' }])
  const payment = await executed(boss, worse.quote_id, acknowledged)
  const [row] = await owner`select payee_acknowledged from payments where id = ${payment.id}`
  expect(row).toEqual({ payee_acknowledged: true })
})

test('an answer that became better needs none of its own', async () => {
  const { boss, contact } = await payeeNamed('No Match GmbH')
  const quote = await quoteOf(boss, contact, EUR)
  await fault('payee_checks', 'close_match')
  await quoteOf(boss, contact, EUR)
  expect((await execute(boss, quote.quote_id, acknowledged)).status).toBe(201)
})

test('of a bill it is of the answer with which the bill was refused', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  await fund(id, '1000.00', 'EUR')
  const bill = await typedBill(boss, id, { supplier_name: 'Close Match Ltd' })
  expect((await requestPayment(boss, bill.id)).body.error.details).toEqual({ result: 'close_match' })
  await fault('payee_checks', 'no_match')
  const worse = await requestPayment(boss, bill.id, acknowledged)
  expect([...refusal(worse), worse.body.error.details]).toEqual([422, 'payee_mismatch', { result: 'no_match' }])
  await fault('payee_checks', 'no_match')
  expect((await requestPayment(boss, bill.id, acknowledged)).body.status).toBe('payment_requested')
})

test('of a batch it is of the rows with which the batch was refused', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  await fund(id, '1000.00', 'EUR')
  const rows = [toName('Close Match Ltd', 'DE89370400440532013000'), toName('Plain GmbH', 'DE02120300000000202051')]
  const batch = await batchOf(boss, id, ...rows)
  const counts = async (body: object) => (await submit(boss, batch, body)).body.error?.details
  expect(await counts({})).toEqual({ result: 'close_match', rows_no_match: 0, rows_close_match: 1 })
  const { data } = (await api('GET', `/payment-batches/${batch}/rows`, { token: boss.token })).body
  const path = `/payment-batches/${batch}/rows/${data[1].id}`
  await api('PATCH', path, { token: boss.token, body: { account_holder_name: 'No Match GmbH' } })
  const worse = { result: 'no_match', rows_no_match: 1, rows_close_match: 1 }
  expect(await counts(acknowledged)).toEqual(worse)
  expect((await submit(boss, batch, acknowledged)).body.status).toBe('awaiting_approval')
})

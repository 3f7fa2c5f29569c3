/** Hard limits on the day of a payment: they count again, and what reaches one is not paid. */
import { expect, test } from 'vitest'
import { api, createPayment, payerAndPayee, paymentBody } from '../../support/api.ts'
import { type TestRule, setRules } from '../../support/approvals/approvals.ts'
import { ended } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, holdings, outgoing, payerBy } from '../../support/payments/payouts.ts'
import { execute, quoteOf } from '../../support/payments/quotes.ts'
import { businessDay, missedOf, moveToHour, scheduled, scheduledBatch } from '../../support/payments/schedules.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

/** A limit of 100 a day that refuses what reaches it. */
const hard = (currency: string, more: object = {}) =>
  ({ currency, amount_from: '100', period: 'day', per: 'organization', hard: true, steps: [], ...more }) as TestRule

/** Expects that the requester got one mail about what was not paid, with the reason. */
async function expectOneMail({ email }: { email: string }): Promise<void> {
  const mails = (await mailsTo(email)).filter(({ subject }) => subject.endsWith('was not paid on its day'))
  expect(mails).toHaveLength(1)
  for (const words of ['limit exceeded', 'nothing was deducted']) expect(mails[0]?.text).toContain(words)
}

test('a payment that reaches a hard limit on its day fails with nothing held; attention and one mail say so', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay()
  const made = await scheduled(at, day)
  await setRules(at.payer.id, at.boss, [hard('EUR')])
  await moveToHour(day, 6)
  const failed = await become(at, made, 'failed')
  expect(failed).toMatchObject({ status_detail: 'not paid on its day: limit exceeded', transaction_id: null })
  expect(await holdings(at, at.payer.id)).toEqual({ available: 900, held: 0 })
  expect(await missedOf(at)).toHaveLength(1)
  await expectOneMail(at.boss)
})

test('a payment below a hard limit is paid on its day: steps are not asked for again', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay()
  const made = await scheduled(at, day, '50.00')
  const soft = { ...hard('EUR', { amount_from: '1' }), hard: false, steps: [{ required: 5, roles: ['owner'] }] }
  await setRules(at.payer.id, at.boss, [hard('EUR'), soft])
  await moveToHour(day, 6)
  await become(at, made, 'succeeded')
})

test.each(['organization', 'person', 'payee'])(
  'what is executed on a day, whenever it was asked for, and what is asked for on it are one sum: per %s',
  async (per) => {
    const at = await payerBy('fiat')
    const day = await businessDay()
    const both = [await scheduled(at, day, '60.00'), await scheduled(at, day, '60.00')]
    await setRules(at.payer.id, at.boss, [hard('EUR', { per })])
    await moveToHour(day, 6)
    const ends = await Promise.all(both.map((one) => become(at, one, 'failed', 'succeeded')))
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded'])
    const { quote_id } = await quoteOf(at.boss, at.contact, { amount: '40.00', currency: 'EUR' })
    expectRefusal(await execute(at.boss, quote_id), 'limit_exceeded', {
      per,
      used: { amount: '60.20', currency: 'EUR' },
    })
    expect((await outgoing(at, '39.00')).status).toBe('awaiting_approval')
  },
)

test('a batch that reaches a hard limit on its day is cancelled before its first row; attention and one mail say so', async () => {
  const at = await payerAndPayee('500.00')
  const { boss, payer, contactId } = at
  const day = await businessDay()
  const { batch } = await scheduledBatch(at, day, '40.00', '20.00')
  await setRules(payer.id, boss, [hard('USD')])
  await moveToHour(day, 1)
  await createPayment(boss, contactId, '40.00') // counts from that day on
  await moveToHour(day, 6)
  await ended(batch.id)
  expect((await api('GET', `/payment-batches/${batch.id}`, { token: boss.token })).body.status).toBe('cancelled')
  expect(await owner`select from payments where payment_batch_id = ${batch.id}`).toHaveLength(0)
  const [row] = await owner`select refused from payment_schedules where id = ${batch.approval_request_id}`
  expect(row).toEqual({ refused: 'limit_exceeded' })
  const [item] = await missedOf(at)
  expect(item).toMatchObject({
    action: { payment_id: null, payment_batch_id: batch.id },
    subject: { type: 'payment_batch', payment_batch_id: batch.id },
  })
  await expectOneMail(boss)
})

test('a batch that was executed on its day counts there', async () => {
  const at = await payerAndPayee('500.00')
  const day = await businessDay()
  const { batch } = await scheduledBatch(at, day, '40.00', '20.00')
  await setRules(at.payer.id, at.boss, [hard('USD')])
  await moveToHour(day, 6)
  await ended(batch.id)
  const body = paymentBody(at.contactId, '40.00')
  expectRefusal(await api('POST', '/payments', { token: at.boss.token, body }), 'limit_exceeded', {
    used: { amount: '60.00', currency: 'USD' },
  })
})

import { expect, test, vi } from 'vitest'
import { owner } from '../../support/database.ts'
import { eventually } from '../../support/runs/runs.ts'
import { calledBack, usePartners } from '../../support/partners/partners.ts'
import { type Rail, advance, become, payerBy, read, sent } from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'

const { temporal } = await vi.hoisted(async () => {
  const { startProxy } = await import('../../support/faults/proxy.ts')
  const proxy = await startProxy(process.env['TEMPORAL_ADDRESS'] ?? '')
  // no polls: only callbacks make progress here
  Object.assign(process.env, { TEMPORAL_ADDRESS: proxy.address, PARTNER_POLL_SECONDS: '3600' })
  return { temporal: proxy }
})
usePartners()
useWorker()

const unread = async ({ id }: { id: string }) =>
  (await owner`select callbacks_received > callbacks_processed as unread from payments where id = ${id}`)[0]?.['unread']

test.each<Rail>(['fiat', 'crypto'])(
  'a %s payment goes on as soon as its partner calls, also after its end',
  async (rail) => {
    const payer = await payerBy(rail)
    const payment = await sent(payer)
    await become(payer, payment, 'succeeded')
    expect((await advance(payment, 'reversed')).status).toBe(200)
    await become(payer, payment, 'reversed')
    await eventually(() => unread(payment)).toBe(false)
  },
)

test('while Temporal is away a callback is taken, and the partner asked when it is back', async () => {
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  await eventually(() => unread(payment)).toBe(false)
  await temporal.cut()
  try {
    expect((await calledBack(payment.id)).status).toBe(204)
    expect(await unread(payment)).toBe(true)
  } finally {
    await temporal.mend()
  }
  await eventually(() => unread(payment)).toBe(false)
  expect((await read(payer, payment)).status).toBe('succeeded')
})

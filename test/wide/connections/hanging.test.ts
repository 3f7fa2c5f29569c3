/** A connection whose calls hang delays no other: each has a queue, and places in it, of its own. */
import { expect, test, vi } from 'vitest'
import { approve, fund, organization, person } from '../../support/api.ts'
import { IBAN, approved } from '../../support/batches/batches.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { become } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { AT_ONCE } from '../../../worker.ts'

await vi.hoisted(async () => {
  const { connectDollars } = await import('../../support/connections.ts')
  process.env['PARTNER_TIMEOUT_MS'] = '60000'
  connectDollars()
})
usePartnerProxy()
useWorker()

/** More than the worker calls at once. */
const FLOOD = AT_ONCE.bank + 14

test('a payment at one bank ends while more payments than are called at once are held by a bank that hangs', async () => {
  const boss = await person({ authenticator: true })
  const payer = await organization(boss, 'Payer')
  await fund(payer.id, '100.00', 'EUR')
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let asked = 0
  answerInstead((method, path) => {
    if (method !== 'PUT' || !path.startsWith('/bank/v1/payouts')) return undefined
    asked += 1
    return released
  })
  const batch = await approved(
    boss,
    payer.id,
    Array.from({ length: FLOOD }, () => ({ amount: '1.00', iban: IBAN })),
  )
  const held = () => owner`select from payments where payment_batch_id = ${batch.id} and status = 'submitted'`
  await until('the rest waits for a place', async () => asked === AT_ONCE.bank && (await held()).length === FLOOD)

  const at = await contactWith([{ ...BANK, currency: 'USD', swift_code: 'BYLADEM1001' }])
  await fund(at.payer.id, '100.00', 'USD')
  const quote = await quoteOf(at.boss, at.contact, { amount: '5.00', currency: 'USD' })
  const payment = await executed(at.boss, quote.quote_id)
  expect((await approve(at.boss, payment)).status).toBe(200)
  await become({ ...at, rail: 'fiat' }, payment, 'succeeded')
  expect(await owner`select partner from sandbox_payouts where id = ${payment.id}`).toEqual([{ partner: 'usd' }])
  expect([asked, (await held()).length]).toEqual([AT_ONCE.bank, FLOOD])

  release()
  await until('all of them are paid', async () => (await held()).length === 0)
})

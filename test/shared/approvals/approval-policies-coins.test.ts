/** Thresholds of an approval policy that name no currency, and coins of no fixed worth. */
import { expect, test } from 'vitest'
import { approve, join, person } from '../../support/api.ts'
import { WALLET, contactWith } from '../../support/contacts/destinations.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { rule, setPolicy } from '../../support/approvals/policies.ts'
import { read } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { endow } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const BITCOIN = { ...WALLET, network: 'bitcoin', coin: 'BTC', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }

test('ten bitcoins wait for both approvers of the rule from a thousand on, as preflight says', async () => {
  const at = await contactWith([BITCOIN])
  await join(at.payer.id, await person(), 'admin')
  await endow(at.payer.id, '20.00000000', 'BTC')
  const two = [{ required: 2, roles: ['owner', 'admin'] }]
  await setPolicy(at.boss, at.payer.id, rule(), rule({ amount_from: '1000', steps: two }))
  const quote = await quoteOf(at.boss, at.contact, { amount: '10', currency: 'BTC' }, { side: 'landing' })
  expect(quote.approvers_needed).toBe(2)
  const payment = await executed(at.boss, quote.quote_id)
  expect((await approve(at.boss, payment)).status).toBe(200)
  expect((await read({ ...at, rail: 'crypto' }, payment)).status).toBe('awaiting_approval')
})

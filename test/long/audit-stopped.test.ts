/** Effects of stopped books: what stands still in the organization, and what goes on. */
import { expect, test } from 'vitest'
import { auditOrganizations } from '../../activities/audits.ts'
import { administer } from '../../admin.ts'
import { type Answer, api, approve } from '../support/api.ts'
import { alterEntry, runScheduled } from '../support/ledger/books.ts'
import { arriveCrypto } from '../support/deposits/deposits.ts'
import { fault, usePartners } from '../support/partners/partners.ts'
import { advance, become, outgoing, payerBy, sent } from '../support/payments/payouts.ts'
import { preflight } from '../support/payments/quotes.ts'
import { execute } from '../support/swaps.ts'
import { useWorker } from '../support/worker.ts'

usePartners()
useWorker({ whole: true })

const refusalOf = ({ status, body }: Answer) => [status, body.error?.type]
const UNBALANCED = [503, 'ledger_unbalanced']

test('a payment under way settles and money arrives; no quote is used, nothing is approved and nothing exchanged', async () => {
  const payer = await payerBy('fiat')
  const id = payer.payer.id
  await fault('bank', 'manual')
  const underWay = await sent(payer, '10.00')
  await become(payer, underWay, 'processing')
  const waiting = await outgoing(payer, '11.00')
  const ask = () => preflight(payer.boss, payer.contact, { amount: '12.00', currency: 'EUR' }, { side: 'landing' })
  const quote = await ask()
  const exchange = await api('POST', `/organizations/${id}/swaps/quote`, {
    token: payer.boss.token,
    body: { source_currency: 'EUR', target_currency: 'USD', source_amount: '5.00' },
  })
  expect([quote.status, exchange.status]).toEqual([200, 200])
  await alterEntry(id, '0.01')
  await runScheduled('ledger-audit')

  const executing = await api('POST', '/payments/execute', {
    token: payer.boss.token,
    body: { quote_id: quote.body.quote_id, payout_reason: 'services', statement_description: 'Invoice 1' },
  })
  const approving = await approve(payer.boss, waiting)
  const exchanging = await execute(payer.boss, exchange.body.quote_id)
  expect([executing, approving, exchanging].map(refusalOf)).toEqual([UNBALANCED, UNBALANCED, UNBALANCED])
  for (const { headers } of [executing, approving, exchanging]) expect(headers.get('retry-after')).toMatch(/^[1-9]/)
  const predicted = await ask()
  expect(predicted.body.blocked_by.map(({ type }: { type: string }) => type)).toContain('ledger_unbalanced')

  await advance(underWay, 'succeeded')
  await become(payer, underWay, 'succeeded')
  expect((await arriveCrypto(id, '5')).status).toBe('credited')
  const withdrawn = await api('POST', `/organizations/${id}/approvals/${waiting.approval_request_id}/cancel`, {
    token: payer.boss.token,
  })
  expect([withdrawn.status, withdrawn.body.status]).toEqual([200, 'cancelled'])
  await alterEntry(id, '-0.01')
  await administer(['books', 'resume', id])
  expect((await auditOrganizations({ after: null })).faulty).toBe(0)
  expect((await execute(payer.boss, exchange.body.quote_id)).status).toBe(201)
})

/** Ways of dollars at Increase: wires above the limit of ACH, and FedNow at once, with ACH after a refusal. */
import { expect, test, vi } from 'vitest'
import { api, approve, fund } from '../../support/api.ts'
import { contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { serviceFindings } from '../../support/ledger/books.ts'
import { advance, become, violations } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { reconcileWhole } from '../../support/partners/reconcile.ts'
import { AT_SECOND } from '../../support/partners/two.ts'
import { useWorker } from '../../support/worker.ts'
import { fallbackIdOf } from '../../../domain/payments/speed.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  const { sandboxEntries } = await import('../../../platform/drivers/sandbox.ts')
  const [usd] = sandboxEntries(['increase'], '')
  const url = `${process.env['SANDBOX_PARTNERS_URL'] ?? ''}/usd`
  connect({ usd: { ...usd, url, ach_limit: '500.00', instant: 'fednow' }, rates: { serves: [{ rates: true }] } })
})

useWorker({ whole: true })
usePartners()

const ADDRESS = { line1: 'Weg 1', line2: null, postal_code: '04109', city: 'Leipzig', country_code: 'DE' }

async function payerInDollars() {
  const at = await contactWith([AT_SECOND])
  await owner`update organizations set postal_address = ${owner.json(ADDRESS)} where id = ${at.payer.id}`
  await fund(at.payer.id, '2000.00', 'USD')
  await openAccount(at.boss, at.payer.id, 'USD')
  return { ...at, rail: 'fiat' as const }
}
type Payer = Awaited<ReturnType<typeof payerInDollars>>

async function sent({ boss, contact }: Payer, amount: string, more: object = {}) {
  const quote = await quoteOf(boss, contact, { amount, currency: 'USD' }, { side: 'landing', ...more })
  const payment = await executed(boss, quote.quote_id)
  expect((await approve(boss, payment)).status).toBe(200)
  return payment as { id: string }
}

/** Lists the transfers of a payment and of its fallback at the bank, with the way of each. */
const transfersOf = ({ id }: { id: string }) => owner<{ id: string; way: string; status: string }[]>`
  select id, document ->> 'kind' as way, status from sandbox_payouts
  where partner = 'usd' and id = any (${[id, fallbackIdOf(id)]}::uuid[]) order by seq`

async function balanceOf({ boss, payer }: Payer): Promise<number> {
  const { body } = await api('GET', `/organizations/${payer.id}/balances`, { token: boss.token })
  return Number(body.data.find(({ currency }: { currency: string }) => currency === 'USD').total.amount)
}

test('above the limit of ACH a payment goes by wire; one that is reversed gives the money back', async () => {
  const payer = await payerInDollars()
  const payment = await sent(payer, '500.01')
  await become(payer, payment, 'succeeded')
  expect(await transfersOf(payment)).toMatchObject([{ way: 'wire_transfer', status: 'settled' }])
  const before = await balanceOf(payer)
  expect((await advance(payment, 'reversed', 'account_closed')).status).toBe(200)
  await become(payer, payment, 'reversed')
  expect(await balanceOf(payer)).toBeCloseTo(before + 500.01, 2)
  const small = await sent(payer, '500.00')
  await become(payer, small, 'succeeded')
  expect(await transfersOf(small)).toMatchObject([{ way: 'ach_transfer', status: 'settled' }])
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('at once a payment goes by FedNow', async () => {
  const payer = await payerInDollars()
  const payment = await sent(payer, '100.00', { speed: 'instant' })
  await become(payer, payment, 'succeeded')
  expect(await transfersOf(payment)).toMatchObject([{ way: 'fednow_transfer', status: 'settled' }])
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('one that FedNow rejects goes by ACH, and is paid once; without a fallback it fails', async () => {
  const payer = await payerInDollars()
  await owner`insert into sandbox_faults (partner, fault, times) values ('usd', 'instant_rejected', 2)`
  const payment = await sent(payer, '100.00', { speed: 'instant' })
  await become(payer, payment, 'succeeded')
  expect(await transfersOf(payment)).toMatchObject([
    { id: payment.id, way: 'fednow_transfer', status: 'rejected' },
    { id: fallbackIdOf(payment.id), way: 'ach_transfer', status: 'settled' },
  ])
  const before = await balanceOf(payer)
  const other = await sent(payer, '100.00', { speed: 'instant', fallback: 'none' })
  await become(payer, other, 'failed')
  expect(await transfersOf(other)).toMatchObject([{ way: 'fednow_transfer', status: 'rejected' }])
  expect(await balanceOf(payer)).toBe(before)
  expect(await violations(payer, payer.payer.id)).toEqual([])
  await reconcileWhole('usd')
  expect(await serviceFindings('reconciliation')).toEqual([])
})

/** A company with a bank, and the European Central Bank for rates: it exchanges, and its operators cover by hand. */
import { expect, test, vi } from 'vitest'
import { administer } from '../../../admin.ts'
import { DEFAULT_FEES } from '../../../domain/money/fees.ts'
import { quotient } from '../../../domain/money/decimal.ts'
import { exchangeSource } from '../../../domain/money/rates.ts'
import { weekendEnd } from '../../../domain/swaps/market.ts'
import { now } from '../../../platform/clock.ts'
import { checkService } from '../../../services/audit/findings.ts'
import { openPositionUsd } from '../../../services/covers/covers.ts'
import { client } from '../../../temporal/client.ts'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { wait } from '../../support/identity/identity.ts'
import { operator } from '../../support/ledger/adjustments.ts'
import { reconcileWith, serviceFindings } from '../../support/ledger/books.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { eventually } from '../../support/runs/runs.ts'
import { askQuote, booksAreClean, exchanger, execute, quoted } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

await vi.hoisted(async () => {
  process.env['FX_POSITION_LIMIT_USD'] = '150'
  const { connect } = await import('../../support/connections.ts')
  connect({
    bank: { serves: [{ rail: 'fiat', currencies: ['EUR', 'USD'] }] },
    ecb: { driver: 'ecb', serves: [{ rates: true }], margin_bp: 40 },
  })
})
usePartners()
useWorker({ whole: true })

const opensAt = weekendEnd(now())
if (opensAt) await wait(Math.ceil((opensAt.getTime() - now().getTime()) / 1000))
const at = await exchanger('1000.00')
const [anna, ben] = [await operator(), await operator()]
const as = async (who: typeof anna, verb: string, ...words: string[]) => {
  await owner`update authenticators set last_step = 0 where user_id = ${who.userId}`
  return administer(['covers', verb, who.email, await who.totp(), ...words])
}
const coverOf = async (id: string) =>
  (await owner<{ status: string; asks: number }[]>`select status, connection, asks from covers where id = ${id}`)[0]
const detailsOf = async (id: string) =>
  (await client.workflow.getHandle(`cover-${id}`).query<{ currentDetails: string }>('__temporal_workflow_metadata'))
    .currentDetails
const balanceOf = async (kind: string, currency: string) =>
  (
    await owner<{ amount: string }[]>`
      select coalesce(sum(e.amount), 0)::text as amount from ledger_entries e
      join ledger_accounts a on a.id = e.account_id where a.kind = ${kind} and a.currency = ${currency}`
  )[0]?.amount

test('a swap is quoted with the margin, executed, covered by two operators, and leaves our result', async () => {
  const source = { amount: '100.00', currency: 'USD' }
  const quote = await quoted(at, { source_amount: source.amount })
  const spreadBps = DEFAULT_FEES.exchange.basis_points + 40
  const exchange = exchangeSource(source, 'EUR', { mid: quotient('1', '1.0842', 12), spreadBps })
  expect([quote.rate, quote.target_amount]).toEqual([exchange?.rate, exchange?.target.amount])
  const { body: swap } = await execute(at.boss, quote.quote_id)
  const id = swap.swap_id as string
  await eventually(() => detailsOf(id)).toContain('operators deal')
  expect(await coverOf(id)).toEqual({ status: 'open', connection: 'ecb', asks: 0 })
  expect(await administer(['covers', 'list', id])).toContain(
    `${id} at ecb: sell 100.00 USD, buy ${quote.target_amount} EUR`,
  )

  // a position that nobody closes stops exchanges, as everywhere
  expect((await execute(at.boss, (await quoted(at, { source_amount: '60.00' })).quote_id)).status).toBe(201)
  expect((await askQuote(at, { source_amount: '1.00' })).body.error).toMatchObject({
    type: 'service_unavailable',
    details: { reason: 'exchange_paused' },
  })
  const found = async () => {
    await reconcileWith('ecb')
    return serviceFindings('reconciliation', `%${id}`)
  }
  await wait(23 * 3600)
  expect(await found()).toEqual([])
  await wait(2 * 3600)
  expect(await found()).toEqual([`exchange_not_covered ${id}`])

  const line = await as(
    anna,
    'settle',
    id,
    ...`--sold 99.50 USD --bought ${quote.target_amount} EUR --reason dealt`.split(' '),
  )
  const dealing = /dealing (\S+) is proposed/.exec(line)?.[1] ?? line
  expect(await as(ben, 'confirm', dealing)).toContain('result 0.50 USD')
  await eventually(async () => (await coverOf(id))?.status).toBe('covered')
  expect(await openPositionUsd()).toBe(60)
  expect(await balanceOf('fx', 'USD')).toBe('60.00')
  expect(await balanceOf('fx_result', 'USD')).toBe('0.50')
  expect(await balanceOf('desk:ecb', 'USD')).toBe('99.50')
  expect(await balanceOf('desk:ecb', 'EUR')).toBe(`-${quote.target_amount}`)
  expect(await found()).toEqual([])
  expect(await checkService()).toEqual([])
  await booksAreClean(at)
})

test('what is not among the reference rates is not exchanged, and all else can be', async () => {
  const { error } = (await askQuote(at, { target_currency: 'AED', source_amount: '1.00' })).body
  expect(error.type).toBe('unsupported_currency')
  const { body } = await api('GET', `/organizations/${at.org.id}/capabilities`, { token: at.boss.token })
  expect(body.data.find(({ currency }: { currency: string }) => currency === 'USD').exchange.available).toBe(true)
})

test('at weekends nothing is exchanged', async () => {
  const friday = new Date(now())
  friday.setUTCDate(friday.getUTCDate() + ((5 - friday.getUTCDay() + 7) % 7))
  friday.setUTCHours(22, 0, 0, 0)
  await wait(Math.ceil((friday.getTime() - now().getTime()) / 1000) + 60)
  const boss = await exchanger('10.00')
  expect((await askQuote(boss, { source_amount: '1.00' })).body.error.type).toBe('market_closed')
})

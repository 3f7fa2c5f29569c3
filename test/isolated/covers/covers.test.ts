import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { MockActivityEnvironment } from '@temporalio/testing'
import { main } from '../../../activities/index.ts'
import { tradeCover } from '../../../activities/covers.ts'
import { checkService } from '../../../services/audit/findings.ts'
import { closeCover, openPositionUsd } from '../../../services/covers/covers.ts'
import { credit, debit, post, system } from '../../../services/ledger/ledger.ts'
import type { CoverId, OrganizationId } from '../../../domain/ids.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { client } from '../../../temporal/client.ts'
import { type RunningWorker, startWorker } from '../../../worker.ts'
import { api } from '../../support/api.ts'
import { serviceFindings, tamper } from '../../support/ledger/books.ts'
import { owner } from '../../support/database.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { longTest } from '../../support/model-runs.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { advance, become, sentExchanged, violations } from '../../support/payments/payouts.ts'
import * as payments from '../../support/payments/quotes.ts'
import { reconcile, reconcileWhole } from '../../support/partners/reconcile.ts'
import { eventually } from '../../support/runs/runs.ts'
import {
  COVERED,
  UNCOVERED,
  askQuote,
  booksAreClean,
  coverOf,
  exchanger,
  execute,
  isCovered,
  quoted,
  setMarket,
  swapped,
} from '../../support/swaps.ts'
import '../../support/temporal-runtime.ts'

vi.hoisted(() => {
  process.env['FX_POSITION_LIMIT_USD'] = '1000'
  process.env['TEMPORAL_DEBUG'] = '1' // workflows on the main thread, as with useWorker()
})
usePartners()

let worker: RunningWorker | undefined
const work = async () => {
  worker = await startWorker({ versioned: false, reconciles: false })
}
const rest = async () => {
  const stopping = worker
  worker = undefined
  await stopping?.stop()
}
afterEach(async () => {
  await rest()
  await setMarket('open')
})

const at = await exchanger('100000.00')
const organizationId = at.org.id as OrganizationId // of a row that was just written
const idOf = ({ id }: { id: string }) => id as CoverId // of a swap, whose cover has its id
const refOf = (swap: { id: string }) => ({ organizationId, id: idOf(swap) })
const runOf = ({ id }: { id: string }) => client.workflow.getHandle(`cover-${id}`)
const stateOf = async (swap: { id: string }) => (await runOf(swap).describe()).status.name
const detailsOf = async (swap: { id: string }) =>
  (await runOf(swap).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails
const USD = { amount: '100.00', currency: 'USD' }

// in `npm test`, one exchanged payment meets an unreachable desk, and one repeated step trades once
describe('whatever the desk does, our position is closed once in the end', () => {
  longTest.each(['ambiguous', 'error', 'rate_limited', 'slow', 'down', 'malformed'] as const)('%s', async (name) => {
    const swap = await swapped(at)
    expect(await coverOf(swap)).toEqual(UNCOVERED)
    await fault('rates', name, 2)
    await work()
    await isCovered(swap)
    await eventually(() => stateOf(swap)).toBe('COMPLETED')
    await booksAreClean(at)
  })
})

test('a market that closed meanwhile is waited for, and an operator reads why; the organization has had its money all the while', async () => {
  const swap = await swapped(at)
  await setMarket('closed')
  await work()
  await eventually(() => detailsOf(swap)).toContain('refused: market_closed')
  expect(await coverOf(swap)).toEqual(UNCOVERED)
  const { runId } = await runOf(swap).describe()
  await reconcile() // leaves a waiting run alone
  expect(await runOf(swap).describe()).toMatchObject({ runId, status: { name: 'RUNNING' } })
  await setMarket('open')
  await isCovered(swap)
})

test('each step answers a repeat as the first time', async () => {
  const swap = await swapped(at)
  const cover = () => new MockActivityEnvironment({ attempt: 3 }).run(tradeCover, refOf(swap))
  for (let call = 0; call < 2; call += 1) {
    expect(await main.viewCover(refOf(swap))).toMatchObject({ again: false, status: 'open', trade_due: true })
  }
  await Promise.all([cover(), cover()])
  await cover()
  await asSystem(organizationId, (tx) => closeCover(tx, idOf(swap), null))
  expect(await coverOf(swap)).toEqual(COVERED)
  for (let call = 0; call < 2; call += 1) {
    expect(await main.viewCover(refOf(swap))).toMatchObject({ again: false, status: 'covered', at_rest: true })
  }
  const [trade] = await owner`select sell, buy from sandbox_trades where id = ${swap.id}`
  expect(trade).toEqual({ sell: { amount: '10.00', currency: 'USD' }, buy: { amount: '9.19', currency: 'EUR' } })
})

describe('a payment that exchanges currencies', () => {
  /** Reads the covers of an exchange in the order of their trades, untraded ones last. */
  const coversOf = ({ id }: { id: string }) => owner<{ status: string; sell: object | null; buy: object | null }[]>`
    select c.status, t.sell, t.buy from covers c left join sandbox_trades t on t.id = c.trade_id
    where c.transfer_key like ${`payment:${id}:%`} order by t.seq`

  test('is covered once when it settles, also after the desk was away, and the other way round when it comes back', async () => {
    await fault('bank', 'manual', 1)
    const { payer, payment, landing } = await sentExchanged()
    await work()
    await become(payer, payment, 'processing')
    expect(await coversOf(payment)).toEqual([])
    await fault('rates', 'down', 2)
    await advance(payment, 'succeeded')
    await isCovered(payment)
    const net = { amount: '99.45', currency: 'USD' } // less the fee
    const there = { status: 'covered', sell: net, buy: landing }
    expect(await coversOf(payment)).toEqual([there])
    await advance(payment, 'reversed')
    await become(payer, payment, 'reversed')
    await eventually(() => coversOf(payment)).toEqual([there, { status: 'covered', sell: landing, buy: net }])
    const causes = await owner`
      select by.type from events e join events by on by.id = e.causation_id join covers c on c.id = e.subject_id
      where e.type = 'cover.closed' and c.transfer_key like ${`payment:${payment.id}:%`} order by e.id`
    expect(causes).toEqual([{ type: 'payment.settled' }, { type: 'payment.reversed' }])
    expect(await violations(payer, payer.payer.id)).toEqual([])
    expect(await checkService()).toEqual([])
  })

  longTest('gives nothing to cover if it fails', async () => {
    await fault('bank', 'manual', 1)
    const { payer, payment } = await sentExchanged()
    await work()
    await become(payer, payment, 'processing')
    await advance(payment, 'failed')
    await become(payer, payment, 'failed')
    expect(await coversOf(payment)).toEqual([])
    expect(await checkService()).toEqual([])
  })
})

test('our own position in the books is what is not covered yet, and the audit finds anything else', async () => {
  const swap = await swapped(at)
  expect(await checkService()).toEqual([])
  const alter = (by: string) =>
    tamper((tx) => tx`update covers set sell_amount = sell_amount + ${by}::numeric where id = ${swap.id}`)
  await alter('0.01')
  expect(await checkService()).toEqual([{ check: 'fx_position_open', subject: 'USD' }])
  await alter('-0.01')
  await work()
  await isCovered(swap)
  expect(await checkService()).toEqual([])

  await alter('0.01')
  expect(await checkService()).toEqual([{ check: 'cover_differs', subject: swap.id }])
  await alter('-0.01')
  const [forged, money] = [randomUUID(), { amount: '5.00', currency: 'USD' }]
  const key = `cover:${forged}`
  const legs = [debit(system('desk'), money), credit(system('bank'), money)]
  await asSystem(organizationId, (tx) => post(tx, [{ key, organizationId, legs }]))
  expect(await checkService()).toEqual([{ check: 'cover_differs', subject: forged }])
  await tamper(
    (tx) => tx`
      with gone as (delete from ledger_transfers where key = ${key} returning id)
      delete from ledger_entries where transfer_id in (select id from gone)`,
  )
  expect(await checkService()).toEqual([])
})

test('while our own position is over its limit nothing new is exchanged, and an operator is told; opposite exchanges offset each other', async () => {
  const exchanged = async (request: object) => {
    const { status, body } = await execute(at.boss, (await quoted(at, request)).quote_id)
    expect(status).toBe(201)
    return { id: body.swap_id as string }
  }
  const { boss, contact } = await contactWith([BANK])
  const payment = await payments.quoteOf(boss, contact, USD)
  await exchanged({ source_amount: '900.00' })
  await exchanged({ source_currency: 'EUR', target_currency: 'USD', target_amount: '600.00' })
  await exchanged({ source_amount: '600.00' })
  const early = await quoted(at)
  const yen = await quoted(at, { source_currency: 'EUR', target_currency: 'JPY', source_amount: '100.00' })
  const worth =
    await owner`select value_usd::float8 as usd from swap_quotes where id in ${owner([early.quote_id, yen.quote_id])}`
  expect(worth.map(({ usd }) => usd).toSorted()).toEqual([10, 108.42])
  expect(await openPositionUsd()).toBe(900)
  const last = await exchanged({ source_amount: '200.00' })

  const reconcileRates = () => reconcileWhole('rates')
  const told = () => serviceFindings('reconciliation', 'USD')
  for (const answer of [
    await askQuote(at, { source_amount: '1.00' }),
    await execute(at.boss, early.quote_id),
    await payments.preflight(boss, contact, USD),
    await payments.execute(boss, payment.quote_id),
  ]) {
    expect([answer.status, answer.body.error.type]).toEqual([503, 'service_unavailable'])
    expect(answer.body.error.details).toMatchObject({ reason: 'exchange_paused' })
    expect(answer.headers.get('retry-after')).toBe('60')
  }
  const same = await payments.preflight(boss, contact, { amount: '5.00', currency: 'EUR' })
  expect(same.status).toBe(200)
  await reconcileRates()
  expect(await told()).toEqual(['fx_position_over_limit USD'])
  expect((await api('GET', '//metrics')).body).toContain('\nfx_position_usd 1100\n')

  await work()
  await isCovered(last)
  await eventually(openPositionUsd).toBe(0)
  expect((await execute(at.boss, early.quote_id)).status).toBe(201)
  expect((await payments.execute(boss, payment.quote_id)).status).toBe(201)
  await reconcileRates()
  expect(await told()).toEqual([])
})

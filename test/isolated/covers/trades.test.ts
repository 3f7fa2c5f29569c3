/** Trades whose floating side is not what was quoted, and that settle on a later day. */
import { expect, test } from 'vitest'
import { checkService } from '../../../services/audit/findings.ts'
import { openPositionUsd } from '../../../services/covers/covers.ts'
import { listTradesInFlight } from '../../../services/covers/lists.ts'
import { daysAfter } from '../../../domain/instants.ts'
import { owner } from '../../support/database.ts'
import { advance as advanceClock } from '../../support/identity/identity.ts'
import { reconcileWith, serviceFindings } from '../../support/ledger/books.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { eventually } from '../../support/runs/runs.ts'
import { booksAreClean, coverOf, exchanger, swapped } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

usePartnerProxy()
useWorker({ whole: true })

type Made = { sold: string; bought?: string; rate?: string; settles_on?: string; status?: string }
/** Lets the desk answer trades of 10.00 USD for 9.19 EUR otherwise. */
const desk = (made: Made) =>
  answerInstead((method, path) => {
    if (made.rate && path.startsWith('/rates/v1/rates?source=USD&target=EUR')) {
      const answer = { source: 'USD', target: 'EUR', rate: made.rate, market: 'open' }
      return { status: 200, body: JSON.stringify(answer) }
    }
    const [, id] = /^\/rates\/v1\/trades\/?([^?]*)/.exec(path) ?? []
    if (id === undefined) return undefined
    const trade = (of: string) => ({
      id: of,
      sell: { amount: made.sold, currency: 'USD' },
      buy: { amount: made.bought ?? '9.19', currency: 'EUR' },
      status: made.status ?? 'executed',
      executed_at: '2026-01-01T00:00:00Z',
      ...(made.settles_on && { settles_on: made.settles_on }),
    })
    if (method === 'PUT') return { status: 200, body: JSON.stringify(trade(id)) }
    return { status: 200, body: JSON.stringify({ data: traded.map(trade), next: null }) }
  })
/** Trades that the desk lists. */
let traded: string[] = []

const statusOf = async (swap: { id: string }) => (await coverOf(swap))?.status
const noteOf = async (swap: { id: string }) =>
  (await owner<{ ask_note: string | null }[]>`select ask_note from covers where id = ${swap.id}`)[0]?.ask_note
/** Reads what a cover has posted, by account and currency. */
const postedBy = async ({ id }: { id: string }) =>
  Object.fromEntries(
    (
      await owner<{ account: string; amount: string }[]>`
        select a.kind || ' ' || a.currency as account, e.amount::text from ledger_transfers t
        join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
        where t.key = ${`cover:${id}`}`
    ).map(({ account, amount }) => [account, amount]),
  )
const today = async () => {
  const [row] = await owner<{ day: string }[]>`select (business_now() at time zone 'UTC')::date::text as day`
  if (!row) throw new Error('there is a day')
  return row.day
}
const found = (id: string) => serviceFindings('reconciliation', `%${id}`)

test('what the customer was promised is bought exactly, and the difference of the other side is our result', async () => {
  for (const [sold, result] of [
    ['9.96', { 'fx_result USD': '0.04' }],
    ['10.00', {}],
    ['10.50', { 'fx_result USD': '-0.50' }],
  ] as const) {
    desk({ sold })
    const at = await exchanger()
    const swap = await swapped(at)
    await eventually(() => statusOf(swap)).toBe('covered')
    expect(await postedBy(swap)).toEqual({
      'fx USD': '-10.00',
      'desk USD': sold,
      'desk EUR': '-9.19',
      'fx EUR': '9.19',
      ...result,
    })
    expect(await openPositionUsd()).toBe(0)
    expect(await checkService()).toEqual([])
    await booksAreClean(at)
  }
})

test('a trade too far from what was quoted is not booked, and is the operator’s until the desk mends it', async () => {
  desk({ sold: '10.51' })
  const swap = await swapped(await exchanger())
  traded = [swap.id]
  await eventually(() => noteOf(swap)).toBe('traded too far from what was quoted')
  expect(await postedBy(swap)).toEqual({})
  await reconcileWith('rates')
  expect(await found(swap.id)).toEqual([`trade_amount_differs ${swap.id}`])
  desk({ sold: '10.00', bought: '9.18' })
  await reconcileWith('rates')
  expect(await found(swap.id)).toEqual([`trade_amount_differs ${swap.id}`])
  desk({ sold: '10.49' })
  await advanceClock(600)
  await eventually(() => statusOf(swap)).toBe('covered')
  expect(await postedBy(swap)).toMatchObject({ 'fx_result USD': '-0.49' })
  await reconcileWith('rates')
  expect(await found(swap.id)).toEqual([])
  expect(await checkService()).toEqual([])
})

test('a payment that came back long after its quote is covered at the rate of now', async () => {
  desk({ sold: '15.00' })
  const swap = await swapped(await exchanger())
  await eventually(() => noteOf(swap)).toBe('traded too far from what was quoted')
  desk({ sold: '15.00', rate: '0.6127' })
  await advanceClock(600)
  await eventually(() => statusOf(swap)).toBe('covered')
  expect(await postedBy(swap)).toMatchObject({ 'desk USD': '15.00', 'fx_result USD': '-5.00' })
  expect(await checkService()).toEqual([])
})

test('until it settles a trade is in flight, and later than its day it is the operator’s', async () => {
  const settles_on = daysAfter(await today(), 2)
  desk({ sold: '9.99', settles_on })
  const swap = await swapped(await exchanger())
  traded = [swap.id]
  await eventually(() => statusOf(swap)).toBe('covered')
  const mine = async () =>
    (await listTradesInFlight()).filter(({ id }) => id === swap.id).map(({ amount, ...one }) => ({ ...amount, ...one }))
  const of = { id: swap.id, connection: 'rates', settlesOn: settles_on }
  expect(await mine()).toEqual([
    { ...of, amount: '9.19', currency: 'EUR' },
    { ...of, amount: '-9.99', currency: 'USD' },
  ])
  await reconcileWith('rates')
  expect(await found(swap.id)).toEqual([])
  await advanceClock(3 * 24 * 3600 + 2 * 3600)
  await reconcileWith('rates')
  expect(await found(swap.id)).toEqual([`trade_not_settled ${swap.id}`])
  desk({ sold: '9.99', settles_on, status: 'settled' })
  await reconcileWith('rates')
  expect(await found(swap.id)).toEqual([])
  expect(await mine()).toEqual([])
  answerAsBefore()
})

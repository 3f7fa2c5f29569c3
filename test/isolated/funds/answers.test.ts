/** Odd answers of a partner: none of them hides what others hold, or passes for one of today. */
import { expect, test } from 'vitest'
import { askBalances, proveBalances } from '../../../activities/funds.ts'
import { api, fund, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { verifyFunds } from '../../support/funds-verifier.ts'
import { serviceFindings } from '../../support/ledger/books.ts'
import { comparisonOf, passDay, prove, proofsOf, readLists } from '../../support/ledger/funds.ts'
import { askPartner } from '../../support/partners/partners.ts'
import { answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { fundCoins } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'

usePartnerProxy()
const boss = await person()
const { id } = await organization(boss)
const findings = () => serviceFindings('reconciliation')
const answerBalances = (data: unknown) =>
  answerInstead((_, path) =>
    path.endsWith('/bank/v1/balances') ? { status: 200, body: JSON.stringify({ data }) } : undefined,
  )
const balances = async () => (await askPartner('bank', 'GET', '/balances')).body.data

test.each<[string, object]>([
  ['more decimals than its currency has', { amount: '10.001' }],
  ['a day that is on no calendar', { as_of: '2026-02-30T10:00:00Z' }],
  ['an offset that no clock has', { as_of: '2026-02-20T10:00:00+23:00' }],
])('a balance with %s is no answer, and hides no other connection', async (_, odd) => {
  await fund(id, '10.00', 'EUR')
  await fundCoins(id, '5')
  await passDay()
  const [before, coins] = [(await proofsOf('EUR')).length, (await proofsOf('USDC')).length]
  answerBalances([{ ...(await balances())[0], ...odd }])
  expect(await prove()).toEqual({ signed: 1, open: 1 })
  expect(await findings()).toEqual(['balance_not_asked bank'])
  expect([(await proofsOf('EUR')).length, (await proofsOf('USDC')).length]).toEqual([before, coins + 1])
})

test('a record with a time that is on no calendar stops no list', async () => {
  await fund(id, '20.00', 'EUR')
  const { body } = await askPartner('bank', 'GET', '/deposits?limit=10')
  const data = body.data.map((one: object) => ({ ...one, received_at: '2026-02-30T10:00:00Z' }))
  answerInstead((_, path) =>
    path.includes('/bank/v1/deposits?') ? { status: 200, body: JSON.stringify({ data, next: null }) } : undefined,
  )
  expect((await prove()).open).toBe(0)
  expect(await findings()).toEqual([])
})

test('an answer that nobody has renewed for hours proves nothing', async () => {
  await prove()
  await owner`update partner_balances set asked_at = asked_at - interval '3 hours' where connection = 'bank'`
  expect((await proveBalances({ isLast: true })).open).toBe(1)
  expect(await findings()).toEqual(['balance_not_asked bank'])
  expect((await prove()).open).toBe(0)
})

test('a balance of a while ago does not count what the partner dates later, though the books have it', async () => {
  await fund(id, '30.00', 'EUR')
  const past = await balances()
  await fund(id, '55.00', 'EUR')
  answerBalances(past)
  expect((await prove()).open).toBe(0)
  const { outcome, items } = await comparisonOf('bank', 'EUR')
  expect([outcome, ...items.map(({ kind, amount }) => `${kind} ${amount}`)]).toEqual(['equal', 'booked_since -55.00'])
  answerBalances([{ ...past[0], amount: (Number(past[0].amount) - 0.01).toFixed(2) }])
  await prove()
  expect(await comparisonOf('bank', 'EUR')).toMatchObject({ outcome: 'differs', difference: '-0.01' })
})

test('of two instants of a currency the earlier counts, whatever its offset', async () => {
  const [one] = await balances()
  await fund(id, '44.00', 'EUR')
  const shifted = new Date(Date.parse(one.as_of) + 5 * 3_600_000).toISOString().replace('Z', '+05:00')
  answerBalances([
    { ...one, as_of: shifted },
    { ...(await balances())[0], network: 'x', amount: '0.00' },
  ])
  for (const connection of ['bank', 'custodian']) await askBalances({ connection })
  for (const connection of ['bank', 'custodian']) await readLists(connection)
  expect((await proveBalances({ isLast: true })).open).toBe(0)
})

test('who reads while the next proof is made reads all of the last one', async () => {
  await passDay()
  await prove()
  const asking = () => api('GET', `/organizations/${id}/ledger/proof-of-funds`, { token: boss.token })
  const keys = (await api('GET', '/meta/event-log-keys')).body
  const { asked } = await owner.begin(async (tx) => {
    await tx`lock table funds_leaves in access exclusive mode`
    const asked = asking()
    await until('the reader waits', async () => {
      const [waits] = await owner`select from pg_locks where relation = 'funds_leaves'::regclass and not granted`
      return waits !== undefined
    })
    await tx`delete from funds_leaves` // as the next proof does
    return { asked }
  })
  expect(await verifyFunds((await asked).body, keys, id)).toContain('are part of')
})

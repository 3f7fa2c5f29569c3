import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { type Answer, join, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import {
  balancesOf,
  booksAreClean,
  endow,
  exchanger,
  execute,
  isCovered,
  positionOf,
  quoted,
} from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'
import { fullScale, longTest } from '../../support/model-runs.ts'

usePartners()
useWorker()

const AT_ONCE = fullScale ? 20 : 8
const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = `${status} ${body.error?.type ?? 'ok'}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
const swapsOf = async (organizationId: string): Promise<string[]> =>
  (await owner<{ id: string }[]>`select id from swaps where organization_id = ${organizationId}`).map(({ id }) => id)

test('of many executions of a quote at once one is done; the others are told that it was used', async () => {
  const at = await exchanger('1000.00')
  const admin = await person()
  await join(at.org.id, admin, 'admin')
  const { quote_id, target_amount } = await quoted(at)
  const answers = await times(AT_ONCE, (index) => execute(index % 2 ? at.boss : admin, quote_id))
  expect(tally(answers)).toEqual({ '201 ok': 1, '409 quote_already_used': AT_ONCE - 1 })
  expect(await balancesOf(at)).toEqual({ USD: '990.00', EUR: target_amount })
  await booksAreClean(at)
  const [id] = await swapsOf(at.org.id)
  await isCovered({ id: id ?? '' })
})

test('one key for two quotes at once carries out one of them, and answers each call for it alike', async () => {
  const at = await exchanger('1000.00')
  const quotes = [await quoted(at), await quoted(at)]
  const key = randomUUID()
  const answers = await times(AT_ONCE, (index) => execute(at.boss, quotes[index % 2]?.quote_id ?? '', key))
  expect(tally(answers)).toEqual({ '201 ok': AT_ONCE / 2, '422 idempotency_key_reused': AT_ONCE / 2 })
  const done = answers.filter(({ status }) => status === 201)
  expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(await swapsOf(at.org.id)).toHaveLength(1)
})

test('of quotes that together ask for more than there is, as many are done as the balance covers', async () => {
  const at = await exchanger('35.00')
  const quotes = await times(AT_ONCE, () => quoted(at))
  const answers = await Promise.all(quotes.map(({ quote_id }) => execute(at.boss, quote_id)))
  expect(tally(answers)).toEqual({ '201 ok': 3, '422 insufficient_funds': AT_ONCE - 3 })
  expect(await balancesOf(at)).toMatchObject({ USD: '5.00' })
  await booksAreClean(at)
})

longTest('swaps there and back between three currencies at once neither deadlock nor lose a cent', async () => {
  const at = await exchanger('1000.00')
  await endow(at.org.id, '1000.00', 'EUR')
  await endow(at.org.id, '100000', 'JPY')
  const pairs = ['USD EUR', 'EUR USD', 'EUR JPY', 'JPY USD']
  const quotes = await times(AT_ONCE, (index) => {
    const [source_currency, target_currency] = pairs[index % pairs.length]?.split(' ') ?? []
    return quoted(at, { source_currency, target_currency, source_amount: '7' })
  })
  const answers = await Promise.all(quotes.map(({ quote_id }) => execute(at.boss, quote_id)))
  expect(tally(answers)).toEqual({ '201 ok': AT_ONCE })
  await booksAreClean(at)
  const [position, balances] = [await positionOf(at.org.id), await balancesOf(at)]
  const sum = (currency: string) => Number(position[currency]) + Number(balances[currency])
  const sums = ['USD', 'EUR', 'JPY'].map((currency) => sum(currency).toFixed(2))
  expect(sums).toEqual(['1000.00', '1000.00', '100000.00'])
  for (const id of await swapsOf(at.org.id)) await isCovered({ id })
})

longTest('a pause in the middle lets each swap be done whole or not at all', async () => {
  const at = await exchanger('1000.00')
  const quotes = await times(AT_ONCE, () => quoted(at))
  const pausing = moveOrganization(at.org.id as OrganizationId, 'pause')
  const answers = await Promise.all(quotes.map(({ quote_id }) => execute(at.boss, quote_id)))
  await pausing
  const counts = tally(answers)
  expect(Object.keys(counts).every((name) => ['201 ok', '403 organization_unavailable'].includes(name))).toBe(true)
  expect(await swapsOf(at.org.id)).toHaveLength(counts['201 ok'] ?? 0)
  await booksAreClean(at)
})

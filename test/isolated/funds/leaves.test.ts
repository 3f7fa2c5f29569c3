/** Proof as an organization reads it: its own balance, a path that verifies offline, and no other by name. */
import { beforeAll, expect, test } from 'vitest'
import { api, fund, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { verifyFunds } from '../../support/funds-verifier.ts'
import { prove, passDay } from '../../support/ledger/funds.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { fundCoins } from '../../support/payments/payouts.ts'
import { serviceFindings } from '../../support/ledger/books.ts'

usePartners()
const boss = await person()
const stranger = await person()
const organizations = await Promise.all(Array.from({ length: 7 }, () => organization(boss)))
const [mine, other] = [organizations[2]!.id, organizations[5]!.id]
const foreign = await organization(stranger)
const proofOf = async (id: string, { token } = boss) =>
  (await api('GET', `/organizations/${id}/ledger/proof-of-funds`, { token })).body
const keys = (await api('GET', '/meta/event-log-keys')).body

beforeAll(async () => {
  for (const [index, { id }] of organizations.entries()) await fund(id, `${index + 1}.10`, 'EUR')
  await fundCoins(mine, '30.000001')
  await fund(foreign.id, '2.00', 'EUR')
})

test('before the first proof a currency has no head', async () => {
  expect(await verifyFunds(await proofOf(mine), keys, mine)).toBe('EUR: not proved yet\nUSDC: not proved yet')
})

test('each organization finds its balance in the sum, which the script verifies for it alone', async () => {
  expect((await prove()).open).toBe(0)
  const proof = await proofOf(mine)
  expect(
    proof.data.map(({ leaf }: any) => [JSON.parse(leaf).currency, JSON.parse(leaf).available, JSON.parse(leaf).held]),
  ).toEqual([
    ['EUR', '3.10', '0.00'],
    ['USDC', '30.000001', '0.000000'],
  ])
  const today = JSON.parse(proof.data[0].statement).day
  const lines = [
    `EUR on ${today}: 3.10 available and 0.00 held are part of 30.70; partners hold 30.70`,
    `USDC on ${today}: 30.000001 available and 0.000000 held are part of 30.000001; partners hold 30.000001`,
  ]
  expect(await verifyFunds(proof, keys, mine)).toBe(lines.join('\n'))
  for (const { id } of organizations) expect(await verifyFunds(await proofOf(id), keys, id)).toContain('part of 30.70')
  expect(await verifyFunds(proof, keys, other)).toContain('the leaf is of another')
})

test('nobody reads the proof of another organization, and no answer names another', async () => {
  const answer = await api('GET', `/organizations/${mine}/ledger/proof-of-funds`, { token: stranger.token })
  expect(answer.status).toBe(404)
  const text = JSON.stringify(await proofOf(mine))
  for (const { id } of organizations) expect(text.includes(id)).toBe(id === mine)
})

type Proof = { data: { statement: string; key_id: string; leaf: string | null; path: { left: boolean; hash: string; sum: string }[] }[] } // prettier-ignore
const restate = ({ data: [first] }: Proof, change: (stated: any) => void) => {
  const stated = JSON.parse(first!.statement)
  change(stated)
  first!.statement = JSON.stringify(stated)
}
const releaf = ({ data: [first] }: Proof, changes: object) => {
  first!.leaf = JSON.stringify({ ...JSON.parse(first!.leaf ?? ''), ...changes })
}
const step = ({ data: [first] }: Proof) => first!.path[0]!
test.each<[string, (proof: Proof) => unknown, string]>([
  ['another balance', (proof) => releaf(proof, { available: '3.11' }), 'no part of the sum'],
  [
    'money moved between available and held',
    (proof) => releaf(proof, { available: '3.00', held: '0.10' }),
    'no part of',
  ],
  ['a balance of another precision', (proof) => releaf(proof, { available: '3.1' }), '3.1 is no amount'],
  ['a balance below zero', (proof) => releaf(proof, { held: '-0.10' }), '-0.10 is below zero'],
  ['a neighbour below zero', (proof) => (step(proof).sum = '-1.00'), '-1.00 is below zero'],
  ['a neighbour of another sum', (proof) => (step(proof).sum = '0.00'), 'no part of the sum'],
  ['a neighbour on the other side', (proof) => (step(proof).left = !step(proof).left), 'no part of the sum'],
  ['another statement', (proof) => restate(proof, (stated) => (stated.customers.sum = '31.70')), 'EUR: signature'],
  ['another key', ({ data }) => (data[0]!.key_id = 'other'), 'EUR: signature'],
  [
    'the statement of another currency',
    ({ data }) => Object.assign(data[0]!, { ...data[1]!, currency: 'EUR' }),
    'EUR: ',
  ],
  ['an organization that was left out', ({ data }) => Object.assign(data[0]!, { leaf: null, path: [] }), 'leaves this'],
])('the script finds %s', async (_, tamper, found) => {
  const proof: Proof = structuredClone(await proofOf(mine))
  tamper(proof)
  expect(await verifyFunds(proof, keys, mine)).toContain(found)
})

test('one that came after the proof is told that it is not in it, and is in the next one', async () => {
  const { id } = await organization(boss)
  await fund(id, '0.50', 'EUR')
  expect((await proofOf(id)).data).toMatchObject([{ currency: 'EUR', leaf: null, path: [] }])
  expect(await verifyFunds(await proofOf(id), keys, id)).toContain('leaves this organization out')
  await passDay()
  await prove()
  expect(await verifyFunds(await proofOf(id), keys, id)).toContain('0.50 available and 0.00 held are part of 31.20')
})

test('books that do not sum to zero are not signed, and a balance below zero cannot be written', async () => {
  await passDay()
  const raise = (by: number) => owner`
    update ledger_accounts set balance = balance + ${by} where organization_id = ${mine} and currency = 'EUR'
      and kind = 'available'`
  await raise(1)
  expect(await prove()).toMatchObject({ signed: 1, open: 1 })
  expect(await serviceFindings('reconciliation')).toEqual(['balance_of_books_not_zero EUR'])
  await raise(-1)
  expect(await prove()).toMatchObject({ signed: 1, open: 0 })
  expect(await serviceFindings('reconciliation')).toEqual([])
  await expect(raise(-100)).rejects.toThrow(/ledger_accounts_balance_check/)
})

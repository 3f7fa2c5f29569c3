import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Transfer,
  available,
  checkIntegrity,
  credit,
  debit,
  held,
  post,
  system,
} from '../../../services/ledger/ledger.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { asSystem, readerOf, sql } from '../../../db/postgres/sql.ts'
import { owner } from '../../support/database.ts'
import { modelRuns } from '../../support/model-runs.ts'

const usd = (amount: string) => ({ amount, currency: 'USD' })

async function newOrganization(): Promise<OrganizationId> {
  const [userId, id] = [randomUUID(), randomUUID()]
  await owner`insert into people (id, email, password_hash) values (${userId}, ${`${userId}@example.com`}, '')`
  await owner`insert into organizations (id, name, created_by) values (${id}, 'Ledger', ${userId})`
  return id as OrganizationId
}

const postAs = (organizationId: OrganizationId, transfers: Transfer[]) =>
  asSystem(organizationId, (tx) => post(tx, transfers))

const fundWith = (organizationId: OrganizationId, amount: string) =>
  postAs(organizationId, [
    {
      key: `fund:${randomUUID()}`,
      organizationId,
      legs: [debit(system('bank'), usd(amount)), credit(available(organizationId), usd(amount))],
    },
  ])

const pay = (from: OrganizationId, to: OrganizationId, amount: string, key = randomUUID()) =>
  postAs(from, [
    { key, organizationId: from, legs: [debit(available(from), usd(amount)), credit(available(to), usd(amount))] },
  ])

async function balancesOf(id: OrganizationId) {
  const rows = await owner<{ kind: string; balance: string }[]>`
    select kind, balance from ledger_accounts where organization_id = ${id}`
  return Object.fromEntries(rows.map((row) => [row.kind, row.balance]))
}

async function expectBooksInOrder(...ids: OrganizationId[]) {
  for (const id of ids) {
    const { violations } = await checkIntegrity(readerOf(id))
    // these tests post without feed rows; everything else must hold
    expect(violations.filter((violation) => violation.check !== 'feed_differs_from_ledger')).toEqual([])
  }
}

test('a posting says the balance of its account and the total of the organization after it', async () => {
  const id = await newOrganization()
  await fundWith(id, '100.00')
  const postings = await postAs(id, [
    {
      key: randomUUID(),
      organizationId: id,
      legs: [debit(available(id), usd('30.00')), credit(held(id), usd('30.00'))],
    },
  ])
  expect(postings.map(({ kind, amount, balance }) => ({ kind, amount, balance }))).toEqual(
    expect.arrayContaining([
      { kind: 'available', amount: '-30.00', balance: '70.00' },
      { kind: 'held', amount: '30.00', balance: '30.00' },
    ]),
  )
  expect(Number(postings.at(-1)?.total)).toBe(100)
})

test('20 posts of one key at once are one posting', async () => {
  const [a, b] = [await newOrganization(), await newOrganization()]
  await fundWith(a, '10.00')
  const key = randomUUID()
  const posted = await Promise.all(Array.from({ length: 20 }, () => pay(a, b, '4.00', key)))
  expect(posted.filter((postings) => postings.length > 0)).toHaveLength(1)
  expect(await balancesOf(b)).toMatchObject({ available: '4.00' })
})

test('an overdraft is refused from the locked balance with what there is and what it takes', async () => {
  const [a, b] = [await newOrganization(), await newOrganization()]
  await fundWith(a, '10.00')
  await expect(pay(a, b, '10.01')).rejects.toMatchObject({
    type: 'insufficient_funds',
    details: { available: usd('10.00'), required: usd('10.01') },
  })
  expect(await balancesOf(a)).toMatchObject({ available: '10.00' })
})

test('a transfer that does not sum to zero is no transfer', async () => {
  const [a, b] = [await newOrganization(), await newOrganization()]
  await fundWith(a, '10.00')
  const legs = [debit(available(a), usd('1.00')), credit(available(b), usd('1.01'))]
  await expect(postAs(a, [{ key: randomUUID(), organizationId: a, legs }])).rejects.toMatchObject({ code: 'BF002' })
})

test('a second post in one transaction is a bug, because crossing transactions would deadlock', async () => {
  const [a, b] = [await newOrganization(), await newOrganization()]
  await fundWith(a, '10.00')
  const transfer = (): Transfer => ({
    key: randomUUID(),
    organizationId: a,
    legs: [debit(available(a), usd('1.00')), credit(available(b), usd('1.00'))],
  })
  const twice = asSystem(a, async (tx) => {
    await post(tx, [transfer()])
    await post(tx, [transfer()])
  })
  await expect(twice).rejects.toThrow('called twice')
  expect(await balancesOf(a)).toMatchObject({ available: '10.00' })
})

test('entries and transfers are immutable, for the owner too', async () => {
  const a = await newOrganization()
  await fundWith(a, '10.00')
  await expect(owner`update ledger_entries set amount = 5 where organization_id = ${a}`).rejects.toThrow('append-only')
  await expect(owner`delete from ledger_transfers where organization_id = ${a}`).rejects.toThrow('append-only')
})

test('the application role cannot write to the ledger but through post()', async () => {
  await expect(sql`update ledger_accounts set balance = 1000000`).rejects.toMatchObject({ code: '42501' })
  await expect(sql`insert into ledger_entries default values`).rejects.toMatchObject({ code: '42501' })
  await expect(sql`truncate ledger_transfers`).rejects.toMatchObject({ code: '42501' })
})

test('crossing payments A→B and B→A at 16 at once: no deadlock, no wrong running balance', async () => {
  const [a, b] = [await newOrganization(), await newOrganization()]
  await Promise.all([fundWith(a, '1000.00'), fundWith(b, '1000.00')])
  await Promise.all(
    Array.from({ length: 16 }, async (_, lane) => {
      for (let i = 0; i < 5; i += 1) await (lane % 2 ? pay(a, b, `${lane}.01`) : pay(b, a, `${lane + 1}.02`))
    }),
  )
  const [sum] = await owner<{ total: string }[]>`
    select sum(balance) as total from ledger_accounts where organization_id in ${owner([a, b])}`
  expect(sum?.total).toBe('2000.00')
  await expectBooksInOrder(a, b)
})

test('entries of an account stand in one order: posted_at never goes back as seq grows', async () => {
  const [a, b] = [await newOrganization(), await newOrganization()]
  await fundWith(a, '1000.00')
  await Promise.all(Array.from({ length: 40 }, () => pay(a, b, '1.00')))
  const disorder = await owner`
    select from (select e.posted_at, lag(e.posted_at) over (partition by e.account_id order by e.seq) as before
      from ledger_entries e where e.organization_id in ${owner([a, b])}) o where o.posted_at <= o.before`
  expect(disorder).toHaveLength(0)
})

test('any sequence of transfers keeps the books in order and no balance below zero', async () => {
  const ids = await Promise.all([newOrganization(), newOrganization(), newOrganization()])
  await Promise.all(ids.map((id) => fundWith(id, '50.00')))
  const step = fc.record({
    from: fc.integer({ min: 0, max: 2 }),
    to: fc.integer({ min: 0, max: 2 }),
    cents: fc.integer({ min: 1, max: 9000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await Promise.all(
        steps.map(async ({ from, to, cents }) => {
          const [payer, payee] = [ids[from], ids[to]]
          if (!payer || !payee || payer === payee) return
          await pay(payer, payee, (cents / 100).toFixed(2)).catch((error: { type?: string }) => {
            expect(error.type).toBe('insufficient_funds')
          })
        }),
      )
      const [row] = await owner<{ total: string; least: string }[]>`
        select sum(balance) as total, min(balance) as least from ledger_accounts where organization_id in ${owner(ids)}`
      expect(row?.total).toBe('150.00')
      expect(Number(row?.least)).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: modelRuns(10) },
  )
  await expectBooksInOrder(...ids)
})

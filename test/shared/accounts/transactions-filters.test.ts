/** Filters of the feed: each one, combinations and edges, against a plain implementation. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SEARCHED_PER_PAGE_MAX } from '../../../domain/accounts/transaction.ts'
import { type TestPerson, api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

type Row = {
  id: string
  type: string
  direction: string
  status: string
  amount: string
  currency: string
  counterparty: string | null
  description: string | null
  internal_notes: string | null
  category: string | null
  payment_contact_id: string | null
  occurred_at: string
  posted_at: string | null
  seq: number
}

const contacts = [randomUUID(), randomUUID()]
const DAY_MS = 86_400_000
const START = Date.parse('2026-03-01T00:00:00Z')

/** A row whose instants fall on the edges of days as often as between them. */
const anyRow = fc.record({
  type: fc.constantFrom('payment', 'deposit', 'swap', 'fee', 'reversal'),
  direction: fc.constantFrom('in', 'out'),
  status: fc.constantFrom('pending', 'posted', 'posted', 'posted'),
  amount: fc.constantFrom('0.01', '9.99', '10.00', '10.01', '250.00'),
  currency: fc.constantFrom('USD', 'EUR'),
  counterparty: fc.constantFrom(null, 'Alpha GmbH', 'beta', '100% Ölwerk_x'),
  description: fc.constantFrom(null, 'Invoice 7', 'RENT'),
  internal_notes: fc.constantFrom(null, 'ask alpha'),
  category: fc.constantFrom(null, 'Rent', 'Sales'),
  payment_contact_id: fc.constantFrom(null, ...contacts),
  day: fc.integer({ min: 0, max: 3 }),
  edge: fc.constantFrom(0, 1, DAY_MS / 2, DAY_MS - 1),
})

const rows: Row[] = fc.sample(anyRow, 120).map(({ day, edge, ...row }, index) => {
  const at = new Date(START + day * DAY_MS + edge).toISOString()
  return { id: randomUUID(), ...row, occurred_at: at, posted_at: row.status === 'posted' ? at : null, seq: index }
})

async function filled(all: readonly Row[]) {
  const boss = await person()
  const { id } = await organization(boss)
  const lines = all.map((row) => ({ ...row, organization_id: id, running_balance: row.posted_at ? 0 : null }))
  if (lines.length > 0) await owner`insert into transactions ${owner(lines)}`
  return { boss, id }
}
const { boss, id } = await filled(rows)

async function idsOf(by: TestPerson, organizationId: string, query: Record<string, string>, limit = 100) {
  const ids: string[] = []
  for (let cursor = ''; ;) {
    const text = new URLSearchParams({ ...query, limit: String(limit), ...(cursor && { cursor }) })
    const path = `/organizations/${organizationId}/transactions?${text.toString()}`
    const answer = await api('GET', path, { token: by.token })
    expect(answer.status).toBe(200)
    ids.push(...answer.body.data.map((row: Row) => row.id))
    if (!answer.body.has_more) return ids
    cursor = answer.body.next_cursor
  }
}

const sinceOf = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text)
const untilOf = (text: string): number => (text.length === 10 ? sinceOf(text) + DAY_MS - 0.001 : Date.parse(text))
const FITS: Record<string, (row: Row, value: string) => boolean> = {
  type: (row, value) => row.type === value,
  direction: (row, value) => row.direction === value,
  status: (row, value) => row.status === value,
  currency: (row, value) => row.currency === value,
  category: (row, value) => row.category === value,
  payment_contact_id: (row, value) => row.payment_contact_id === value,
  amount_min: (row, value) => Number(row.amount) >= Number(value),
  amount_max: (row, value) => Number(row.amount) <= Number(value),
  from: (row, value) => Date.parse(row.posted_at ?? row.occurred_at) >= sinceOf(value),
  to: (row, value) => Date.parse(row.posted_at ?? row.occurred_at) <= untilOf(value),
  q: (row, value) =>
    [row.counterparty, row.description, row.internal_notes, row.category]
      .filter((text) => text !== null)
      .join(' ')
      .toLowerCase()
      .includes(value.toLowerCase()),
}

/** Pending first, then as the ledger has it, the newest first. */
const newestFirst = (a: Row, b: Row): number => {
  const [x, y] = [a, b].map(({ posted_at: at }) => (at ? Date.parse(at) : Infinity)) as [number, number]
  return x === y ? b.seq - a.seq : x < y ? 1 : -1
}
const expected = (query: Record<string, string>): string[] =>
  rows
    .filter((row) => Object.entries(query).every(([name, value]) => FITS[name]?.(row, value)))
    .toSorted(newestFirst)
    .map((row) => row.id)

const VALUES: Record<string, readonly string[]> = {
  type: ['payment', 'fee', 'refund'],
  direction: ['in', 'out'],
  status: ['pending', 'posted'],
  currency: ['USD', 'EUR', 'JPY'],
  category: ['Rent', 'rent', 'Sales'],
  payment_contact_id: [...contacts, randomUUID()],
  amount_min: ['10', '10.00', '10.005', '0'],
  amount_max: ['10', '9.995', '1000000'],
  from: ['2026-03-02', '2026-03-02T00:00:00.001Z', '2026-03-02T12:00:00+12:00', '2026-03-09'],
  to: ['2026-03-02', '2026-03-02T23:59:59.999Z', '2026-03-03T00:00:00Z', '2026-02-28'],
  q: ['alpha', 'INVOICE 7', '%', '_x', 'ölwerk', 'rent', 'a'],
}

const cases = Object.entries(VALUES).flatMap(([name, values]) => values.map((value) => [name, value] as const))
test.each(cases)('the filter %s=%s, also at its edges', async (name, value) => {
  expect(await idsOf(boss, id, { [name]: value })).toEqual(expected({ [name]: value }))
})

test('any filters together, page by page, list each row that fits once, pending rows first', async () => {
  const query = fc.record(
    Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 1, max: 40 }), async (filters, limit) => {
      const asked = filters as Record<string, string>
      expect(await idsOf(boss, id, asked, limit)).toEqual(expected(asked))
    }),
    { numRuns: 40 },
  )
})

test('rows are found by what they are about', async () => {
  for (const name of ['payment_id', 'deposit_id', 'swap_id'])
    expect(await idsOf(boss, id, { [name]: randomUUID() })).toEqual([])
})

test('a search looks through a part of a long feed for each page, and says that there is more', async () => {
  const at = await filled([])
  await owner`
    insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance, posted_at,
      seq, counterparty)
    select gen_random_uuid(), ${at.id}, 'deposit', 'in', 'posted', 1, 'USD', i,
      '2026-05-01'::timestamptz + make_interval(secs => i), i, case i when 3 then 'Needle' else 'Hay' end
    from generate_series(1, ${SEARCHED_PER_PAGE_MAX + 10}) i`
  const path = `/organizations/${at.id}/transactions?q=needle`
  const first = (await api('GET', path, { token: at.boss.token })).body
  expect(first).toMatchObject({ data: [], has_more: true, next_cursor: expect.any(String) })
  const second = (await api('GET', `${path}&cursor=${first.next_cursor}`, { token: at.boss.token })).body
  expect(second).toMatchObject({ data: [{ counterparty: 'Needle' }], has_more: false, next_cursor: null })
  expect(await idsOf(at.boss, at.id, { q: 'needle', type: 'deposit' })).toHaveLength(1)
})

/** Snapshots and tries of exports, without a worker: each step is the test's. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { csvOf } from '../../../documents/statements/csv.ts'
import { type Try, beginTry, completeExport, noteFailedTry, noteProgress } from '../../../services/exports/steps.ts'
import { type ReportTry, withReport } from '../../../services/exports/report.ts'
import { newKey, put } from '../../../platform/storage/storage.ts'
import { type Report, TRANSACTION_COLUMNS } from '../../../domain/exports/report.ts'
import type { ExportId, OrganizationId, UserId } from '../../../domain/ids.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { api, approve, createPayment, fund, organization, payerAndPayee, person } from '../../support/api.ts'
import { readCsv } from '../../support/exports/csv.ts'
import { owner } from '../../support/database.ts'
import { readExport, requestExport } from '../../support/exports/exports.ts'
import { allocate, received, seller, sentInvoice, takeBack } from '../../support/invoices/allocations.ts'
import { readInvoice } from '../../support/invoices/invoices.ts'
import { longFeed } from '../../support/ledger/long-feed.ts'
import { whole } from '../../support/exports/reports.ts'
import { everyNth } from '../../support/model-runs.ts'

const { boss, payer, contactId } = await payerAndPayee('1000.00')
const own = payer.id as OrganizationId

const wanted = (type: ReportTry['type'], more: Partial<ReportTry> = {}): ReportTry => ({
  id: randomUUID() as ExportId,
  fileId: randomUUID() as Try['fileId'],
  number: 1,
  type,
  format: 'csv',
  from: '2026-01-01',
  to: '2035-12-31',
  currency: null,
  userId: boss.userId as UserId,
  ownOnly: false,
  ...more,
})
const csv = async (report: Report): Promise<string[][]> => readCsv(await whole(csvOf(report))).slice(1)
const closing = (rows: string[][]) => rows.filter(([line]) => line === 'closing_balance').map((row) => row.at(-1))

test('rows, running balances and both ends are of one instant, however much is paid while they are written', async () => {
  const rows = await withReport(own, wanted('balance_statement'), async (report) => {
    await fund(payer.id, '7.00')
    await approve(boss, await createPayment(boss, contactId, '1.00'))
    return csv(report)
  })
  expect(rows.map((row) => row.at(-1))).toEqual(['0.00', '1000.00', '1000.00'])
  expect(closing(await withReport(own, wanted('balance_statement'), csv))).toEqual(['1006.00'])
})

test('a row names the invoices that it pays, and none that was taken back', async () => {
  const at = await seller(boss)
  const [one, other] = [await sentInvoice(at, '20'), await sentInvoice(at, '20')]
  const money = await received(at, '30.00')
  const numbers = async () => {
    const rows = await withReport(at.id as OrganizationId, wanted('transactions'), csv)
    return rows.filter(([id]) => id === money).map((row) => row[18])
  }
  expect(await numbers()).toEqual([''])
  await allocate(boss, one.id, money, '20')
  const { body } = await allocate(boss, other.id, money, '10')
  const [first, second] = [await readInvoice(boss, one.id), await readInvoice(boss, other.id)]
  expect(await numbers()).toEqual([`${first.number}, ${second.number}`])
  await takeBack(boss, other.id, body.id)
  expect(await numbers()).toEqual([first.number])
})

test('a statement whose lines do not lead from the one balance to the other is not made', async () => {
  const [broken, somebody] = [await organization(boss), await person()]
  await fund(broken.id, '5.00')
  await owner`
    insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance, created_by,
      posted_at, seq)
    values (${randomUUID()}, ${broken.id}, 'deposit', 'in', 'posted', 1, 'USD', 6, ${somebody.userId}, business_now(), 9)`
  const made = withReport(broken.id as OrganizationId, wanted('balance_statement'), csv)
  await expect(made).rejects.toThrow('do not add up in USD')
})

const feedOf = async (rows: number) => (await longFeed(boss, rows)) as OrganizationId

test('every row of a long feed is there once, in its order, and those that are pending come last', async () => {
  const id = await feedOf(12_001)
  const rows = await withReport(id, wanted('transactions'), csv)
  expect(rows.map((row) => Number(row[9]))).toEqual(Array.from({ length: 12_001 }, (_, index) => index + 1))
  expect(rows.slice(-4).map((row) => [row[1] !== '', row[7]])).toEqual([
    [true, '11998.00'],
    ...Array.from({ length: 3 }, () => [false, '']),
  ])
  const counts = await withReport(id, wanted('transactions'), ({ sections }) =>
    Promise.all(sections.map(({ rows: of }) => of())),
  )
  expect(counts).toEqual([12_001])
})

test('a page of exactly as many rows as are read at once is followed by the rest, or by nothing', async () => {
  for (const count of everyNth([5003, 10_003], 2)) {
    const rows = await withReport(await feedOf(count), wanted('transactions'), csv)
    expect(rows).toHaveLength(count)
  }
})

test('long notes, and text that has what ends cells and rows between Postgres and us, are whole on whichever page', async () => {
  const id = await feedOf(5503)
  await owner`update transactions set counterparty = ${'a\u001fb\u001ec'}
    where organization_id = ${id} and seq in (300, 5000, 5400)`
  await owner`update transactions set internal_notes = repeat('ß', 2001) where organization_id = ${id} and seq in (299, 5002)`
  const rows = await withReport(id, wanted('transactions'), csv)
  expect(rows.filter((row) => row[8] === 'abc').map((row) => row[9])).toEqual(['300', '5000', '5400'])
  expect(rows.filter((row) => row[11]).map((row) => [row[9], row[11]?.length])).toEqual([
    ['299', 2001],
    ['5002', 2001],
  ])
  expect(rows.every((row) => row.length === TRANSACTION_COLUMNS.length)).toBe(true)
  expect(rows.map((row) => Number(row[9]))).toEqual(Array.from({ length: 5503 }, (_, index) => index + 1))
})

test('a statement as camt.053 is refused as long as an account in coins has something to say, and none is left out', async () => {
  const { id } = await organization(boss)
  await fund(id, '5.00')
  const order = { type: 'balance_statement', format: 'camt053' }
  expect((await requestExport(boss, id, order)).status).toBe(201)
  await fund(id, '0.001', 'BTC', 'crypto')
  const details = { format: 'camt053', coins: ['BTC'], supported: ['csv', 'xlsx', 'pdf'] }
  const { error } = (await requestExport(boss, id, order)).body
  expect(error).toMatchObject({ type: 'format_not_supported', details })
  expect((await requestExport(boss, id, { ...order, currency: 'USD' })).status).toBe(201)
  expect((await requestExport(boss, id, { ...order, to: '2026-01-01' })).status).toBe(201)
})

test('exports are listed newest first, page by page', async () => {
  const { id } = await organization(boss)
  const list = async (query = '') => {
    const { body } = await api('GET', `/organizations/${id}/exports?${query}`, { token: boss.token })
    return { ...body, data: body.data.map(({ id: one }: { id: string }) => one) }
  }
  const made: string[] = []
  for (let i = 0; i < 3; i += 1)
    made.unshift((await requestExport(boss, id, { type: 'expenses', format: 'csv' })).body.id)
  const first = await list('limit=2')
  expect(first).toEqual({ data: made.slice(0, 2), has_more: true, next_cursor: expect.any(String) })
  const rest = { data: made.slice(2), has_more: false, next_cursor: null }
  expect(await list(`limit=2&cursor=${first.next_cursor}`)).toEqual(rest)
})

test('more than a PDF can hold is refused before it is begun', async () => {
  const id = await feedOf(20_004)
  const { error } = (await requestExport(boss, id, { type: 'transactions', format: 'pdf' })).body
  expect(error).toMatchObject({ type: 'range_too_long', details: { max_rows: 20_000 } })
  expect((await requestExport(boss, id, { type: 'transactions', format: 'csv' })).status).toBe(201)
})

const begun = async () => {
  const { body } = await requestExport(boss, payer.id, { type: 'transactions', format: 'csv' })
  const begin = () => asSystem(own, (tx) => beginTry(tx, body.id))
  return { id: body.id as string, begin, read: async () => (await readExport(boss, body.id)).body }
}
async function* bytesOf(attempt: Try) {
  yield Buffer.from(attempt.fileId)
}
const written = async (attempt: Try) => {
  const key = newKey(attempt.fileId)
  return { key, ...(await put(key, bytesOf(attempt))), rows: 3 }
}

test('a try that a later one has followed completes nothing, says nothing, and fails nothing', async () => {
  const { begin, read } = await begun()
  const [early, late] = [await begin(), await begin()]
  if (!early || !late) throw new Error('a try was not begun')
  expect(early.fileId).not.toBe(late.fileId)
  await asSystem(own, (tx) => noteProgress(tx, late, { processed: 1, total: 3 }))
  const file = await written(early)
  await asSystem(own, (tx) => completeExport(tx, early, file))
  await asSystem(own, (tx) => noteProgress(tx, early, { processed: 2, total: 9 }))
  await asSystem(own, (tx) => noteFailedTry(tx, early, { failure: 'internal_error' }))
  expect(await read()).toMatchObject({ status: 'pending', rows_processed: 1, rows_total: 3 })
  const whole = await written(late)
  for (const _ of [1, 2]) await asSystem(own, (tx) => completeExport(tx, late, whole))
  expect(await read()).toMatchObject({ status: 'completed', rows_processed: 3, rows_total: 3 })
  expect(await begin()).toBeNull()
  const [kept] = await owner`select id from files where owner_id = ${(await read()).id} and stored_as is not null`
  expect(kept?.['id']).toBe(late.fileId)
})

test('an export whose tries all end nowhere, as if each had killed its worker, is given up', async () => {
  const { begin, read } = await begun()
  for (let number = 1; number <= 6; number += 1) expect(await begin()).toMatchObject({ number })
  expect(await begin()).toBeNull()
  const failure = { code: 'interrupted', message: expect.stringContaining('choose a shorter time') }
  expect(await read()).toMatchObject({ status: 'failed', failure })
})

test('how many rows are written never becomes less, whatever becomes of tries', async () => {
  const { id, begin, read } = await begun()
  const seen: number[][] = []
  const look = async () => {
    const { rows_processed: processed, rows_total: total } = await read()
    seen.push([processed, total])
  }
  await look()
  for (const processed of [250, 1000, 500, 1250]) {
    const attempt = (await begin()) ?? expect.fail('a try was not begun')
    await look()
    for (const rows of [250, processed]) {
      await asSystem(own, (tx) => noteProgress(tx, attempt, { processed: rows, total: 2000 }))
      await look()
    }
    await asSystem(own, (tx) => noteFailedTry(tx, attempt, { failure: 'internal_error', forGood: processed === 1000 }))
    if (processed === 1000) await api('POST', `/exports/${id}/retry`, { token: boss.token, body: {} })
    await look()
  }
  const rising = (column: 0 | 1) => seen.map((pair) => pair[column] ?? 0)
  for (const column of [0, 1] as const) expect(rising(column)).toEqual(rising(column).toSorted((a, b) => a - b))
  expect(seen.at(-1)).toEqual([1250, 2000])
})

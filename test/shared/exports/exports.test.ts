import { expect, test } from 'vitest'
import { purgeFiles } from '../../../services/files/purge.ts'
import {
  type TestPerson,
  api,
  approve,
  createPayment,
  fund,
  join,
  organization,
  payerAndPayee,
  person,
} from '../../support/api.ts'
import { readCsv } from '../../support/exports/csv.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { sessionOf } from '../../support/identity/devices.ts'
import { becomes, exported, fetched, readExport, requestExport, retryExport } from '../../support/exports/exports.ts'
import { here } from '../../support/files/files.ts'
import { advance } from '../../support/identity/identity.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, payer, payee, contactId } = await payerAndPayee('1000.00')
await fund(payer.id, '50.00', 'EUR')
const [admin, member] = [await person({ authenticator: true }), await person()]
await join(payer.id, admin, 'admin')
await join(payer.id, member, 'member')
for (const amount of ['10.00', '20.50']) await approve(boss, await createPayment(boss, contactId, amount))

const NO_LINK = { status: 'completed', download_url: null, expires_at: null }
const list = (by: TestPerson) => api('GET', `/organizations/${payer.id}/exports`, { token: by.token })
const feed = async (query = '') => {
  const { body } = await api('GET', `/organizations/${payer.id}/transactions?limit=100&${query}`, { token: boss.token })
  return body.data as Record<string, any>[]
}

test('an export is pending when it is made, and then a file under its name, with a link that is good for 15 minutes', async () => {
  const { status, body } = await requestExport(boss, payer.id, { type: 'transactions', format: 'csv' })
  expect(status).toBe(201)
  const [id, inserted_at] = [expect.any(String), expect.any(String)]
  const range = { from: '2026-01-01', to: '2035-12-31', currency: null, sample: null }
  const order = { type: 'transactions', format: 'csv', filename: 'transactions_2026-01-01_2035-12-31.csv', ...range }
  const nothing = { rows_processed: 0, rows_total: null, failure: null, download_url: null, expires_at: null }
  expect(body).toEqual({ id, organization_id: payer.id, status: 'pending', ...order, ...nothing, inserted_at })
  const done = await becomes(boss, body.id, 'completed')
  expect(done).toMatchObject({ rows_processed: 4, rows_total: 4 })
  const [clock] = await owner<{ now: string }[]>`select business_now() as now`
  const minutes = (Date.parse(done.expires_at) - Date.parse(clock?.now ?? '')) / 60_000
  expect([Math.round(minutes), done.download_url.startsWith('http')]).toEqual([15, true])
  const file = await fetched(done.download_url)
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toMatch(
    /^attachment; filename="transactions_2026-01-01_2035-12-31.csv"/,
  )
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
})

test('transactions as CSV are the feed, oldest first, as the API answers it', async () => {
  const [header = [], ...rows] = readCsv(await exported(boss, payer.id, { type: 'transactions', format: 'csv' }))
  const told = rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] || null])))
  const listed = (await feed()).toReversed().map((one) => ({
    ...Object.fromEntries(header.map((name) => [name, one[name] ?? null])),
    counterparty_account: one['type'] === 'payment' ? payee.svcId : null,
    labels: null,
    amount: one['amount'].amount,
    currency: one['amount'].currency,
    running_balance: one['running_balance'].amount,
  }))
  expect(told).toEqual(listed)
})

test('a range and a currency choose the same rows as in the list', async () => {
  const [first, , last] = (await feed('currency=USD')).toReversed()
  const order = { type: 'transactions', format: 'csv', currency: 'USD' }
  const idsIn = async (range: { from?: string; to?: string }) =>
    readCsv(await exported(boss, payer.id, { ...order, ...range }))
      .slice(1)
      .map(([id]) => id)
  const between = { from: first?.['posted_at'] as string, to: last?.['posted_at'] as string }
  const listed = await feed(`currency=USD&from=${between.from}&to=${between.to}`)
  expect(await idsIn(between)).toEqual(listed.map(({ id }) => id).toReversed())
  expect(await idsIn({ from: '2026-01-01', to: '2026-01-01' })).toEqual([])
})

test('a statement leads from balance to balance of each currency, and is written in each format', async () => {
  const type = 'balance_statement'
  const rows = readCsv(await exported(boss, payer.id, { type, format: 'csv' })).slice(1)
  expect(rows.map(([line, currency, , , , , , ...money]) => [line, currency, ...money.slice(0, 3)])).toEqual([
    ['opening_balance', 'EUR', '', '', '0.00'],
    ['transaction', 'EUR', '50.00', '', '50.00'],
    ['closing_balance', 'EUR', '', '', '50.00'],
    ['opening_balance', 'USD', '', '', '0.00'],
    ['transaction', 'USD', '1000.00', '', '1000.00'],
    ['transaction', 'USD', '', '10.00', '990.00'],
    ['transaction', 'USD', '', '20.50', '969.50'],
    ['closing_balance', 'USD', '', '', '969.50'],
  ])
  for (const [format, said] of [
    ['xlsx', 'xl/worksheets/sheet1.xml'],
    ['pdf', '%PDF-1'],
    ['camt053', '<Sum>1030.50</Sum>'],
    ['camt054', 'camt.054.001.08'],
    ['mt940', 'USD969,50'],
    ['ofx', '<BALAMT>969.50'],
  ] as const)
    expect((await exported(boss, payer.id, { type, format })).toString('latin1'), format).toContain(said)
  const again = (await exported(boss, payer.id, { type, format: 'mt940' })).toString('latin1')
  expect(again.match(/:28C:.*/g)).toEqual([':28C:2/1', ':28C:2/1']) // the second statement of each account
  const later = readCsv(await exported(boss, payer.id, { type, format: 'csv', from: '2035-01-01', currency: 'USD' }))
  expect(later.slice(1).map((row) => [row[0], row[9]])).toEqual([
    ['opening_balance', '969.50'],
    ['closing_balance', '969.50'],
  ])
  const unused = readCsv(await exported(boss, payer.id, { type, format: 'csv', currency: 'CHF' }))
  expect(unused.slice(1).map((row) => [row[0], row[9]])).toEqual([
    ['opening_balance', '0.00'],
    ['closing_balance', '0.00'],
  ])
})

test('nobody but its creator sees an export: not an owner, nor who is of another organization', async () => {
  const { body } = await requestExport(admin, payer.id, { type: 'expenses', format: 'csv' })
  const done = await becomes(admin, body.id, 'completed')
  expect(readCsv((await fetched(done.download_url)).bytes)).toHaveLength(1)
  const stranger = await person()
  await organization(stranger)
  for (const somebody of [boss, member, stranger]) {
    expect((await readExport(somebody, body.id)).status).toBe(404)
    expect((await retryExport(somebody, body.id)).status).toBe(404)
  }
  expect((await list(admin)).body.data.map(({ id }: { id: string }) => id)).toEqual([body.id])
  const seen = (await list(boss)).body.data as { id: string; download_url: string | null }[]
  expect(seen.every(({ id }) => id !== body.id)).toBe(true)
  expect(seen.length).toBeGreaterThan(0)
})

test('who lists only their own transactions gets only those, and no statement', async () => {
  const refused = await requestExport(member, payer.id, { type: 'balance_statement', format: 'pdf' })
  expect(refused.body.error.details).toEqual({ permission: 'transactions.list_all' })
  await owner`update transactions set created_by = ${member.userId} where organization_id = ${payer.id} and amount = 20.5`
  const rows = readCsv(await exported(member, payer.id, { type: 'transactions', format: 'csv' })).slice(1)
  expect(rows.map((row) => row[5])).toEqual(['20.50'])
})

test('who may not see everything any more gets no link to what they made of it', async () => {
  const { body } = await requestExport(admin, payer.id, { type: 'transactions', format: 'csv' })
  await becomes(admin, body.id, 'completed')
  await owner`update members set role = 'member' where organization_id = ${payer.id} and user_id = ${admin.userId}`
  expect((await readExport(admin, body.id)).body).toMatchObject(NO_LINK)
  expect((await list(admin)).body.data[0]).toMatchObject({ id: body.id, download_url: null })
  await owner`update members set role = 'admin' where organization_id = ${payer.id} and user_id = ${admin.userId}`
  expect((await readExport(admin, body.id)).body.download_url).toContain('http')
})

test('what does not exist in a format, and too long a time, are refused', async () => {
  for (const [order, type] of [
    ...['camt053', 'camt054', 'mt940', 'ofx'].flatMap(
      (format) =>
        [
          [{ type: 'transactions', format }, 'format_not_supported'],
          [{ type: 'expenses', format }, 'format_not_supported'],
          [{ type: 'balance_statement', format, currency: 'BTC' }, 'format_not_supported'],
        ] as const,
    ),
    [{ type: 'balance_statement', format: 'csv', currency: 'XXX' }, 'unsupported_currency'],
    [{ type: 'transactions', format: 'csv', from: '2016-01-01', to: '2026-01-01' }, 'range_too_long'],
  ] as const) {
    const { error } = (await requestExport(boss, payer.id, order)).body
    expect(error.type, JSON.stringify(order)).toBe(type)
  }
  const tenYears = { type: 'expenses', format: 'pdf', from: '2016-01-02', to: '2026-01-01' }
  expect((await requestExport(boss, payer.id, tenYears)).status).toBe(201)
})

test('what no try can write fails at once, and says why', async () => {
  const { id } = await organization(boss)
  for (let times = 1; times <= 2; times += 1) await fund(id, '999999999999999.0000', 'CLF')
  const { body } = await requestExport(boss, id, { type: 'balance_statement', format: 'camt053' })
  const failure = { code: 'amount_too_large', message: expect.stringContaining('choose another format') }
  expect(await becomes(boss, body.id, 'failed')).toMatchObject({ failure })
  const [row] = await owner<{ tries: number }[]>`select tries from exports where id = ${body.id}`
  expect(row?.tries).toBe(1)
  expect((await requestExport(boss, id, { type: 'balance_statement', format: 'csv' })).status).toBe(201)
})

test('a link past its time is 410, each reading has a fresh one, and after 30 days there is no file', async () => {
  const { body } = await requestExport(boss, payer.id, { type: 'transactions', format: 'csv' })
  const { download_url: first } = await becomes(boss, body.id, 'completed')
  await advance(15 * 60 + 1)
  const late = await fetch(here(first))
  expect(refusal({ status: late.status, body: await late.json() })).toEqual([410, 'export_expired'])
  const { download_url: second } = (await readExport(boss, body.id)).body
  expect((await fetched(second)).status).toBe(200)
  await advance(30 * 24 * 3600)
  const { token } = await sessionOf(boss)
  expect((await readExport({ ...boss, token }, body.id)).body).toMatchObject(NO_LINK)
  expect((await fetch(here(second))).status).toBe(410)
  await purgeFiles()
  expect(await owner`select id from files where owner_id = ${body.id}`).toEqual([])
})

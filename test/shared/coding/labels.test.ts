/** Labels of payments and transactions: given, changed, listed by and exported, beside the coding of paid bills. */
import { expect, test } from 'vitest'
import { api, approve } from '../../support/api.ts'
import { typedBill } from '../../support/bills/bills.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { fund, createPayment, payerAndPayee } from '../../support/api.ts'
import { readCsv } from '../../support/exports/csv.ts'
import { exported } from '../../support/exports/exports.ts'
import { refusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become } from '../../support/payments/payouts.ts'
import { execute, executed, quoteOf } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const label = (value: string, dimension = 'department') => ({ dimension, value })
const AREAS = [
  { code: 'department', name: 'Department', values: [{ code: 'sales', name: 'Sales' }, { code: 'it', name: 'IT' }] },
] // prettier-ignore

const at = { ...(await contactWith([{ ...BANK, swift_code: 'BYLADEM1001' }])), rail: 'fiat' as const }
const { token } = at.boss
const org = `/organizations/${at.payer.id}`
await fund(at.payer.id, '500.00', 'EUR')
await api('PUT', `${org}/dimensions`, { token, body: { dimensions: AREAS } })

const listed = async (path: string): Promise<any[]> => (await api('GET', `${org}/${path}`, { token })).body.data
const patch = (path: string, body: object) => api('PATCH', path, { token, body })
async function rowOf(paymentId: string) {
  const [header = [], ...rows] = readCsv(await exported(at.boss, at.payer.id, { type: 'transactions', format: 'csv' }))
  const records = rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]])))
  expect(header.slice(-4)).toEqual(['account_code', 'tax_code', 'labels', 'external_id'])
  return records.find((row) => row['payment_id'] === paymentId && row['type'] === 'payment') ?? {}
}
const quoted = async () => (await quoteOf(at.boss, at.contact, { amount: '10.00', currency: 'EUR' })).quote_id

test('labels of a payment are its own until they are changed, filter lists, and are those of its transaction', async () => {
  const payment = await executed(at.boss, await quoted(), { labels: [label('sales')], external_id: 'PO-7' })
  expect(payment.labels).toEqual([label('sales')])
  await approve(at.boss, payment)
  await become(at, payment, 'succeeded')
  const other = await executed(at.boss, await quoted())
  expect(other.labels).toEqual([])
  const ids = async (path: string) => (await listed(path)).map(({ id }) => id)
  expect(await ids('payments?label=department:sales')).toEqual([payment.id])
  expect(await ids('payments?label=department:it')).toEqual([])
  const [own] = await listed(`transactions?payment_id=${payment.id}&type=payment`)
  expect(own.labels).toEqual([label('sales')])
  expect(await ids('transactions?label=department:sales&type=payment')).toEqual([own.id])
  expect(await rowOf(payment.id)).toMatchObject({
    account_code: '',
    tax_code: '',
    labels: 'department:sales',
    external_id: 'PO-7',
  })

  expect((await patch(`/transactions/${own.id}`, { labels: [label('it')] })).body.labels).toEqual([label('it')])
  expect(await ids('transactions?label=department:it')).toEqual([own.id])
  expect(await ids(`transactions?label=department:sales&payment_id=${payment.id}&type=payment`)).toEqual([])
  expect((await rowOf(payment.id))['labels']).toBe('department:it')
  expect((await patch(`/payments/${payment.id}`, { labels: [] })).body.labels).toEqual([])
  expect(await ids('payments?label=department:sales')).toEqual([])
  const changes = await owner`select payload::jsonb as payload from events where subject_id = ${payment.id} and type = 'payment.updated'` // prettier-ignore
  expect(changes).toEqual([{ payload: { changed: ['labels'], labels: [] } }])
  expect((await api('GET', `${org}/payments?label=none`, { token })).status).toBe(400)
})

test('labels that are not there, archived or of one dimension twice are refused, and the payee sees none', async () => {
  const wrong = async (...labels: object[]) => refusal(await execute(at.boss, await quoted(), { labels }))
  expect(await wrong(label('none'))).toEqual([422, 'invalid_coding'])
  expect(await wrong(label('sales', 'none'))).toEqual([422, 'invalid_coding'])
  expect(await wrong(label('sales'), label('it'))).toEqual([400, 'invalid_request'])
  const pair = await payerAndPayee('50.00')
  await api('PUT', `/organizations/${pair.payer.id}/dimensions`, {
    token: pair.boss.token,
    body: { dimensions: AREAS },
  })
  const payment = await createPayment(pair.boss, pair.contactId)
  await api('PATCH', `/payments/${payment.id}`, { token: pair.boss.token, body: { labels: [label('it')] } })
  await approve(pair.boss, payment)
  const received = await api('GET', `/organizations/${pair.payee.id}/transactions?type=payment`, { token: pair.payeeBoss.token }) // prettier-ignore
  expect(received.body.data.map((one: any) => one.labels)).toEqual([[]])
})

test('the row of a paid bill has its codes, with amounts where a bill is split', async () => {
  const accounts = ['4900', '4930'].map((code) => ({ code, name: code, account_type: 'expense' }))
  await api('PUT', `${org}/accounts-chart`, { token, body: { accounts, tax_codes: [{ code: 'VSt19', name: '19 %', rate: '19' }] } }) // prettier-ignore
  const payment = await executed(at.boss, await quoted())
  await approve(at.boss, payment)
  await become(at, payment, 'succeeded')
  const { id } = await typedBill(at.boss, at.payer.id, { amount: '10.00', bill_number: 'R-9' })
  await owner`update transactions set bill_id = ${id} where payment_id = ${payment.id}`
  const taxed = { tax_code: 'VSt19', labels: [label('it')] }
  const code = (parts: object[]) => api('PUT', `/bills/${id}/coding`, { token, body: { lines: [{ line: 1, parts }] } })
  const split = [{ share: '60', account_code: '4900', ...taxed }, { share: '40', account_code: '4930', ...taxed }] // prettier-ignore
  expect((await code(split)).status).toBe(200)
  const expected = { account_code: '4900 6.00, 4930 4.00', tax_code: 'VSt19', labels: 'department:it' }
  expect(await rowOf(payment.id)).toMatchObject(expected)
  await owner`update bills set amount = 11 where id = ${id}`
  expect(await rowOf(payment.id)).toMatchObject({ account_code: '', tax_code: '', labels: '' })
})

test('labels whose codes have a colon are told apart', async () => {
  const colons = [
    { code: 'a', name: 'A', values: [{ code: 'b:c', name: 'B:C' }] },
    { code: 'a:b', name: 'A:B', values: [{ code: 'c', name: 'C' }] },
  ]
  await api('PUT', `${org}/dimensions`, { token, body: { dimensions: colons } })
  const first = await executed(at.boss, await quoted(), { labels: [label('b:c', 'a')] })
  const second = await executed(at.boss, await quoted(), { labels: [label('c', 'a:b')] })
  const ids = async (text: string) => (await listed(`payments?label=${encodeURIComponent(text)}`)).map(({ id }) => id)
  expect(await ids('a:b:c')).toEqual([first.id])
  expect(await ids(String.raw`a\:b:c`)).toEqual([second.id])
})

/** Paid bills in the books: under their own numbers, and each once. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { numberInBooks } from '../../../activities/accounting/documents.ts'
import type { BillItem } from '../../../services/accounting/items.ts'
import { connectBooks, idle, mapped, synced } from '../../support/accounting/accounting.ts'
import { api, approve, fund, organization, person } from '../../support/api.ts'
import { OTHER_IBAN, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })

/** Pays these bills, and connects empty books. */
async function paid(bills: readonly object[]) {
  const { id } = await organization(boss)
  await fund(id, '100.00', 'EUR')
  const ids: string[] = []
  for (const more of bills) {
    const bill = await typedBill(boss, id, more)
    const { body: requested } = await requestPayment(boss, bill.id)
    await approve(boss, requested)
    await until('the bill is paid', async () => {
      const [row] = await owner`select status from payments where id = ${requested.fiat_outgoing_id}`
      return row?.['status'] === 'succeeded'
    })
    ids.push(bill.id)
  }
  const { tenant_id: tenantId } = await connectBooks(boss, id)
  await idle(boss, id)
  await mapped(boss, id)
  return { id, tenantId, ids }
}

type Posted = { readonly [member in 'InvoiceNumber' | 'Status']: string } & {
  readonly Total: number
  readonly Contact: { readonly Name: string }
}
/** Bills and invoices of the books, all of them. */
const invoicesIn = async (tenantId: string): Promise<Posted[]> =>
  (
    await owner<{ body: Posted }[]>`
    select body from sandbox_accounting_items where tenant_id = ${tenantId} and type = 'Invoices' order by seq`
  ).map(({ body }) => body)

/** Deletes the records of posts, as after a crash before them. Xero forgets its keys, as after six minutes. */
async function forget(organizationId: string, tenantId: string): Promise<void> {
  await owner`delete from accounting_items where organization_id = ${organizationId}`
  await owner`update accounting_connections set synced_to = null where organization_id = ${organizationId}`
  await owner`delete from sandbox_accounting_answers where tenant_id = ${tenantId}`
}

const ALPHA = { amount: '7.00', bill_number: 'R-1', supplier_name: 'Alpha GmbH', supplier_tax_id: 'DE136695976' }
const BETA = { ...ALPHA, amount: '8.00', supplier_name: 'Beta Ltd', supplier_tax_id: 'GB980780684', iban: OTHER_IBAN }

test('bills of one number from two suppliers are both posted, each once, also after a death before the record', async () => {
  const { id, tenantId } = await paid([ALPHA, BETA])
  // a page of bills of this number, which other people have typed in
  await owner`
    insert into sandbox_accounting_items (tenant_id, id, type, body)
    select ${tenantId}, n.id, 'Invoices', jsonb_build_object('InvoiceID', n.id, 'Type', 'ACCPAY', 'InvoiceNumber', 'R-1',
      'Status', 'PAID', 'Contact', jsonb_build_object('Name', 'Gamma'),
      'LineItems', jsonb_build_array(jsonb_build_object('Description', 'Typed in')))
    from (select gen_random_uuid() as id from generate_series(1, 100)) n`
  const listed = async () =>
    (await invoicesIn(tenantId))
      .filter(({ Contact }) => Contact.Name !== 'Gamma')
      .map((one) => [one.InvoiceNumber, one.Contact.Name, one.Total, one.Status].join(' '))
      .toSorted()
  const both = ['R-1 Alpha GmbH 7 PAID', 'R-1 Beta Ltd 8 PAID']
  expect(await synced(boss, id)).toMatchObject({ failed: 0, skipped: 0 })
  expect(await listed()).toEqual(both)
  await forget(id, tenantId)
  expect(await synced(boss, id)).toMatchObject({ failed: 0, skipped: 0 })
  expect(await listed()).toEqual(both)
})

test('a bill that an earlier release has put under our id is found, and one without a number has our id', async () => {
  const { id, tenantId, ids } = await paid([ALPHA])
  await synced(boss, id)
  await owner`
    update sandbox_accounting_items
    set body = body || jsonb_build_object('InvoiceNumber', ${ids[0]!}::text, 'LineItems',
      jsonb_build_array((body -> 'LineItems' -> 0) || '{"Description": "Bill R-1"}'))
    where tenant_id = ${tenantId} and type = 'Invoices'`
  await forget(id, tenantId)
  expect(await synced(boss, id)).toMatchObject({ failed: 0, skipped: 0 })
  expect((await invoicesIn(tenantId)).map((one) => [one.InvoiceNumber, one.Status])).toEqual([[ids[0], 'PAID']])
})

test('a number that people have used before us is no bill of ours, which is posted beside it', async () => {
  const { id, tenantId } = await paid([ALPHA])
  const typedIn = randomUUID()
  await owner`
    insert into sandbox_accounting_items (tenant_id, id, type, body)
    select ${tenantId}, ${typedIn}, 'Invoices', jsonb_build_object('InvoiceID', ${typedIn}::text, 'Type', 'ACCPAY',
      'InvoiceNumber', 'R-1', 'Status', 'AUTHORISED', 'Total', 7, 'Contact', jsonb_build_object('Name', 'Alpha GmbH'),
      'LineItems', jsonb_build_array(jsonb_build_object('Description', 'Chairs')))`
  await synced(boss, id)
  expect((await invoicesIn(tenantId)).map(({ Status }) => Status).toSorted()).toEqual(['AUTHORISED', 'PAID'])
})

const LINES = [
  { description: 'Server', quantity: '1', unit: null, unit_price: '5.00', amount: '5.00', tax_rate: '19' },
  { description: 'Paper', quantity: '1', unit: null, unit_price: '0.88', amount: '0.88', tax_rate: '19' },
]
const department = (value: string) => ({ labels: [{ dimension: 'department', value }] })

/** Codes the first line of a bill by the chart of its books; the second part by this account. */
async function coded(organizationId: string, billId: string, account_code: string) {
  const at = `/organizations/${organizationId}`
  const put = (path: string, body: object) => api('PUT', path, { token: boss.token, body })
  const known = await api('GET', `${at}/accounts-chart`, { token: boss.token })
  const accounts = [...known.body.accounts, { code: '999', name: 'Of no books', account_type: 'expense' }]
  const fields = accounts.map(({ code, name, account_type }) => ({ code, name, account_type }))
  const taxes = known.body.tax_codes.map(({ code, name, rate }: any) => ({ code, name, rate }))
  await put(`${at}/accounts-chart`, { accounts: fields, tax_codes: taxes })
  await owner`update bills set line_items = ${owner.json(LINES)} where id = ${billId}`
  const { status, body } = await put(`/bills/${billId}/coding`, {
    lines: [
      {
        line: 1,
        parts: [
          { share: '60', account_code: '463', tax_code: 'INPUT2', ...department('it') },
          { share: '40', account_code, tax_code: 'INPUT2', ...department('Sales') },
        ],
      },
    ],
  })
  expect(status, JSON.stringify(body)).toBe(200)
}

test('a coded bill has a line for each part with account, tax rate and tracking, once and to the cent; what the books do not know is refused', async () => {
  const { id, tenantId, ids } = await paid([ALPHA])
  const dimension = { code: 'department', name: 'Department', values: [{ code: 'it', name: 'it' }] }
  await api('PUT', `/organizations/${id}/dimensions`, { token: boss.token, body: { dimensions: [dimension] } })
  const taken = await api('POST', `/organizations/${id}/accounts-chart/import`, { token: boss.token, body: {} })
  expect(taken.body.tax_codes).toContainEqual({ code: 'INPUT2', name: '20% (VAT on Expenses)', rate: '20', archived_at: null }) // prettier-ignore
  const { body: dimensions } = await api('GET', `/organizations/${id}/dimensions`, { token: boss.token })
  const namesOf = (one: any) => [one.code, one.values.map(({ code }: any) => code)]
  expect(dimensions.data.map(namesOf)).toEqual([['Region', ['North', 'South']], ['department', ['Sales', 'it']]]) // prettier-ignore
  await coded(id, ids[0]!, '999')
  const refused = await synced(boss, id)
  expect(refused.errors).toMatchObject([{ code: 'rejected', message: "Account code '999' is not a valid code for this document." }]) // prettier-ignore
  expect(await invoicesIn(tenantId)).toEqual([])
  await coded(id, ids[0]!, '485')
  expect(await synced(boss, id)).toMatchObject({ failed: 0, skipped: 0 })
  await forget(id, tenantId)
  await synced(boss, id)
  const posted = await invoicesIn(tenantId)
  expect(posted).toMatchObject([{ Total: 7, Status: 'PAID', LineAmountTypes: 'Inclusive' }])
  const lineOf = (one: any) => [one.Description, one.UnitAmount, one.AccountCode, one.TaxType, one.Tracking.map(({ Name, Option }: any) => `${Name}: ${Option}`)] // prettier-ignore
  expect((posted[0] as any).LineItems.map(lineOf)).toEqual([
    [`Server · Bill R-1 (${ids[0]})`, 3.57, '463', 'INPUT2', ['Department: IT']],
    ['Server', 2.38, '485', 'INPUT2', ['Department: Sales']],
    ['Paper', 1.05, '453', 'NONE', []],
  ])
})

const ITEM: BillItem = {
  kind: 'bill',
  id: randomUUID(),
  supplier: null,
  number: null,
  amount: '1.00',
  currency: 'EUR',
  day: '2026-03-01',
  due: '2026-03-01',
  line_items: [],
  coding: [],
}

test.each(['R-1', 'RE-2026/0012', '№ 17', '第12号', "O'Neil 7"])('a bill of number %s has this number', (number) =>
  expect(numberInBooks({ ...ITEM, number })).toBe(number),
)

test.each([null, 'a"b', 'a\\b', 'a  b', ' a', 'a\u00a0b', randomUUID(), randomUUID().toUpperCase(), 'x'.repeat(101)])(
  'a bill of number %j, which a search cannot tell, has our id as its number',
  (number) => expect(numberInBooks({ ...ITEM, number })).toBe(ITEM.id),
)

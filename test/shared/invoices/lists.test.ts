import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api, join, organization, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { idsIn, invoiceOf, listInvoices, readInvoice, step } from '../../support/invoices/invoices.ts'

const boss = await person({ authenticator: true })

const found = async (organizationId: string, query: Record<string, string>) =>
  idsIn(await listInvoices(boss, organizationId, query))

/** Days from today in UTC, by the clock of the service, which other files move. */
const now = Date.parse((await api('GET', '/sandbox/clock')).body.now)
const day = (days: number): string => new Date(now + days * 86_400_000).toISOString().slice(0, 10)

test('a list takes every filter of the contract, and pages through what is left', async () => {
  const { id } = await organization(boss, 'Seller')
  const [one, other] = [await billingContact(boss, id), await billingContact(boss, id)]
  const old = { issue_date: '2020-01-01', due_date: '2020-01-31' }
  const a = await invoiceOf(boss, id, one.id, old)
  const b = await invoiceOf(boss, id, other.id, old)
  const c = await invoiceOf(boss, id, one.id, { currency: 'USD' })
  const d = await invoiceOf(boss, id, other.id, { issue_date: day(-1), due_date: day(2) })
  for (const { id: sent } of [b, c, d]) await step(boss, sent, 'submit')
  await step(boss, c.id, 'mark-paid')
  const is = async (query: Record<string, string>, ...expected: { id: string }[]) => {
    expect(await found(id, query), JSON.stringify(query)).toEqual(expected.map((invoice) => invoice.id))
  }
  await is({}, d, c, b, a)
  await is({ billing_contact_id: one.id }, c, a)
  await is({ billing_contact_id: randomUUID() })
  await is({ state: 'draft' }, a)
  await is({ state: 'sent' }, d, b)
  await is({ state: 'awaiting_approval' })
  await is({ currency: 'USD' }, c)
  await is({ due_date_from: '2020-01-31', due_date_to: '2020-01-31' }, b, a)
  await is({ due_date_from: '2020-02-01' }, d, c)
  await is({ due_date_to: '2020-01-30' })
  await is({ issue_date_from: '2020-01-01', issue_date_to: '2020-01-01' }, b, a)
  await is({ issue_date_from: '2020-01-02', issue_date_to: '2029-12-31' }, d)
  await is({ overdue: 'true' }, b)
  await is({ overdue: 'false' }, d, c, a)
  await is({ overdue: 'true', state: 'sent', billing_contact_id: other.id, currency: 'EUR' }, b)
  expect((await readInvoice(boss, b.id)).is_overdue).toBe(true)
  expect((await readInvoice(boss, a.id)).is_overdue).toBe(false)
  const page = async (cursor: object) => (await listInvoices(boss, id, { limit: '1', state: 'sent', ...cursor })).body
  const first = await page({})
  expect([idsIn({ body: first }), first.has_more]).toEqual([[d.id], true])
  const second = await page({ cursor: first.next_cursor })
  expect([idsIn({ body: second }), second.has_more, second.next_cursor]).toEqual([[b.id], false, null])
  const refused = { state: 'open', overdue: '1', due_date_from: '2020-13-01', billing_contact_id: 'x', cursor: 'x' }
  for (const [name, value] of Object.entries(refused)) {
    const { status, body } = await listInvoices(boss, id, { [name]: value })
    expect([status, body.error.details.errors[0].path], name).toEqual([400, name])
  }
})

test('an invoice is overdue from the day after the due date, if it is sent', async () => {
  const { id } = await organization(boss, 'Seller')
  const contact = await billingContact(boss, id)
  const late = async (due: string) => {
    const invoice = await invoiceOf(boss, id, contact.id, { issue_date: '2020-01-01', due_date: due })
    return (await step(boss, invoice.id, 'submit')).body
  }
  expect((await late(day(-1))).is_overdue).toBe(true)
  expect((await late(day(1))).is_overdue).toBe(false)
  const accepted = await late(day(-1))
  expect((await step(boss, accepted.id, 'finalize')).body.is_overdue).toBe(false)
})

test('a member sees and touches only what they wrote, in every operation', async () => {
  const { id } = await organization(boss, 'Seller')
  const [member, other, admin] = [await person(), await person(), await person()]
  await Promise.all([join(id, member, 'member'), join(id, other, 'member'), join(id, admin, 'admin')])
  const contact = await billingContact(boss, id)
  const theirs = await invoiceOf(other, id, contact.id)
  const own = await invoiceOf(member, id, contact.id)
  expect(idsIn(await listInvoices(member, id))).toEqual([own.id])
  expect(idsIn(await listInvoices(member, id, { full_text_search: 'consulting' }))).toEqual([own.id])
  expect(idsIn(await listInvoices(admin, id))).toEqual([own.id, theirs.id])
  const OPERATIONS = [
    ...['', '/events', '/pdf', '/xml'].map((path) => ['GET', path, undefined] as const),
    ['PATCH', '', { comments: 'Mine' }],
    ...['/submit', '/resend', '/finalize', '/mark-paid'].map((path) => ['POST', path, {}] as const),
    ['DELETE', '', undefined],
  ] as const
  for (const [method, path, body] of OPERATIONS) {
    const call = (invoice: { id: string }) =>
      api(method, `/invoices/${invoice.id}${path}`, { token: member.token, ...(body && { body }) })
    expect((await call(theirs)).status, `${method} ${path}`).toBe(404)
    expect([403, 404], `${method} ${path}`).not.toContain((await call(own)).status)
  }
  expect(await readInvoice(boss, theirs.id)).toEqual(theirs)
})

/** Days of issue: today where the organization is, and in the order of the numbers. */
import { expect, test } from 'vitest'
import { person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { seller, sentInvoice } from '../../support/invoices/allocations.ts'
import { invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'

const boss = await person()

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('an invoice is by default of today in %s', async (zone) => {
  const { id, contactId } = await seller(boss)
  await owner`update organizations set time_zone = ${zone} where id = ${id}`
  const today = async () => (await owner`select (business_now() at time zone ${zone})::date::text as day`)[0]?.['day']
  const before = await today()
  const { issue_date } = await invoiceOf(boss, id, contactId, { issue_date: undefined, due_date: '2099-12-31' })
  expect([before, await today()]).toContain(issue_date)
})

test('a later number with an earlier day warns, as a draft and once it is sent; the same day does not', async () => {
  const at = await seller(boss)
  const draft = await invoiceOf(boss, at.id, at.contactId, { issue_date: '2030-03-01' })
  expect(draft.warnings).toEqual([])
  const sent = await sentInvoice(at, '10', { issue_date: '2030-03-10' })
  expect(sent.warnings).toEqual([])
  expect((await readInvoice(boss, draft.id)).warnings).toEqual(['chronology'])
  expect((await sentInvoice(at, '10', { issue_date: '2030-03-10' })).warnings).toEqual([])
  expect((await step(boss, draft.id, 'submit')).body).toMatchObject({ state: 'sent', warnings: ['chronology'] })
})

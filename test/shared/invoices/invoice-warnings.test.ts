/** Days of issue, today where the organization is, and warnings of an invoice. */
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

test('a draft and a sent invoice name the field that keeps the Swiss payment part away', async () => {
  const at = await seller(boss)
  const details = { iban: 'CH9300762011623852957', account_holder_name: 'Ελλάς' }
  await owner`
    insert into receiving_accounts (id, organization_id, rail, currency, status, account, details)
    values (uuidv7(), ${at.id}, 'fiat', 'CHF', 'active', ${`CH${at.id}`}, ${owner.json(details)})`
  const postal = { line1: 'Ring 1', line2: null, postal_code: '8000', city: 'Zürich', country_code: 'CH' }
  await owner`update organizations set postal_address = ${owner.json(postal)} where id = ${at.id}`
  const draft = await invoiceOf(boss, at.id, at.contactId, { currency: 'CHF' })
  expect(draft.warnings).toEqual(['swiss_account_holder'])
  expect((await invoiceOf(boss, at.id, at.contactId, {})).warnings).toEqual([])
  expect((await step(boss, draft.id, 'submit')).body).toMatchObject({ warnings: ['swiss_account_holder'] })
  await owner`update organizations set postal_address = null where id = ${at.id}`
  const { warnings } = await invoiceOf(boss, at.id, at.contactId, { currency: 'CHF' })
  expect(warnings).toEqual(['swiss_account_holder', 'swiss_postal_address'])
})

/** Invoices on pages alone: a customer, lines at two rates, a preview, sent once, paid; a credit note, a match. */
import { expect, test } from 'vitest'
import { api, approve, join, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { createCreditNote } from '../../support/credit-notes/credit-notes.ts'
import { readInvoice } from '../../support/invoices/invoices.ts'
import { received, sentInvoice } from '../../support/invoices/allocations.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { DESK, PHONE, expectSound, openTab, pagesUrl } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const boss = await person({ authenticator: true })
const second = await person({ authenticator: true })
const { id } = await organization(boss, 'Lindenhof')
await join(id, second, 'admin')
await setRules(id, boss, [
  {
    action_type: 'billing_invoice',
    amount_from: '100.00',
    currency: 'EUR',
    steps: [{ required: 1, roles: ['owner', 'admin'] }],
  },
])
const listed = async (noun: string) =>
  (await api('GET', `/organizations/${id}/${noun}`, { token: boss.token })).body.data

test('an invoice is written, previewed, sent for approval once and seen as paid, on a phone without script', async () => {
  const tab = await openTab(boss, { viewport: PHONE, javaScriptEnabled: false })
  const { page } = tab
  await page.goto(`/o/${id}/invoices/new`)
  await page.getByRole('link', { name: 'New customer' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Müller & Söhne GmbH')
  await page.getByLabel('E-mail addresses').fill('rechnung@example.com, buero@example.com')
  await page.getByLabel('Street and number').fill('Domkloster 4')
  await page.getByRole('button', { name: 'Add the customer' }).click()
  await page.getByText('Not taken').waitFor() // half an address is none
  await page.getByLabel('Postal code').fill('50667')
  await page.getByLabel('Town').fill('Köln')
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Add the customer' }).click()
  await page.getByText('The customer was added.').waitFor()
  const [customer] = await listed('billing-contacts')
  expect(customer).toMatchObject({
    emails: ['rechnung@example.com', 'buero@example.com'],
    postal_address: { line1: 'Domkloster 4', postal_code: '50667', city: 'Köln', country_code: 'DE' },
  })

  await page.getByRole('link', { name: 'New invoice' }).click()
  const line = (number: number) => page.getByRole('group', { name: `Line ${number}`, exact: true })
  const write = async (number: number, values: readonly string[]) => {
    const labels = ['Description', 'Quantity', 'Price of one', 'Tax in %']
    for (const [at, value] of values.entries())
      await line(number)
        .getByLabel(labels[at] ?? '')
        .fill(value)
  }
  await page.getByLabel('Currency').fill('eur')
  await write(1, ['Consulting', '2', '50', '19'])
  await page.getByRole('button', { name: 'Add lines' }).click()
  expect(await page.getByRole('group', { name: /^Line / }).count()).toBe(8)
  await write(8, ['Book', '1.250', '40', '7'])
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByText('Line 8, Quantity: this is not clear').first().waitFor()
  await line(8).getByLabel('Quantity').fill('0.125')
  await line(8).getByLabel('Price of one').fill('400')
  await page.getByRole('button', { name: 'Recalculate' }).click()
  await page.getByText('172.50 EUR').first().waitFor()
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByText('The draft is saved.').waitFor()
  const [draft] = await listed('invoices')
  expect(draft).toMatchObject({ state: 'draft', total: '172.50', billing_contact: { id: customer.id } })
  expect(draft.line_items).toMatchObject([{ quantity: '2' }, { quantity: '0.125', price: '400' }])

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Preview as PDF' }).click()
  expect((await download).suggestedFilename()).toBe(`invoice-${draft.id}.pdf`)
  await page.getByRole('link', { name: 'Change', exact: true }).click()
  expect(await line(2).getByLabel('Price of one').inputValue()).toBe('400')
  await line(2).getByLabel('Price of one').fill('800')
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByText('222.00').or(page.getByText('226.00')).first().waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('waits for approval').first().waitFor()
  await other.getByRole('button', { name: 'Send', exact: true }).click() // in a second tab, by a person who is not sure
  await other.getByText('waits for approval').first().waitFor()
  expect(await listed('approvals')).toHaveLength(1)
  const waiting = await readInvoice(boss, draft.id)
  expect(waiting).toMatchObject({ state: 'awaiting_approval', total: '226.00' })
  expect((await approve(second, waiting)).status).toBe(200)
  expect((await api('POST', `/sandbox/invoices/${draft.id}/pay`, { body: {}, token: boss.token })).status).toBeLessThan(
    300,
  )
  await until('the invoice is paid', async () => (await readInvoice(boss, draft.id)).state === 'paid')
  await page.goto(`/o/${id}/invoices?state=paid`)
  await page.getByRole('link', { name: 'INV-000001' }).click()
  await page.getByText('Matched by').first().waitFor({ state: 'attached' })
  expect(await page.locator('main').textContent()).toContain('paid')
})

test('a part of an invoice is credited, and money that came is matched, on a desk in the dark', async () => {
  const tab = await openTab(boss, { viewport: DESK, colorScheme: 'dark' })
  const { page } = tab
  const contact = await billingContact(boss, id, { emails: null, company_name: 'Rosenberg AG' })
  const invoice = await sentInvoice({ boss, id, contactId: contact.id }, '90.00')
  await page.goto(`/o/${id}/invoices/${invoice.id}/credit`)
  await expectSound(tab)
  await page.getByText('A part: choose lines').click()
  const part = page.locator('details.card')
  await part.getByLabel('Reason', { exact: true }).fill('Came late')
  await part.getByLabel('Price of one').fill('20')
  await part.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByText('The draft is saved.').waitFor()
  await expectSound(tab)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { name: /Credit note CN/ }).waitFor()
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ credited: '20.00', due_amount: '70.00' })

  const transaction = await received({ id }, '70.00', null, { name: 'A payer' })
  const { body } = await api('GET', `/transactions/${transaction}`, { token: boss.token })
  await page.goto(`/o/${id}/deposits`)
  await expectSound(tab)
  await page.goto(`/o/${id}/deposits/${body.deposit_id}`)
  await expectSound(tab)
  await page.getByText('same amount').click()
  await page.getByRole('button', { name: 'Match' }).click()
  await page.getByText('The money is matched.').waitFor()
  expect((await readInvoice(boss, invoice.id)).state).toBe('paid')
  await page.goto(`/o/${id}/invoices/${invoice.id}`)
  await expectSound(tab)
  await page.locator('summary').filter({ hasText: 'Take back' }).click()
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByText('The match is taken back.').waitFor()
  expect((await readInvoice(boss, invoice.id)).state).toBe('sent')
  for (const path of ['', '/customers', `/customers/${contact.id}`, '/credit-notes', '/new']) {
    await page.goto(`/o/${id}/invoices${path}`)
    await expectSound(tab)
  }
})

test('totals follow what is typed, to the last cent, as the service adds them up', async () => {
  const { page } = await openTab(boss, { viewport: DESK, locale: 'de-DE' })
  await billingContact(boss, id)
  await page.goto(`/o/${id}/invoices/new`)
  const total = page.locator('[data-sum=total]')
  await page.getByLabel('Währung').fill('EUR')
  const rows = [
    ['Beratung', '2,5', '1.234,56', '19'],
    ['Buch', '0,125', '0,36', '7'],
    ['Abzug', '-1', '100', '19,00'],
  ]
  for (const [row, values] of rows.entries())
    for (const [at, name] of ['description', 'quantity', 'price', 'tax'].entries())
      await page.locator(`#${name}_${row}`).fill(values[at] ?? '')
  const typed = await total.textContent()
  await page.getByRole('button', { name: 'Neu rechnen' }).click()
  await page.locator('[data-sum=total] strong').waitFor()
  expect((await total.textContent())?.trim()).toBe(typed?.trim())
  expect(typed).toBe('3.553,87 EUR')
  await page.locator('#quantity_0').fill('2.')
  expect(await total.textContent()).toBe('–')
})

test('forms of another company change nothing, and their pages are not found', async () => {
  const stranger = await person()
  const contact = await billingContact(boss, id, { emails: null })
  const invoice = await sentInvoice({ boss, id, contactId: contact.id }, '10.00')
  const note = (await createCreditNote(boss, invoice.id, { full: true, reason: 'All' })).body
  const cookie = `session=${stranger.token}`
  for (const path of ['', '/change', '/credit', '/preview', '/pdf'].map((one) => `/invoices/${invoice.id}${one}`))
    expect((await fetch(`${pagesUrl}/o/${id}${path}`, { headers: { cookie } })).status).toBe(404)
  for (const path of [`/invoices/credit-notes/${note.id}/delete`, `/invoices/${invoice.id}/revoke`]) {
    const sent = await fetch(`${pagesUrl}/o/${id}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        cookie,
        origin: pagesUrl,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: '',
    })
    expect(sent.status).toBe(404)
  }
  expect((await readInvoice(boss, invoice.id)).public_url).not.toBeNull()
})

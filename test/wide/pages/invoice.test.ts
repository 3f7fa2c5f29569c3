/** Pages of approvers: an invoice and a credit note, with lines, taxes, sums and when it is due. */
import { expect, test } from 'vitest'
import { organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { creditNoteOf, creditStep } from '../../support/credit-notes/credit-notes.ts'
import { dayIn, invoiceOf, step } from '../../support/invoices/invoices.ts'
import { DESK, PHONE, type Tab, expectSound, openTab } from '../../support/pages/browser.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const LINES = [
  {
    description: 'Consulting',
    quantity: '10',
    unit: 'HUR',
    price: '120',
    tax_percentage: '19',
    discount: { percentage: '10', reason: 'For two years' },
  },
  { description: 'Bооk about payments', quantity: '2', price: '25.00', tax_percentage: '7' }, // with Cyrillic letters
  {
    description: 'Insurance',
    quantity: '1',
    price: '30',
    tax_percentage: '0',
    tax_category: 'E',
    tax_exemption_reason: '§ 4',
  },
]
const words = async ({ page }: Tab) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
const shoot = async ({ page }: Tab, name: string) =>
  process.env['SHOTS'] &&
  page.screenshot({ path: `${process.env['SHOTS']}/${name}-${page.viewportSize()?.width}.png`, fullPage: true })

async function expectShown(tab: Tab, id: string, expected: readonly string[], name: string): Promise<void> {
  await tab.page.goto(`/approve/${id}`)
  const shown = await words(tab)
  expect(
    expected.filter((one) => !shown.includes(one)),
    shown,
  ).toEqual([])
  await shoot(tab, name)
  await expectSound(tab)
}

/** Expects that the page leads to the draft as a PDF. */
async function expectDraft({ page }: Tab, id: string): Promise<void> {
  expect(await page.getByRole('link', { name: 'Draft as PDF' }).getAttribute('href')).toBe(
    `/approve/${id}/document.pdf`,
  )
  const draft = await page.request.get(`/approve/${id}/document.pdf`)
  expect([draft.status(), draft.headers()['content-type']]).toEqual([200, 'application/pdf'])
  expect((await draft.body()).subarray(0, 5).toString()).toBe('%PDF-')
}

test('an invoice and a credit note show each line, the tax of each rate, what is due and when, on a phone and a desk', async () => {
  const boss = await person({ authenticator: true })
  const { id: sellerId } = await organization(boss, 'Seller')
  const contact = await billingContact(boss, sellerId)
  const dated = { issue_date: await dayIn(0), due_date: await dayIn(30), line_items: LINES }
  const sent = await invoiceOf(boss, sellerId, contact.id, dated)
  expect((await step(boss, sent.id, 'submit')).status).toBe(200)
  await setRules(sellerId, boss, [{ action_type: 'billing_invoice', steps: [{ required: 1, roles: ['owner'] }] }])
  const more = {
    order_number: 'PO-7',
    comments: 'Thank you',
    charges: [{ amount: '20', reason: 'Transport', tax_percentage: '19' }],
    discounts: [{ percentage: '5', reason: 'Campaign' }],
    payment_terms: { early_payment_discounts: [{ percentage: '2', days: 10 }] },
  }
  const invoice = await invoiceOf(boss, sellerId, contact.id, { ...dated, ...more })
  const waiting = (await step(boss, invoice.id, 'submit')).body
  const note = await creditNoteOf(boss, sent.id, 'full')
  const credit = (await creditStep(boss, note.id, 'submit')).body
  const due = new Date(`${dated.due_date}T00:00:00Z`).toLocaleDateString('en-GB', {
    dateStyle: 'full',
    timeZone: 'UTC',
  })
  const lines = [
    'Consulting 10 hours × 120 EUR, tax 19 % Discount of 10 %, For two years: -120.00 1,080.00 EUR',
    'Bооk about payments ⚠ letters of several alphabets 2 × 25.00 EUR, tax 7 % 50.00 EUR',
    'Insurance 1 × 30 EUR, Exempt from VAT, § 4 30.00 EUR',
  ]
  for (const viewport of [PHONE, DESK]) {
    const tab = await openTab(boss, { viewport })
    const ofInvoice = [
      `Due ${due}, in 30 days`,
      'Paid early 2 % less within 10 days of its date',
      'Order PO-7',
      'Remarks Thank you',
      ...lines,
      'Discount of 5 %, Campaign -58.00 EUR',
      'Surcharge, Transport 20.00 EUR',
      `Net ${invoice.net_total} EUR`.replace(/(\d)(\d{3}\.)/, '$1,$2'),
      'Tax 19 % on 1,046.00 EUR 198.74 EUR',
      'Tax 7 % on 47.50 EUR 3.33 EUR',
      `Total ${invoice.total} EUR`.replace(/(\d)(\d{3}\.)/, '$1,$2'),
    ]
    await expectShown(tab, waiting.approval_request_id, ofInvoice, 'invoice')
    await expectDraft(tab, waiting.approval_request_id)
    const ofNote = [
      'Reason All of it',
      ...lines,
      'Tax 19 % on 1,080.00 EUR 205.20 EUR',
      'Tax 7 % on 50.00 EUR 3.50 EUR',
    ]
    await expectShown(tab, credit.approval_request_id, ofNote, 'credit-note')
    await expectDraft(tab, credit.approval_request_id)
  }
})

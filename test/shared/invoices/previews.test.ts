/** Previews: a draft as PDF, marked as one, until it is sent; of a credit note too. */
import { expect, test } from 'vitest'
import { type TestPerson, baseUrl, join, organization, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { creditNoteOf, creditStep } from '../../support/credit-notes/credit-notes.ts'
import { readPdf } from '../../support/exports/pdf.ts'
import { invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person()
const { id: sellerId } = await organization(boss, 'Lindenhof')

async function preview({ token }: TestPerson, path: string) {
  const answer = await fetch(`${baseUrl}/api/v1/${path}/pdf?draft=true`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return { status: answer.status, text: answer.ok ? readPdf(bytes).text : '', headers: answer.headers }
}

test.each([
  ['en', 'JPY', 'DRAFT'],
  ['de', 'CHF', 'ENTWURF'],
] as const)(
  'a draft in %s and %s is drawn with its lines and totals, and changes nothing',
  async (language, currency, mark) => {
    const contact = await billingContact(boss, sellerId, { language })
    const line = (description: string, tax_percentage: string) => ({
      description,
      quantity: '1',
      price: '50',
      tax_percentage,
    })
    const draft = await invoiceOf(boss, sellerId, contact.id, {
      currency,
      profile: 'xrechnung',
      line_items: [line('Consulting', '19'), ...Array.from({ length: 60 }, (_, at) => line(`Book ${at}`, '7'))],
    })
    const { status, text, headers } = await preview(boss, `invoices/${draft.id}`)
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain(`invoice-${draft.id}.pdf`)
    for (const word of [mark, 'Consulting', 'Book 59']) expect(text).toContain(word)
    expect(await readInvoice(boss, draft.id)).toEqual(draft)
  },
)

test('of a sent invoice and credit note there is no preview, and none of those of other members', async () => {
  const contact = await billingContact(boss, sellerId, { emails: null })
  const invoice = await invoiceOf(boss, sellerId, contact.id)
  const member = await person()
  await join(sellerId, member, 'member')
  expect((await preview(member, `invoices/${invoice.id}`)).status).toBe(404)
  await step(boss, invoice.id, 'submit')
  expect((await preview(boss, `invoices/${invoice.id}`)).status).toBe(409)
  const note = await creditNoteOf(boss, invoice.id, 'full')
  const answer = await preview(boss, `credit-notes/${note.id}`)
  expect(answer.status).toBe(200)
  for (const word of ['ENTWURF', 'All of it', 'INV-000001']) expect(answer.text).toContain(word)
  expect((await preview(member, `credit-notes/${note.id}`)).status).toBe(404)
  await creditStep(boss, note.id, 'submit')
  expect((await preview(boss, `credit-notes/${note.id}`)).status).toBe(409)
})

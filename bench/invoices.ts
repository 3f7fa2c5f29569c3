/** A hundred invoices from submit until their mails are delivered, against their PDFs alone. */
import { setTimeout as delay } from 'node:timers/promises'
import { writeDocuments } from '../documents/invoices/pdf.ts'
import { inLanes } from '../platform/concurrency.ts'
import type { InvoiceDocument } from '../domain/invoice-documents/document.ts'
import { against, line, median } from './measure.ts'
import { type Call, type OwnerAccount, callerOf, insertOwned, owner } from './owner.ts'
import { measure, turns } from './turns.ts'

const INVOICES = 100
const LANES = 4
const POLL_MS = 20
const LINE = { description: 'Consulting on site, by the day', quantity: '2.5', price: '960', tax_percentage: '19' }
const PAGE_URL = 'https://app.example/i/k3J9sQ2mZ8h1V0xw7bR5tY6uI4oP3aS2dF1gH0jK9lM'
const ADDRESS = { line1: 'Lindenstraße 12', postal_code: '04109', city: 'Leipzig', country_code: 'DE' }

export async function benchInvoices(apiUrl: string, rounds: number): Promise<void> {
  const seller = await insertOwned('Lindenhof Werkstätten GmbH')
  const call = callerOf(apiUrl, seller.token)
  await owner`
    update organizations set postal_address = ${owner.json({ ...ADDRESS, line2: null })}, vat_id = 'DE123456789'
    where id = ${seller.organizationId}`
  const customer = await call('POST', `/organizations/${seller.organizationId}/billing-contacts`, {
    company_name: 'Stadt Musterhafen',
    emails: ['eingang@musterhafen.example'],
    postal_address: ADDRESS,
    language: 'de',
  })
  await alone(await sendInvoices(call, seller, customer.id)) // warm-up
  const name = `${INVOICES} invoices sent ÷ their PDFs alone`
  const results = await turns(name, rounds, async () => {
    let sent: Sendings = { seconds: 0, ids: [] }
    await measure(async () => {
      sent = await sendInvoices(call, seller, customer.id)
      return { rate: INVOICES / sent.seconds, p50Ms: sent.seconds * 1000, count: INVOICES }
    })
    return { whole: sent.seconds, pdfs: await alone(sent) }
  })
  const seconds = (side: 'whole' | 'pdfs') => median(results.map((one) => one[side]))
  const note = against(seconds('whole'), seconds('pdfs'), 's', 2)
  const ratio = median(results.map(({ whole, pdfs }) => whole / pdfs))
  line(name, ratio, note, { atMost: 3 })
}

type Sendings = { readonly seconds: number; readonly ids: readonly string[] }

/** Measures from the first submit until all mails are delivered; drafts are written before. */
async function sendInvoices(call: Call, { organizationId }: OwnerAccount, contactId: string): Promise<Sendings> {
  const ids: string[] = []
  await inLanes(Array.from({ length: INVOICES }).keys(), LANES, async () => {
    const draft = await call('POST', `/organizations/${organizationId}/invoices`, {
      billing_contact_id: contactId,
      currency: 'EUR',
      due_date: '2099-12-31',
      profile: 'en16931',
      line_items: Array.from({ length: 5 }, () => LINE),
    })
    ids.push(draft.id)
  })
  const begun = performance.now()
  await inLanes(ids, LANES, (id) => call('POST', `/invoices/${id}/submit`, {}))
  for (;;) {
    const [open] = await owner`
      select 1 from invoices i where i.id = any (${ids}::uuid[]) and not exists (
        select from invoice_mails m where m.invoice_id = i.id and m.status = 'delivered' and i.pdf_file_id is not null)`
    if (!open) return { seconds: (performance.now() - begun) / 1000, ids }
    await delay(POLL_MS)
  }
}

async function alone({ ids }: Sendings): Promise<number> {
  const rows = await owner<{ document: InvoiceDocument }[]>`
    select document from invoices where id = any (${ids as string[]}::uuid[])`
  const begun = performance.now()
  for (const { document } of rows) await writeDocuments({ ...document, page_url: PAGE_URL }, null)
  return (performance.now() - begun) / 1000
}

/** Demo of an invoice to a customer: written, mailed, paid from a deposit that names it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Invoice } from '../../clients/typescript/src/index.ts'
import { approve, client, confirming, dataDir, follow, organization_id, sayRun, say } from './caller.ts'

const DAY_MS = 86_400_000
const ADDRESS = { line1: 'Market Street 1', postal_code: '10115', city: 'Berlin', country_code: 'DE' }
const EMAIL = 'accounts@cafe-mueller.example'
const CUSTOMER = {
  company_name: 'Café Müller GmbH',
  emails: [EMAIL],
  postal_address: { line1: 'Domkloster 4', postal_code: '50667', city: 'Köln', country_code: 'DE' },
  language: 'en',
} as const
const LINES = [
  { description: 'Espresso machine, service', quantity: '2.5', price: '80', tax_percentage: '19' },
  { description: 'Coffee, roasted, 1 kg', quantity: '12', price: '18.50', tax_percentage: '7' },
]

export async function billingInvoice(): Promise<Invoice> {
  say('An invoice', 'names the seller, and the account that it is paid to')
  await follow(
    () => client.listBankAccounts({ organization_id }),
    ({ data }) => data.some((one) => one.currency === 'EUR' && one.status === 'active'),
  )
  await confirming.updateOrganizationSettings({ organization_id, postal_address: ADDRESS, vat_id: 'DE123456789' })
  const contact = await client.createBillingContact({ organization_id, ...CUSTOMER })
  const draft = await client.createInvoice({
    organization_id,
    billing_contact_id: contact.id,
    currency: 'EUR',
    due_date: new Date(Date.now() + 14 * DAY_MS).toISOString().slice(0, 10),
    profile: 'en16931',
    line_items: LINES,
  })
  const invoice_id = draft.id
  say('  a draft', `of ${draft.total} EUR for ${contact.company_name}, of which ${draft.tax_total} EUR are tax`)
  const submitted = await client.submitInvoice({ invoice_id })
  await approve(submitted.approval_request_id)
  const { number, public_url: url } = await client.getInvoice({ invoice_id })
  say('  it is sent as', number ?? '')
  sayRun('  its workflow writes and mails it here', `invoice-${draft.id}`)
  const [mail] = await mailsAbout(invoice_id)
  say('  the mail', `"${mail?.subject}" went to ${mail?.to}`)
  const file = join(dataDir, `${number}.pdf`)
  await writeFile(file, Buffer.from(await (await client.getInvoicePdf({ invoice_id })).arrayBuffer()))
  say('  the PDF that it carries is in', file)
  say('  the customer sees it at', url ?? '')
  const { status, amount } = await client.paySandboxInvoice({ invoice_id })
  say('  a deposit', `of ${amount.amount} ${amount.currency} that names ${number} is ${status}`)
  const paid = await follow(
    () => client.getInvoice({ invoice_id }),
    ({ state }) => state === 'paid',
  )
  say('  nobody had to look: it is', `${paid.state}, with ${paid.allocated} EUR allocated`)
  return paid
}

async function mailsAbout(invoice_id: string) {
  await follow(
    () => client.listInvoiceEvents({ invoice_id }),
    ({ data }) => data.some((one) => one.event_type === 'invoice.mail_delivered'),
  )
  return (await client.listSandboxMessages({ to: EMAIL })).data
}

/** Demo of an invoice to a customer: written, mailed, paid from a deposit that names it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { approve, bytesOf, call, callConfirmed, dataDir, follow, organization, sayRun, say } from './caller.ts'

const DAY_MS = 86_400_000
const ADDRESS = { line1: 'Market Street 1', postal_code: '10115', city: 'Berlin', country_code: 'DE' }
const CUSTOMER = {
  company_name: 'Café Müller GmbH',
  emails: ['accounts@cafe-mueller.example'],
  postal_address: { line1: 'Domkloster 4', postal_code: '50667', city: 'Köln', country_code: 'DE' },
  language: 'en',
}
const LINES = [
  { description: 'Espresso machine, service', quantity: '2.5', price: '80', tax_percentage: '19' },
  { description: 'Coffee, roasted, 1 kg', quantity: '12', price: '18.50', tax_percentage: '7' },
]

export async function billingInvoice(): Promise<{ state: string }> {
  say('An invoice', 'names the seller, and the account that it is paid to')
  await follow(`${organization}/bank-accounts`, ({ data }) =>
    data.some((one: any) => one.currency === 'EUR' && one.status === 'active'),
  )
  await callConfirmed('PATCH', `${organization}/settings`, { postal_address: ADDRESS, vat_id: 'DE123456789' })
  const contact = await call('POST', `${organization}/billing-contacts`, CUSTOMER)
  const draft = await call('POST', `${organization}/invoices`, {
    billing_contact_id: contact.id,
    currency: 'EUR',
    due_date: new Date(Date.now() + 14 * DAY_MS).toISOString().slice(0, 10),
    profile: 'en16931',
    line_items: LINES,
  })
  say('  a draft', `of ${draft.total} EUR for ${contact.company_name}, of which ${draft.tax_total} EUR are tax`)
  const path = `/invoices/${draft.id}`
  const submitted = await call('POST', `${path}/submit`, {})
  if (submitted.approval_request_id) await approve(submitted.approval_request_id)
  const { number, public_url: url } = await call('GET', path)
  say('  it is sent as', number)
  sayRun('  its workflow writes and mails it here', `invoice-${draft.id}`)
  const { data: mails } = await waitForMail(path)
  say('  the mail', `"${mails[0].subject}" went to ${mails[0].to}`)
  const file = join(dataDir, `${number}.pdf`)
  await writeFile(file, await bytesOf(`${path}/pdf`))
  say('  the PDF that it carries is in', file)
  say('  the customer sees it at', url)
  const { status, amount } = await call('POST', `/sandbox${path}/pay`, {})
  say('  a deposit', `of ${amount.amount} ${amount.currency} that names ${number} is ${status}`)
  const paid = await follow(path, ({ state }) => state === 'paid')
  say('  nobody had to look: it is', `${paid.state}, with ${paid.allocated} EUR allocated`)
  return paid
}

async function waitForMail(path: string): Promise<any> {
  await follow(`${path}/events`, ({ data }) => data.some((one: any) => one.event_type === 'invoice.mail_delivered'))
  return call('GET', `/sandbox/messages?to=${CUSTOMER.emails[0]}`)
}

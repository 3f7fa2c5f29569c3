/** Invoices that were sent, with the token by which their customers open their page. */
import { type TestOrganization, type TestPerson, organization, person } from '../api.ts'
import { billingContact } from '../billing-contacts.ts'
import { invoiceOf, step } from './invoices.ts'

const tokenOf = ({ public_url: url }: { public_url: string }) => url.slice(url.lastIndexOf('/') + 1)

/** A seller, and an invoice of theirs that was sent, with the token of its page. */
export async function sent(more: object = {}, customer: object = {}) {
  const boss = await person({ authenticator: true })
  const seller = await organization(boss, 'Lindenhof & Söhne')
  const { invoice, token } = await another(boss, seller, more, customer)
  return { boss, seller, invoice, token }
}

/** Another invoice of a seller. */
export async function another(boss: TestPerson, seller: TestOrganization, more: object = {}, customer: object = {}) {
  const contact = await billingContact(boss, seller.id, customer)
  const { id } = await invoiceOf(boss, seller.id, contact.id, more)
  const { status, body: invoice } = await step(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(invoice)}`)
  return { invoice, token: tokenOf(invoice) }
}

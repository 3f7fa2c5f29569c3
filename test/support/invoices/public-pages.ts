/** Sent invoices, with the token of their public page. */
import { type TestOrganization, type TestPerson, organization, person } from '../api.ts'
import { billingContact } from '../billing-contacts.ts'
import { invoiceOf, step } from './invoices.ts'

const tokenOf = ({ public_url: url }: { public_url: string }) => url.slice(url.lastIndexOf('/') + 1)

/** A seller, and a sent invoice of theirs with the token of its page. */
export async function sent(more: object = {}, customer: object = {}) {
  const boss = await person({ authenticator: true })
  const seller = await organization(boss, 'Lindenhof & Söhne')
  const { invoice, token } = await another(boss, seller, more, customer)
  return { boss, seller, invoice, token }
}

export async function another(boss: TestPerson, seller: TestOrganization, more: object = {}, customer: object = {}) {
  const contact = await billingContact(boss, seller.id, customer)
  const { id } = await invoiceOf(boss, seller.id, contact.id, more)
  const { status, body: invoice } = await step(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(invoice)}`)
  return { invoice, token: tokenOf(invoice) }
}

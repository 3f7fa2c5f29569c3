import { type Answer, type TestPerson, api } from './api.ts'

/** A customer in Germany, complete for electronic invoices. */
export const customer = (more: object = {}) => ({
  company_name: 'Müller & Söhne GmbH',
  address: 'Domkloster 4\n50667 Köln',
  phone_number: '+49 221 179 40',
  tax_id: '214/5800/0123',
  emails: ['Rechnung@Example.com', 'buero@example.com'],
  postal_address: { line1: 'Domkloster 4', line2: null, postal_code: '50667', city: 'Köln', country_code: 'DE' },
  vat_id: 'DE136695976',
  language: 'de',
  ...more,
})

export const createContact = (by: TestPerson, organizationId: string, body: object, key?: string): Promise<Answer> =>
  api('POST', `/organizations/${organizationId}/billing-contacts`, { token: by.token, body, ...(key && { key }) })

export async function billingContact(by: TestPerson, organizationId: string, more: object = {}) {
  const { status, body } = await createContact(by, organizationId, customer(more))
  if (status !== 201) throw new Error(`billing contact: ${JSON.stringify(body)}`)
  return body
}

/** Invoices: written and sent. */
import { type Answer, type TestPerson, api } from '../api.ts'
import { owner } from '../database.ts'
import { until } from '../until.ts'

/** Two lines at two rates: 100.00 at 19 %, 50.00 at 7 %. */
export const LINES = [
  { description: 'Consulting', quantity: '2', price: '50', tax_percentage: '19' },
  { description: 'Book', quantity: '1', price: '50.00', tax_percentage: '7' },
]

export const draft = (contactId: string, more: object = {}) => ({
  billing_contact_id: contactId,
  currency: 'EUR',
  issue_date: '2030-03-01',
  due_date: '2030-03-31',
  line_items: LINES,
  ...more,
})

/** Returns the day that is `days` after today. */
export const dayIn = async (days: number): Promise<string> =>
  (await owner`select (business_now()::date + ${days}::int)::text as day`)[0]?.['day'] as string

export const createInvoice = (by: TestPerson, organizationId: string, body: object, key?: string): Promise<Answer> =>
  api('POST', `/organizations/${organizationId}/invoices`, { token: by.token, body, ...(key && { key }) })

export async function invoiceOf(by: TestPerson, organizationId: string, contactId: string, more: object = {}) {
  const { status, body } = await createInvoice(by, organizationId, draft(contactId, more))
  if (status !== 201) throw new Error(`invoice: ${JSON.stringify(body)}`)
  return body
}

export const readInvoice = async (by: TestPerson, id: string) =>
  (await api('GET', `/invoices/${id}`, { token: by.token })).body

export const step = (by: TestPerson, id: string, name: string, body: object = {}): Promise<Answer> =>
  api('POST', `/invoices/${id}/${name}`, { token: by.token, body })

export const historyOf = async (by: TestPerson, id: string): Promise<string[]> =>
  (await api('GET', `/invoices/${id}/events?limit=100`, { token: by.token })).body.data.map(
    (event: { event_type: string }) => event.event_type,
  )

export const pdfOf = (by: TestPerson, id: string): Promise<Answer> =>
  until('the PDF of an invoice', async () => {
    const answer = await api('GET', `/invoices/${id}/pdf`, { token: by.token })
    return answer.status !== 409 && answer
  })

export const listInvoices = (by: TestPerson, organizationId: string, query: Record<string, string> = {}) =>
  api('GET', `/organizations/${organizationId}/invoices?${new URLSearchParams(query).toString()}`, { token: by.token })

export const idsIn = ({ body }: Pick<Answer, 'body'>): string[] => body.data.map(({ id }: { id: string }) => id)

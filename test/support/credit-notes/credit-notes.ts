/** Credit notes: written, sent, and read. */
import { type Answer, type TestPerson, api } from '../api.ts'
import { until } from '../until.ts'

/** A line of `amount` without tax. */
export const lineOf = (amount: string) => ({
  description: 'Taken back',
  quantity: '1',
  price: amount,
  tax_percentage: '0',
})

export const creditBody = (amount: string, more: object = {}) => ({
  line_items: [lineOf(amount)],
  reason: 'Damaged on the way',
  ...more,
})

export const createCreditNote = (by: TestPerson, invoiceId: string, body: object, key?: string): Promise<Answer> =>
  api('POST', `/invoices/${invoiceId}/credit-notes`, { token: by.token, body, ...(key && { key }) })

/** A draft over this amount, without tax, or over all of the invoice. */
export async function creditNoteOf(by: TestPerson, invoiceId: string, amount: string, more: object = {}) {
  const body = amount === 'full' ? { full: true, reason: 'All of it', ...more } : creditBody(amount, more)
  const answer = await createCreditNote(by, invoiceId, body)
  if (answer.status !== 201) throw new Error(`credit note: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const creditStep = (by: TestPerson, id: string, name: string, body: object = {}): Promise<Answer> =>
  api('POST', `/credit-notes/${id}/${name}`, { token: by.token, body })

/** A credit note that is sent at once, since no policy asks for its approval. */
export async function sentCreditNote(by: TestPerson, invoiceId: string, amount: string, more: object = {}) {
  const { id } = await creditNoteOf(by, invoiceId, amount, more)
  const { status, body } = await creditStep(by, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return body
}

export const readCreditNote = async (by: TestPerson, id: string) =>
  (await api('GET', `/credit-notes/${id}`, { token: by.token })).body

export const creditHistoryOf = async (by: TestPerson, id: string): Promise<string[]> =>
  (await api('GET', `/credit-notes/${id}/events?limit=100`, { token: by.token })).body.data.map(
    (event: { event_type: string }) => event.event_type,
  )

/** Waits until a document is written. */
export const creditFileOf = (by: TestPerson, id: string, format: 'pdf' | 'xml'): Promise<Answer> =>
  until(`the ${format} of a credit note`, async () => {
    const answer = await api('GET', `/credit-notes/${id}/${format}`, { token: by.token })
    return answer.status !== 409 && answer
  })

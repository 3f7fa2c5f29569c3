/** Bills: handed in, read and paid. */
import { type Answer, type TestPerson, api } from '../api.ts'
import { send, sha256 } from '../files/files.ts'
import { until } from '../until.ts'

export const IBAN = 'DE89370400440532013000'
/** An account at another bank. */
export const OTHER_IBAN = 'DE02120300000000202051'

export const typed = (more: object = {}) => ({
  amount: '119.00',
  currency: 'EUR',
  bill_number: 'RE-2026/0012',
  supplier_name: 'Müller & Söhne GmbH',
  supplier_tax_id: 'DE136695976',
  issue_date: '2026-03-01',
  due_date: '2026-03-31',
  iban: IBAN,
  ...more,
})

export const create = (by: TestPerson, organizationId: string, body: object, key?: string): Promise<Answer> =>
  api('POST', `/organizations/${organizationId}/bills`, { token: by.token, body, ...(key && { key }) })

export async function typedBill(by: TestPerson, organizationId: string, more: object = {}) {
  const { status, body } = await create(by, organizationId, typed(more))
  if (status !== 201) throw new Error(`bill: ${JSON.stringify(body)}`)
  return body
}

export const change = (by: TestPerson, id: string, body: object): Promise<Answer> =>
  api('PATCH', `/bills/${id}`, { token: by.token, body })

export const cancel = (by: TestPerson, id: string): Promise<Answer> =>
  api('POST', `/bills/${id}/cancel`, { token: by.token, body: {} })

export const requestPayment = (by: TestPerson, id: string, body: object = {}, key?: string): Promise<Answer> =>
  api('POST', `/bills/${id}/request-payment`, { token: by.token, body, ...(key && { key }) })

/** `{bill, events, duplicates}`. */
export const detail = async (by: TestPerson, id: string) => (await api('GET', `/bills/${id}`, { token: by.token })).body

export const eventsOf = async (by: TestPerson, id: string): Promise<string[]> =>
  (await detail(by, id)).events.map(({ event_type: type }: { event_type: string }) => type)

export async function sentFile(
  by: TestPerson,
  organizationId: string,
  bytes: Buffer,
  contentType: string,
): Promise<string> {
  const slot = await api('POST', `/organizations/${organizationId}/bills/upload`, {
    token: by.token,
    body: { filename: 'bill', byte_size: bytes.length, content_type: contentType },
  })
  if (slot.status !== 201) throw new Error(`slot: ${JSON.stringify(slot.body)}`)
  const { body } = await send(slot.body, bytes)
  if (body.sha256 !== sha256(bytes)) throw new Error(`upload: ${JSON.stringify(body)}`)
  return body.id
}

/** Hands in a file and waits until it is read or given up; `between` runs when the file is there. */
export async function readBill(
  by: TestPerson,
  organizationId: string,
  bytes: Buffer,
  contentType: string,
  between?: () => Promise<void>,
) {
  const fileId = await sentFile(by, organizationId, bytes, contentType)
  await between?.()
  const { status, body } = await create(by, organizationId, { file_id: fileId })
  if (status !== 201) throw new Error(`bill: ${JSON.stringify(body)}`)
  return whenRead(by, body.id)
}

export const whenRead = (by: TestPerson, id: string) =>
  until('a bill that is read', async () => {
    const { bill } = await detail(by, id)
    return bill.status === 'extracted' && bill
  })

export const provenanceOf = async (by: TestPerson, id: string): Promise<any[]> =>
  (await api('GET', `/bills/${id}/provenance`, { token: by.token })).body.data

/** Batches filled from files, and the calls about them. */
import type { BatchRow } from '../../../domain/batches/batch.ts'
import { type Answer, type TestPerson, api, organization, person } from '../api.ts'
import { send } from '../files/files.ts'
import { until } from '../until.ts'

export const HEADER =
  'payee_svc_id,payment_contact_id,account_holder_name,iban,amount,currency,payout_reason,statement_description'
export const TERMS = 'services,Invoice 1'

export const fileOf = (...rows: readonly string[]) => [HEADER, ...rows].join('\n')
/** A row that pays a service ID, a contact or an account. */
export const toHandle = (handle: string, amount = '1.00') => `${handle},,,,${amount},USD,${TERMS}`
export const toContact = (id: string, currency = 'USD') => `,${id},,,1.00,${currency},${TERMS}`
export const toAccount = (iban: string, amount = '1.00') => `,,Payee,${iban},${amount},EUR,${TERMS}`

/** A person who fills batches, their organization, and a payee by service ID. */
export async function payerAndPayee() {
  const boss = await person({ authenticator: true })
  return { boss, payer: await organization(boss, 'Payer'), payee: await organization(await person(), 'Payee') }
}

export async function newBatch(by: TestPerson, organizationId: string, name = 'Pay of June'): Promise<string> {
  const made = await api('POST', `/organizations/${organizationId}/payment-batches`, {
    token: by.token,
    body: { name },
  })
  if (made.status !== 201) throw new Error(`batch: ${JSON.stringify(made.body)}`)
  return made.body.id as string
}

/** Requests a slot and sends the file to it; returns the slot or the refusal. */
export async function uploadTo(by: TestPerson, batchId: string, file: string | Buffer): Promise<Answer> {
  const bytes = Buffer.from(file)
  const slot = await api('POST', `/payment-batches/${batchId}/upload`, {
    token: by.token,
    body: { byte_size: bytes.length, content_type: 'text/csv', filename: 'pay.csv' },
  })
  if (slot.status !== 201) return slot
  const sent = await send(slot.body, bytes)
  if (sent.status !== 200) throw new Error(`upload: ${JSON.stringify(sent.body)}`)
  return slot
}

/** Uploads to a draft and returns the id of the file. */
export async function uploaded(by: TestPerson, batchId: string, file: string | Buffer): Promise<string> {
  const slot = await uploadTo(by, batchId, file)
  if (slot.status !== 201) throw new Error(`slot: ${JSON.stringify(slot.body)}`)
  return slot.body.id as string
}

export const importFile = ({ token }: TestPerson, batchId: string, fileId: string) =>
  api('POST', `/payment-batches/${batchId}/import`, { token, body: { file_id: fileId } })

export const readBatch = async ({ token }: TestPerson, batchId: string) =>
  (await api('GET', `/payment-batches/${batchId}`, { token })).body

/** Waits until the batch imports nothing. */
export const atRest = (by: TestPerson, batchId: string, patienceMs?: number) =>
  until(
    `the import of batch ${batchId}`,
    async () => {
      const batch = await readBatch(by, batchId)
      return batch.status !== 'importing' && batch
    },
    patienceMs,
  )

export async function imported(by: TestPerson, batchId: string, file: string | Buffer) {
  const answer = await importFile(by, batchId, await uploaded(by, batchId, file))
  if (answer.status !== 202) throw new Error(`import: ${JSON.stringify(answer.body)}`)
  return atRest(by, batchId)
}

export async function rowsOf({ token }: TestPerson, batchId: string, query = 'limit=100'): Promise<any[]> {
  const rows: any[] = []
  for (let cursor = ''; ;) {
    const { body } = await api('GET', `/payment-batches/${batchId}/rows?${query}${cursor}`, { token })
    rows.push(...body.data)
    if (!body.has_more) return rows
    cursor = `&cursor=${body.next_cursor}`
  }
}

/** Column and code of each error, by row. */
export const errorsOf = (rows: readonly Pick<BatchRow, 'errors'>[]): string[][] =>
  rows.map(({ errors }) => errors.map(({ column, code }) => `${column} ${code}`))

export const changeRow = ({ token }: TestPerson, batchId: string, rowId: string, body: object) =>
  api('PATCH', `/payment-batches/${batchId}/rows/${rowId}`, { token, body })

/** Attachments of invoices: uploaded, checked, frozen with the invoice, and inside its files. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { receiveAttachments } from '../../../services/invoices/attachments.ts'
import { readerOf } from '../../../db/postgres/sql.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { api, approvalPath, organization, person, withStepUp } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { send } from '../../support/files/files.ts'
import { createInvoice, draft, invoiceOf, pdfOf, step } from '../../support/invoices/invoices.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
const { id } = await organization(boss, 'Seller')
const contact = await billingContact(boss, id)
const CSV = Buffer.from('day,hours\n2030-02-01,7.5\n')

const slotOf = (filename: string, bytes: Buffer, content_type: string, at = id) =>
  api('POST', `/organizations/${at}/invoices/upload`, {
    token: boss.token,
    body: { filename, byte_size: bytes.length, content_type },
  })

async function sent(filename: string, bytes = CSV, contentType = 'text/csv', at = id): Promise<string> {
  const slot = await slotOf(filename, bytes, contentType, at)
  if (slot.status !== 201) throw new Error(JSON.stringify(slot.body))
  await send(slot.body, bytes)
  return slot.body.id
}

const attaching = (...files: object[]) => createInvoice(boss, id, draft(contact.id, { attachments: files }))
const change = (invoice: { id: string }, attachments: object[] | null) =>
  api('PATCH', `/invoices/${invoice.id}`, { token: boss.token, body: { attachments } })

test('a file is in the answer of the draft, and in PDF and XML once it is sent', async () => {
  const fileId = await sent('Stunden März.csv')
  const settings = {
    vat_id: 'DE123456789',
    postal_address: { line1: 'Weg 1', postal_code: '10115', city: 'Berlin', country_code: 'DE' },
  }
  await withStepUp('PATCH', `/organizations/${id}/settings`, { token: boss.token, body: settings })
  const customer = await billingContact(boss, id, { emails: null })
  const invoice = await invoiceOf(boss, id, customer.id, {
    profile: 'en16931',
    attachments: [{ file_id: fileId, description: 'Hours' }],
  })
  const shown = { file_id: fileId, filename: 'Stunden März.csv', content_type: 'text/csv', byte_size: CSV.length }
  expect(invoice.attachments).toEqual([{ ...shown, description: 'Hours' }])
  expect((await step(boss, invoice.id, 'submit')).body).toMatchObject({ state: 'sent', attachments: [shown] })
  expect((await pdfOf(boss, invoice.id)).body).toContain('/AFRelationship /Supplement')
  const { body: xml } = await api('GET', `/invoices/${invoice.id}/xml`, { token: boss.token })
  expect(xml).toContain(`mimeCode="text/csv" filename="Stunden März.csv">${CSV.toString('base64')}<`)
  expect((await change(invoice, [])).body.error.type).toBe('invalid_state')
})

test('approvers see the files of an invoice with the hashes of their bytes', async () => {
  const { id: careful } = await organization(boss, 'Careful')
  await setRules(careful, boss, [{ action_type: 'billing_invoice', steps: [{ required: 1, roles: ['owner'] }] }])
  const customer = await billingContact(boss, careful)
  const fileId = await sent('hours.csv', CSV, 'text/csv', careful)
  const invoice = await invoiceOf(boss, careful, customer.id, { attachments: [{ file_id: fileId }] })
  const { body } = await step(boss, invoice.id, 'submit')
  const { body: approval } = await api('GET', approvalPath(body), { token: boss.token })
  expect(approval.subject.billing_invoice.attachments).toEqual([
    { ...invoice.attachments[0], sha256: createHash('sha256').update(CSV).digest('hex') },
  ])
})

test('a draft keeps its files until it leaves them out; those are free again, and no other draft has them before', async () => {
  const [one, two] = [await sent('one.csv'), await sent('two.csv')]
  const { body } = await attaching({ file_id: one })
  expect((await attaching({ file_id: one })).body.error.type).toBe('not_found')
  const both = await change(body, [{ file_id: two }, { file_id: one }])
  const kept = [{ file_id: two }, { file_id: one }]
  expect(both.body.attachments).toMatchObject(kept)
  const commented = { token: boss.token, body: { comments: 'x' } }
  expect((await api('PATCH', `/invoices/${body.id}`, commented)).body.attachments).toMatchObject(kept)
  expect((await change(body, null)).body.attachments).toEqual([])
  const other = await attaching({ file_id: one }, { file_id: two })
  expect(other.status).toBe(201)
  expect((await api('DELETE', `/invoices/${other.body.id}`, { token: boss.token })).status).toBe(200)
  expect((await attaching({ file_id: two })).status).toBe(201)
})

test('files of one name, more than five megabytes, and files that are not there are refused', async () => {
  const big = Buffer.alloc(3 * 1024 * 1024, 'x')
  const [first, second] = [await sent('first.csv', big), await sent('second.csv', big)]
  const errorsOf = async (...files: string[]) =>
    (await attaching(...files.map((file_id) => ({ file_id })))).body.error.details.errors[0]
  expect(await errorsOf(first, second)).toMatchObject({ path: 'attachments', code: 'too_large' })
  expect(await errorsOf(await sent('Same.csv'), await sent('same.CSV'))).toMatchObject({ code: 'duplicate' })
  const empty = (await slotOf('later.csv', CSV, 'text/csv')).body.id
  expect((await attaching({ file_id: empty })).body.error.type).toBe('file_not_uploaded')
  expect((await attaching({ file_id: crypto.randomUUID() })).body.error.type).toBe('not_found')
})

test('a file without bytes does not pass the check, as they could come before it is claimed', async () => {
  const fileId = (await slotOf('later.csv', CSV, 'text/csv')).body.id
  const checked = receiveAttachments(readerOf(id as OrganizationId), [{ file_id: fileId }], async () => {})
  await expect(checked).rejects.toMatchObject({ type: 'file_not_uploaded' })
})

test('bytes that are not of their type, or that run, are refused', async () => {
  const pdf = await sent('a.pdf', Buffer.from('%PDF-1.7\n1 0 obj<</S /JavaScript/JS(x)>>endobj'), 'application/pdf')
  expect((await attaching({ file_id: pdf })).body.error).toMatchObject({
    type: 'invalid_file',
    details: { reason: 'hostile' },
  })
  const picture = await sent('a.png', CSV, 'image/png')
  expect((await attaching({ file_id: picture })).body.error).toMatchObject({ details: { reason: 'unknown_format' } })
})

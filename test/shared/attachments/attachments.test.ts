/** Files of things, and the signatures of approvers that are bound to them. */
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../domain/canonical.ts'
import {
  api,
  approvalPath,
  approve,
  baseUrl,
  contact,
  createPayment,
  fund,
  join,
  payerAndPayee,
  person,
} from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { bundleOf, verify } from '../../support/approvals/evidence.ts'
import { attach, attachSent, attachmentsOf, detach, picture, sendTo } from '../../support/attachments/attachments.ts'
import { draftOf, submit } from '../../support/batches/batches.ts'
import { OTHER_IBAN, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { readerOf } from '../../../db/postgres/sql.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { findReceipt } from '../../../services/payments/payments.ts'
import { owner } from '../../support/database.ts'
import { readCsv } from '../../support/exports/csv.ts'
import { exported } from '../../support/exports/exports.ts'
import { sha256 } from '../../support/files/files.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, payer, payee, contactId } = await payerAndPayee('1000.00')
await fund(payer.id, '1000.00', 'EUR')
const [second, third, member, stranger] = [
  await person({ authenticator: true }),
  await person(),
  await person(),
  (await payerAndPayee('0')).boss,
]
await join(payer.id, second, 'admin')
await join(payer.id, third, 'admin')
await join(payer.id, member, 'member')
const steps = [{ required: 2, roles: ['owner', 'admin'] }]
await setRules(payer.id, boss, [
  { steps },
  { action_type: 'payment_batch', steps },
  { action_type: 'payment_contact', steps },
])

const pay = () => createPayment(boss, contactId, '1.00')
const draft = () => draftOf(boss, payer.id, [{ amount: '1.00', contact: { id: contactId } }])
const bill = (number: string) =>
  typedBill(boss, payer.id, { bill_number: number, iban: OTHER_IBAN, amount: `${number.length}.00` })
const [row] = await owner<{ id: string }[]>`select id from transactions where organization_id = ${payer.id}`
const pathOf = (thing: string) => attachmentsOf(payer.id, thing)

const waiting = (approvalId: string) => ({ organization_id: payer.id, approval_request_id: approvalId })
const approval = async (approvalId: string) =>
  (await api('GET', approvalPath(waiting(approvalId)), { token: boss.token })).body
const subjectOf = async (approvalId: string) => {
  const [found] = await owner<{ subject_body: string; subject_hash: string }[]>`
    select subject_body, subject_hash from approvals where id = ${approvalId}`
  return { hash: found!.subject_hash, body: JSON.parse(found!.subject_body), text: found!.subject_body }
}

/** A thing of each kind by its path. */
const MATRIX: Readonly<Record<string, () => Promise<string>>> = {
  payment: async () => `payments/${(await pay()).id}`,
  contact: async () => `payment-contacts/${await contact(boss, payer.id, payee.svcId, 'Attached')}`,
  bill: async () => `bills/${(await bill('A-1')).id}`,
  batch: async () => `payment-batches/${await draft()}`,
  transaction: async () => `transactions/${row!.id}`,
}

test.each(Object.entries(MATRIX))('files of a %s are sent, listed, fetched and taken away', async (_kind, make) => {
  const path = pathOf(await make())
  const bytes = picture()
  const fileId = await sendTo(boss, path, bytes, 'image/png', 'Offer.png')
  expect((await api('GET', path, { token: boss.token })).body.data).toEqual([])
  const attached = await attachSent(boss, path, fileId)
  const file = { file_id: fileId, filename: 'Offer.png', content_type: 'image/png', byte_size: bytes.length }
  const listed = { ...file, sha256: sha256(bytes), attached_at: expect.any(String) }
  expect(attached.body.data).toEqual([listed])
  expect((await attachSent(boss, path, fileId)).body.data).toEqual([listed]) // a repeat
  expect((await api('GET', path, { token: second.token })).body.data).toEqual([listed])
  const fetched = await api('GET', `${path}/${fileId}`, { token: boss.token })
  const link = new URL(fetched.body.download_url)
  expect(Buffer.from(await (await fetch(baseUrl + link.pathname + link.search)).arrayBuffer())).toEqual(bytes)
  expect(refusal(await api('GET', path, { token: stranger.token }))).toEqual([404, 'not_found'])
  const gone = await detach(boss, path, fileId)
  expect(gone.body).toEqual({ id: fileId, deleted: true })
  expect(refusal(await detach(boss, path, fileId))).toEqual([404, 'not_found'])
  expect((await api('GET', path, { token: boss.token })).body.data).toEqual([])
  const logged = await owner<{ type: string }[]>`
    select type from events where payload::jsonb ->> 'file_id' = ${fileId} order by written`
  expect(logged.map(({ type }) => type.split('.')[1])).toEqual(['file_attached', 'file_detached'])
})

test('a file that comes or goes while an approval waits changes what is signed, and voids what was approved', async () => {
  const payment = await pay()
  const path = pathOf(`payments/${payment.id}`)
  const before = await subjectOf(payment.approval_request_id)
  expect(before.body).not.toHaveProperty('attachments')
  expect((await approve(second, payment)).body.status).toBe('pending')
  const fileId = await attach(boss, path)
  const signed = await subjectOf(payment.approval_request_id)
  expect(signed.hash).toBe(sha256(Buffer.from(signed.text)))
  expect(signed.text).toBe(canonicalJson({ ...before.body, attachments: signed.body.attachments }))
  const detail = await approval(payment.approval_request_id)
  expect(detail.attachments).toEqual(signed.body.attachments)
  expect(detail.attachments).toMatchObject([{ file_id: fileId, filename: 'offer.png' }])
  expect(detail.decisions).toMatchObject([{ decision: 'approve', voided_at: expect.any(String) }])
  expect(detail.steps).toMatchObject([{ status: 'open', approved_by: [] }])
  expect((await approve(second, payment)).status).toBe(200)
  expect((await detach(boss, path, fileId)).status).toBe(200)
  expect((await subjectOf(payment.approval_request_id)).hash).toBe(before.hash)
  expect((await approval(payment.approval_request_id)).steps).toMatchObject([{ approved_by: [] }])
  const kept = await attach(boss, path)
  for (const one of [second, boss]) expect((await approve(one, payment)).status).toBe(200)
  expect((await approval(payment.approval_request_id)).status).toBe('approved')
  expectRefusal(await detach(boss, path, kept), 'invalid_state')
  const later = await attach(boss, path, 'delivery-note.png')
  expect((await subjectOf(payment.approval_request_id)).body.attachments).toMatchObject([{ file_id: kept }])
  expect((await detach(boss, path, later)).status).toBe(200)
  const bundle = await bundleOf(boss, payment)
  expect(JSON.parse(bundle.subject_body).attachments).toMatchObject([{ file_id: kept }])
  const changes = bundle.events.filter((event: { type: string }) => event.type === 'approval.subject_changed')
  expect(changes.map((event: any) => event.payload.attachments.length)).toEqual([1, 0, 1])
  expect(bundle.decisions.map((one: any) => one.voided?.reason ?? null)).toEqual([
    'subject_changed',
    'subject_changed',
    null,
    null,
  ])
  expect(await verify(bundle)).toBe('')
  await attach(boss, path, 'delivered.png')
  const { attachments } = await findReceipt(readerOf(payer.id as OrganizationId), payment.id as PaymentId)
  expect(attachments).toBe('offer.png, delivered.png')
  const [header = [], ...rows] = readCsv(await exported(boss, payer.id, { type: 'transactions', format: 'csv' }))
  const paid = rows.filter((cells) => cells[header.indexOf('payment_id')] === payment.id)
  expect(paid.map((cells) => cells[header.indexOf('attachments')])).toEqual(['offer.png, delivered.png'])
})

test('a step-up for the subject before a file came releases nothing', async () => {
  const payment = await pay()
  const key = 'before-the-file'
  const call = { token: second.token, body: {}, key }
  const asked = await api('POST', `${approvalPath(payment)}/approve`, call)
  await api('POST', `/sandbox/step-up/${asked.body.error.step_up.id}/decide`, { body: { decision: 'allow' } })
  await attach(boss, pathOf(`payments/${payment.id}`))
  expect(refusal(await api('POST', `${approvalPath(payment)}/approve`, call))).toEqual([403, 'step_up_required'])
})

test('what is asked for with files has them in its subject: a batch, the payment of a bill, a change of a contact', async () => {
  const batchId = await draft()
  const ofBatch = await attach(boss, pathOf(`payment-batches/${batchId}`))
  const submission = await submit(boss, batchId)
  expect(submission.status, JSON.stringify(submission.body)).toBe(200)
  const { approval_request_id: forBatch } = submission.body
  expect((await approval(forBatch)).attachments).toMatchObject([{ file_id: ofBatch }])
  const bare = (await submit(boss, await draft())).body
  expect((await subjectOf(bare.approval_request_id)).body).not.toHaveProperty('attachments')

  const one = await bill('OTHER-2')
  const ofBill = await attach(boss, pathOf(`bills/${one.id}`))
  const asked = (await requestPayment(boss, one.id)).body
  expect(asked).toMatchObject({ waits_for: expect.any(Object) })
  const contactOfBill = asked.payment_contact_id
  for (const who of [boss, second]) await approve(who, waiting(asked.waits_for.approval_request_id))
  const paying = (await requestPayment(boss, one.id)).body
  expect((await approval(paying.approval_request_id)).attachments).toMatchObject([{ file_id: ofBill }])
  const more = await attach(boss, pathOf(`bills/${one.id}`))
  const ofPayment = await attach(boss, pathOf(`payments/${paying.fiat_outgoing_id}`))
  const all = (await approval(paying.approval_request_id)).attachments.map((file: any) => file.file_id)
  expect(new Set(all)).toEqual(new Set([ofBill, more, ofPayment]))

  await attach(boss, pathOf(`payment-contacts/${contactOfBill}`))
  const renamed = await api('PATCH', `/payment-contacts/${contactOfBill}`, {
    token: boss.token,
    body: { name: 'Another name' },
  })
  expect(renamed.status).toBe(200)
  const [change] = await owner<{ id: string }[]>`
    select id from approvals where target_id = ${contactOfBill} and status = 'pending'`
  expect((await approval(change!.id)).attachments).toHaveLength(1)
})

test('the page of the approver shows each file with its picture, and leads to it', async () => {
  const payment = await pay()
  const path = pathOf(`payments/${payment.id}`)
  const fileId = await attach(boss, path, '<b>offer</b>.png')
  const xml = await sendTo(boss, path, Buffer.from('<order/>'), 'application/xml', 'order.xml')
  await attachSent(boss, path, xml)
  const signed = `${approvalPath(payment)}/attachments/${fileId}`
  const fetched = await api('GET', signed, { token: second.token })
  expect(fetched.body).toMatchObject({ file_id: fileId, sha256: expect.any(String), download_url: expect.any(String) })
  expect(refusal(await api('GET', signed, { token: stranger.token }))).toEqual([404, 'not_found'])
  expect(refusal(await api('GET', `${signed}/pages/2.png`, { token: second.token }))).toEqual([404, 'not_found'])
  const at = `/approve/${payment.approval_request_id}`
  const show = (address: string, who = second) =>
    fetch(baseUrl + address, { redirect: 'manual', headers: { cookie: `session=${who.token}` } })
  const html = await (await show(at)).text()
  expect(html).toContain('&lt;b&gt;offer&lt;/b&gt;.png')
  expect(html).toContain(`${at}/files/${fileId}/page.png`)
  expect(html).not.toContain(`${at}/files/${xml}/page.png`)
  const drawn = await show(`${at}/files/${fileId}/page.png`)
  expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await show(`${at}/files/${xml}`)).status).toBe(302)
  expect((await show(`${at}/files/${fileId}`, stranger)).status).toBe(404)
  expect((await show(`${at}/files/${payment.id}`)).status).toBe(404)
})

test('what is no file of its type, or one too many, is refused; members attach to their own alone', async () => {
  const payment = await pay()
  const path = pathOf(`payments/${payment.id}`)
  const token = boss.token
  const body = { filename: 'a.exe', byte_size: 1, content_type: 'application/octet-stream' }
  expect(refusal(await api('POST', path, { token, body }))).toEqual([400, 'invalid_request'])
  const program = Buffer.concat([Buffer.from('MZ\0'), Buffer.alloc(80)])
  expectRefusal(await attachSent(boss, path, await sendTo(boss, path, program)), 'invalid_file', { reason: 'hostile' })
  const text = await sendTo(boss, path, Buffer.from('%PDF-1.4 not a picture'))
  expectRefusal(await attachSent(boss, path, text), 'invalid_file', { reason: 'unknown_format' })
  const slot = await api('POST', path, { token, body: { ...body, filename: 'a.png', content_type: 'image/png' } })
  expect(refusal(await attachSent(boss, path, slot.body.id))).toEqual([409, 'file_not_uploaded'])
  const elsewhere = await sendTo(boss, pathOf(`transactions/${row!.id}`))
  expect(refusal(await attachSent(boss, path, elsewhere))).toEqual([404, 'not_found'])
  expect(refusal(await api('POST', path, { token: member.token, body: slot.body }))).toEqual([400, 'invalid_request'])
  const asMember = { token: member.token, body: { filename: 'a.png', byte_size: 1, content_type: 'image/png' } }
  expect(refusal(await api('POST', path, asMember))).toEqual([404, 'not_found'])
  await owner`
    insert into files (id, organization_id, purpose, owner_id, filename, content_type, byte_size, stored_as, sha256,
      used_at)
    select gen_random_uuid(), ${payer.id}, 'attachment', ${payment.id}, n::text, 'image/png', 1, gen_random_uuid(), 'a',
      business_now() from generate_series(1, 10) n`
  const last = await attachSent(boss, path, await sendTo(boss, path))
  expectRefusal(last, 'unprocessable_entity', { reason: 'too_many_files', most: 10 })
})

test('a delegate attaches to what it asked for, and to drafts; never to what a person asked for', async () => {
  const token = await tokenOf(await delegateOf(boss, payer.id, { access: 'prepare', kind: 'agent' }))
  const delegate = { ...boss, token }
  const own = await createPayment(delegate, contactId, '1.00')
  await attach(delegate, pathOf(`payments/${own.id}`))
  await attach(delegate, pathOf(`payment-batches/${await draft()}`))
  const payment = await pay()
  const path = pathOf(`payments/${payment.id}`)
  const refused = await attachSent(delegate, path, await sendTo(delegate, path))
  expect(refusal(refused)).toEqual([403, 'delegate_not_permitted'])
  expect(refusal(await detach(delegate, path, own.id))).toEqual([403, 'delegate_not_permitted'])
})

test('a file that comes at once with the submission is in the subject, or no file of the batch', async () => {
  for (let round = 0; round < 4; round += 1) {
    const batchId = await draft()
    const path = pathOf(`payment-batches/${batchId}`)
    const fileId = await sendTo(boss, path)
    const [attached, asked] = await Promise.all([attachSent(boss, path, fileId), submit(boss, batchId)])
    expect([attached.status, asked.status]).toEqual([200, 200])
    const { attachments } = await approval(asked.body.approval_request_id)
    expect(attachments).toMatchObject([{ file_id: fileId }])
  }
})

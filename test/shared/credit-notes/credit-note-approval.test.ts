import { expect, test } from 'vitest'
import { describe } from '../../../pages/approvals/subjects/describe.ts'
import { rowsOf } from '../../../pages/frame/rows.ts'
import { TEXTS } from '../../support/pages/texts.ts'
import { api, approvalPath, approve, join, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { bundleOf, verifyHere } from '../../support/approvals/evidence.ts'
import { preparedSet, told } from '../../support/approvals/sets.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { creditHistoryOf, creditNoteOf, creditStep, readCreditNote } from '../../support/credit-notes/credit-notes.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
const second = await person({ authenticator: true })
const { id: sellerId } = await organization(boss, 'Seller')
await join(sellerId, second, 'admin')

/** A sent invoice to a customer of its own. Amounts from 10 need one approval afterwards. */
async function invoiced(more: object = {}) {
  await setRules(sellerId, boss, [])
  const contact = await billingContact(boss, sellerId)
  const { id } = await invoiceOf(boss, sellerId, contact.id, more)
  const { body } = await step(boss, id, 'submit')
  const steps = [{ required: 1, roles: ['owner', 'admin'] }]
  await setRules(sellerId, boss, [{ action_type: 'billing_invoice', steps, currency: 'EUR', amount_from: '10' }])
  return body
}

async function submitted(invoiceId: string, amount = '50') {
  const { id } = await creditNoteOf(boss, invoiceId, amount)
  const { status, body } = await creditStep(boss, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return body
}
type Note = Awaited<ReturnType<typeof submitted>>

const read = async (note: Note) => (await api('GET', approvalPath(note), { token: second.token })).body
const reject = (note: Note) => api('POST', `${approvalPath(note)}/reject`, { token: second.token, body: {} })

test('approvers see the credit note with its invoice, as the target of the contract, and it is sent with their proof', async () => {
  const invoice = await invoiced({ charges: [{ amount: '20' }], discounts: [{ amount: '20' }] })
  const small = await creditNoteOf(boss, invoice.id, '9.99')
  expect([small.next_valid_states, (await creditStep(boss, small.id, 'submit')).body.state]).toEqual([['sent'], 'sent'])
  const note = await submitted(invoice.id)
  expect(note).toMatchObject({
    state: 'awaiting_approval',
    next_valid_states: ['draft', 'sent'],
    number: null,
    approval_requester: { id: boss.userId },
  })
  const approval = await read(note)
  const type = 'billing_invoice'
  const target = { action_type: type, target_type: type, target_id: invoice.id, status: 'pending' }
  expect(approval).toMatchObject({ ...target, blocked_by: [] })
  expect(approval.summary).toContain(`50.00 EUR for invoice "${invoice.number}"`)
  const attention = `/organizations/${note.organization_id}/attention?kind=review_approval`
  const { body: items } = await api('GET', attention, { token: second.token })
  expect(items.data).toContainEqual(expect.objectContaining({ title: 'Approve a credit note' }))
  const { id, total, line_items, discounts, charges, billing_contact: contact } = invoice
  expect(approval.subject).toEqual({
    type,
    billing_invoice: expect.objectContaining({ id, total, line_items, discounts, charges }),
    credit_note: {
      id: note.id,
      invoice_number: invoice.number,
      total: '50.00',
      currency: 'EUR',
      issue_date: note.issue_date,
      reason: note.reason,
      line_items: note.line_items,
      discounts: [],
      charges: [],
      created_at: note.inserted_at,
    },
  })
  const { title, amounts, rows } = describe(approval.subject, TEXTS)
  expect([title, amounts]).toEqual(['Credit note', [{ amount: '50.00', currency: 'EUR' }]])
  const shown = String(await rowsOf(rows)).replaceAll(/<[^>]+>/g, '')
  for (const words of [invoice.number, '172.50 EUR', note.reason, ...contact.emails]) expect(shown).toContain(words)
  const approved = await approve(second, note)
  expect(approved.body).toMatchObject({ ...target, status: 'approved' })
  expect(await readCreditNote(boss, note.id)).toMatchObject({ state: 'sent', number: 'CN-000002' })
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ credited: '59.99', state: 'sent' })
  const bundle = await bundleOf(boss, note)
  expect(verifyHere(bundle)).toBe('')
  expect(bundle.events.map(({ type: one }: { type: string }) => one)).toEqual(
    expect.arrayContaining(['credit_note.sent', 'approval.approved']),
  )
})

test.each(['reject', 'expire'] as const)('it is a draft again if the approval ends by %s', async (verb) => {
  const { id: invoiceId } = await invoiced()
  const note = await submitted(invoiceId)
  if (verb === 'expire') {
    await owner`update approvals set expires_at = business_now() where id = ${note.approval_request_id}`
    await owner`update processes set version = version + 1, look_at = business_now() where id = ${note.id}`
  } else expect((await reject(note)).status).toBe(200)
  await until('a draft', async () => (await readCreditNote(boss, note.id)).state === 'draft')
  const again = { number: null, approval_request_id: null, approval_requester: null }
  expect(await readCreditNote(boss, note.id)).toMatchObject(again)
  expect(await readInvoice(boss, invoiceId)).toMatchObject({ state: 'sent', credited: '0.00', credit_notes: [] })
  const anew = (await creditStep(second, note.id, 'submit')).body
  expect((await approve(boss, anew)).status).toBe(200)
  const happened = 'created submitted refused submitted sent'.split(' ').map((name) => `credit_note.${name}`)
  expect((await creditHistoryOf(boss, note.id)).slice(0, 5)).toEqual(happened)
})

test('it is not approved once it exceeds the invoice, nor to addresses that approvers did not see', async () => {
  const { id: invoiceId, billing_contact: contact } = await invoiced()
  const [one, other] = [await submitted(invoiceId, '100'), await submitted(invoiceId, '100')]
  expect((await approve(second, one)).status).toBe(200)
  expect((await read(other)).blocked_by).toEqual(['credit_exceeds'])
  expectRefusal(await approve(second, other), 'credit_exceeds', { available: '72.50' })
  expect((await reject(other)).status).toBe(200)
  const third = await submitted(invoiceId, '72.50')
  const body = { emails: ['mallory@example.com'] }
  expect((await api('PATCH', `/billing-contacts/${contact.id}`, { token: boss.token, body })).status).toBe(200)
  expect((await read(third)).blocked_by).toEqual(['invalid_state'])
  expectRefusal(await approve(second, third), 'invalid_state', { reason: 'customer_changed' })
})

test('approvals in bulk by two people at once send each once, and never more than the invoice', async () => {
  const { id: invoiceId } = await invoiced()
  const notes = await Promise.all(Array.from({ length: 6 }, () => submitted(invoiceId, '50')))
  const ids = notes.map((note) => note.approval_request_id)
  const [one, two] = [await preparedSet(boss, sellerId, ids), await preparedSet(second, sellerId, ids.toReversed())]
  const verdicts = (await Promise.all([one.decide(), two.decide()])).flatMap(told)
  expect(verdicts.filter((verdict) => verdict === 'approved')).toHaveLength(3)
  expect(verdicts).toContain('credit_exceeds')
  expect(await readInvoice(boss, invoiceId)).toMatchObject({ credited: '150.00', due_amount: '22.50' })
})

import { expect, test } from 'vitest'
import { type Answer, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { preparedSet, told } from '../../support/approvals/sets.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { fullScale } from '../../support/model-runs.ts'

const boss = await person({ authenticator: true })
const INVOICES = fullScale ? 50 : 6

/** An organization with a customer; `approvers` of its admins approve its invoices. */
async function seller({ approvers = 0 } = {}) {
  const { id } = await organization(boss, 'Seller')
  const steps = [{ required: approvers, roles: ['owner', 'admin'] }]
  if (approvers > 0) await setRules(id, boss, [{ action_type: 'billing_invoice', steps }])
  return { id, contact: (await billingContact(boss, id)).id as string }
}
type Seller = Awaited<ReturnType<typeof seller>>

const drafts = ({ id, contact }: Seller, count: number, more: object = {}): Promise<Answer['body'][]> =>
  Promise.all(Array.from({ length: count }, () => invoiceOf(boss, id, contact, more)))
const submit = ({ id }: { id: string }) => step(boss, id, 'submit')
const consecutive = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `INV-${String(1 + index).padStart(6, '0')}`)

test('submits at once give consecutive numbers without a gap, also with refused ones between', async () => {
  const from = await seller()
  const [whole, incomplete] = await Promise.all([
    drafts(from, INVOICES),
    drafts(from, Math.ceil(INVOICES / 2), { profile: 'xrechnung' }),
  ])
  const twice = [...whole, ...incomplete, ...whole.slice(0, 3)]
  const answers = await Promise.all(twice.map(submit))
  const kinds = answers.map(({ status, body }) => (status === 200 ? body.state : body.error.type))
  const count = (kind: string) => kinds.filter((one) => one === kind).length
  expect(new Set(kinds)).toEqual(new Set(['sent', 'invoice_incomplete', 'invalid_state']))
  expect([count('sent'), count('invoice_incomplete'), count('invalid_state')]).toEqual([INVOICES, incomplete.length, 3])
  const numbers = await Promise.all(whole.map(async ({ id }) => (await readInvoice(boss, id)).number))
  expect(numbers.toSorted()).toEqual(consecutive(INVOICES))
  for (const { id } of incomplete) expect(await readInvoice(boss, id)).toMatchObject({ state: 'draft', number: null })
})

test('approvals in bulk by two people at once send each invoice once, under consecutive numbers', async () => {
  const from = await seller({ approvers: 1 })
  const second = await person({ authenticator: true })
  await join(from.id, second, 'admin')
  const submitted = await Promise.all((await drafts(from, INVOICES)).map(async (one) => (await submit(one)).body))
  const ids: string[] = submitted.map((one) => one.approval_request_id)
  const [one, other] = [await preparedSet(boss, from.id, ids), await preparedSet(second, from.id, ids.toReversed())]
  const verdicts = (await Promise.all([one.decide(), other.decide()])).flatMap(told)
  expect(verdicts.filter((verdict) => verdict === 'approved')).toHaveLength(INVOICES)
  expect(new Set(verdicts)).toEqual(new Set(['approved', 'approval_already_processed']))
  const numbers = await Promise.all(submitted.map(async ({ id }) => (await readInvoice(boss, id)).number))
  expect(numbers.toSorted()).toEqual(consecutive(INVOICES))
})

const prefix = async (organizationId: string, invoice_prefix: string) => {
  const call = { token: boss.token, body: { invoice_prefix } }
  expect((await withStepUp('PATCH', `/organizations/${organizationId}/settings`, call)).status).toBe(200)
}

test('a prefix stands before numbers from then on and begins no other sequence; each organization has its own', async () => {
  const [from, other] = [await seller(), await seller()]
  const [one, two, three] = await drafts(from, 3)
  expect((await submit(one)).body.number).toBe('INV-000001')
  await prefix(from.id, 'ACME/2030-')
  expect((await submit(two)).body.number).toBe('ACME/2030-000002')
  await prefix(from.id, '')
  expect((await submit(three)).body.number).toBe('000003')
  expect((await readInvoice(boss, one.id)).number).toBe('INV-000001')
  const [others] = await drafts(other, 1)
  expect((await submit(others)).body.number).toBe('INV-000001')
})

test('documents that are not written yet are asked for again after some seconds', async () => {
  const [one] = await drafts(await seller(), 1)
  expect((await submit(one)).status).toBe(200)
  const pending = await api('GET', `/invoices/${one.id}/pdf`, { token: boss.token })
  expect(pending.headers.get('retry-after')).toBe('5')
  expectRefusal(pending, 'invalid_state', { reason: 'documents_pending' })
})

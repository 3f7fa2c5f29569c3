/** Rules that compare labels and accounts, and rules that require accounts. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api, approvalPath, fund } from '../../support/api.ts'
import { evaluate, putPolicy, rule, setPolicy } from '../../support/approvals/policies.ts'
import { submit } from '../../support/batches/batches.ts'
import { runOf } from '../../support/batches/bills.ts'
import { requestPayment, typedBill } from '../../support/bills/bills.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { staffOf } from '../../support/organizations/members.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { businessNow } from '../../support/payments/schedules.ts'
import { DAY_MS } from '../../../domain/instants.ts'

usePartners()

const at = await contactWith([BANK])
const org = `/organizations/${at.payer.id}`
const { token } = at.boss
await fund(at.payer.id, '900.00', 'EUR')
await staffOf(at.payer.id, 'admin', 'admin', 'member')
const put = (path: string, body: object) => api('PUT', path, { token, body })
const values = [{ code: 'sales', name: 'Sales' }, { code: 'it', name: 'IT' }] // prettier-ignore
await put(`${org}/dimensions`, { dimensions: [{ code: 'department', name: 'Department', values }] })
const accounts = ['4900', '4930'].map((code) => ({ code, name: code, account_type: 'expense' }))
await put(`${org}/accounts-chart`, { accounts, tax_codes: [] })

const label = (value: string) => ({ dimension: 'department', value })
const one = (...roles: string[]) => [{ required: 1, roles, user_ids: [] }]
const two = [{ required: 2, roles: ['owner', 'admin'], user_ids: [] }]
const basic = rule({ steps: one('owner', 'admin') })
const stepsOf = async (target: Parameters<typeof approvalPath>[0]) =>
  (await api('GET', approvalPath(target), { token })).body.steps.map((step: any) => [step.required, ...step.roles])
const paid = async (more: object = {}) => {
  const quote = await quoteOf(at.boss, at.contact, { amount: '20.00', currency: 'EUR' })
  return executed(at.boss, quote.quote_id, more)
}
const code = (billId: string, part: object) =>
  put(`/bills/${billId}/coding`, { lines: [{ line: 1, parts: [{ account_code: null, ...part }] }] })
let number = 0
const billOf = async () =>
  (
    await typedBill(at.boss, at.payer.id, {
      amount: `${20 + number}.00`,
      iban: BANK.iban,
      bill_number: `C-${(number += 1)}`,
    })
  ).id

test('labels and accounts add steps, which a later change does not weaken', async () => {
  await setPolicy(
    at.boss,
    at.payer.id,
    basic,
    rule({ steps: two, when: { labels: [label('sales')] } }),
    rule({ steps: one('member'), when: { account_codes: ['4930'] } }),
  )
  const labelled = await paid({ labels: [label('sales')] })
  expect(await stepsOf(labelled)).toEqual([[2, 'owner', 'admin']])
  const other = await paid({ labels: [label('it')] })
  expect(await stepsOf(other)).toEqual([[1, 'owner', 'admin']])
  for (const [id, labels] of [
    [labelled.id, []],
    [other.id, [label('sales')]],
  ] as const) {
    // prettier-ignore
    const answer = await api('PATCH', `/payments/${id}`, { token, body: { labels } })
    expect([refusal(answer), answer.body.error.details.reason]).toEqual([[409, 'invalid_state'], 'compared_by_rules'])
  }
  expect((await api('PATCH', `/payments/${other.id}`, { token, body: { internal_notes: 'Seen' } })).status).toBe(200)

  const id = await billOf()
  await code(id, { account_code: '4930', labels: [label('sales')] })
  const asked = { action_type: 'withdrawal', amount: { amount: '20.00', currency: 'EUR' } }
  const { body } = await evaluate(at.boss, at.payer.id, { ...asked, bill_id: id })
  expect(body.routed).toEqual([{ rule: 1, conditions: ['labels'] }, { rule: 2, conditions: ['account_codes'] }]) // prettier-ignore
  const bare = await evaluate(at.boss, at.payer.id, { ...asked, labels: [label('sales')] })
  expect(bare.body.routed).toEqual([{ rule: 1, conditions: ['labels'] }])
  const requested = await requestPayment(at.boss, id, { payment_contact_id: at.contact })
  expect(requested.status, JSON.stringify(requested.body)).toBe(200)
  expect(await stepsOf(requested.body)).toEqual([[2, 'owner', 'admin'], [1, 'member']]) // prettier-ignore
  expect(refusal(await code(id, { account_code: '4900' }))).toEqual([409, 'invalid_state'])
  expect((await evaluate(at.boss, at.payer.id, { ...asked, bill_id: crypto.randomUUID() })).status).toBe(404)
})

test('a bill without the coding that its rule requires is not asked for, by its lines; other rules ask for nothing', async () => {
  const large = rule({ steps: one('owner'), amount_from: '1000', require: ['account_code'] })
  await setPolicy(at.boss, at.payer.id, basic, large)
  const id = await billOf()
  expect((await requestPayment(at.boss, await billOf(), { payment_contact_id: at.contact })).status).toBe(200)
  await setPolicy(at.boss, at.payer.id, basic, rule({ when: { new_payee: true }, require: ['account_code'] }))
  const asked = { action_type: 'withdrawal', amount: { amount: '20.00', currency: 'EUR' }, payment_contact_id: at.contact, bill_id: id } // prettier-ignore
  const before = await evaluate(at.boss, at.payer.id, asked)
  expect([before.body.rule.require, before.body.uncoded_lines]).toEqual([['account_code'], [1]])
  await code(id, { labels: [label('it')] })
  const answer = await requestPayment(at.boss, id, { payment_contact_id: at.contact })
  expect([refusal(answer), answer.body.error.details]).toEqual([
    [422, 'coding_required'],
    { bill_id: id, lines: [1], fields: ['account_code'] },
  ])
  expect((await owner`select status from bills where id = ${id}`)[0]).toEqual({ status: 'extracted' })
  await code(id, { account_code: '4900' })
  expect((await evaluate(at.boss, at.payer.id, asked)).body.uncoded_lines).toEqual([])
  expect((await requestPayment(at.boss, id, { payment_contact_id: at.contact })).status).toBe(200)
  expect(refusal(await code(id, {}))).toEqual([409, 'invalid_state'])
})

test('a bill that is coded anew while it is asked for is either refused or keeps the coding that it was asked with', async () => {
  await setPolicy(at.boss, at.payer.id, { ...basic, require: ['account_code'] })
  for (let round = 0; round < 4; round += 1) {
    const id = await billOf()
    await code(id, { account_code: '4900' })
    const [asked, emptied] = await Promise.all([
      requestPayment(at.boss, id, { payment_contact_id: at.contact }),
      put(`/bills/${id}/coding`, { lines: [] }),
      put(`${org}/accounts-chart`, { accounts, tax_codes: [] }),
    ])
    expect([asked.status, emptied.status].toSorted()).toEqual(asked.status === 200 ? [200, 409] : [200, 422])
  }
})

/** Makes a bill look as if a mail had brought it. */
const mailed = async (id: string) => {
  const mail = randomUUID()
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = 'replica'`
    await tx`update bills set inbound_mail_id = ${mail} where id = ${id}`
  })
}

test('a run meets what the coding of one of its bills meets, needs all of them coded, and is by mail if one bill is', async () => {
  const run = (more: object) => rule({ action_type: 'payment_batch', ...more })
  await setPolicy(
    at.boss,
    at.payer.id,
    run({ steps: one('owner', 'admin') }),
    run({ steps: two, when: { labels: [label('sales')], account_codes: ['4930'] } }),
    run({ steps: one('member'), when: { origins: ['mail'] } }),
    run({ steps: one('owner'), when: { new_payee: true }, require: ['account_code'] }),
  )
  const [first, second, third] = [await billOf(), await billOf(), await billOf()]
  await code(first, { account_code: '4930', labels: [label('it')] })
  await code(second, { account_code: '4900', labels: [label('sales')] })
  const draft = await runOf(at.boss, at.payer.id, [first, second, third])
  expect(draft.refused).toEqual([])
  const refused = await submit(at.boss, draft.id)
  expect([refusal(refused), refused.body.error.details]).toEqual([
    [422, 'coding_required'],
    { bill_ids: [third], fields: ['account_code'] },
  ])
  await code(third, { account_code: '4900' })
  await mailed(third)
  const asked = await submit(at.boss, draft.id)
  expect(await stepsOf(asked.body)).toEqual([[1, 'owner', 'admin'], [1, 'member'], [1, 'owner']]) // prettier-ignore
  expect(refusal(await code(first, { account_code: '4900' }))).toEqual([409, 'invalid_state'])
  await api('POST', `${approvalPath(asked.body)}/reject`, { token, body: { reason: 'Coded wrong' } })
  await code(first, { account_code: '4930', labels: [label('sales')] })
  const again = await submit(at.boss, draft.id)
  expect(await stepsOf(again.body)).toEqual([[2, 'owner', 'admin'], [1, 'member'], [1, 'owner']]) // prettier-ignore
})

test('a payment and a run need each line of a bill coded, also if one has the amount of all', async () => {
  const all = { steps: one('owner', 'admin'), require: ['account_code'] }
  await setPolicy(at.boss, at.payer.id, rule(all), rule({ action_type: 'payment_batch', ...all }))
  const id = await billOf()
  const [bill] = await owner`select amount::text as amount from bills where id = ${id}`
  const amounts = [bill?.['amount'] as string, '0', '3.00', '-3.00']
  const items = amounts.map((amount) => ({ description: 'Work', quantity: null, unit: null, unit_price: null, amount, tax_rate: null })) // prettier-ignore
  await owner`update bills set line_items = ${owner.json(items)} where id = ${id}`
  expect((await code(id, { account_code: '4900' })).status).toBe(200)
  const alone = await requestPayment(at.boss, id, { payment_contact_id: at.contact })
  expect([refusal(alone), alone.body.error.details.lines]).toEqual([[422, 'coding_required'], [2, 3, 4]]) // prettier-ignore
  const { id: run } = await runOf(at.boss, at.payer.id, [id])
  const refused = await submit(at.boss, run)
  expect([refusal(refused), refused.body.error.details.bill_ids]).toEqual([[422, 'coding_required'], [id]]) // prettier-ignore
  const lines = amounts.map((_, at) => ({ line: at + 1, parts: [{ account_code: '4900' }] }))
  expect((await put(`/bills/${id}/coding`, { lines })).status).toBe(200)
  expect((await submit(at.boss, run)).status).toBe(200)
})

test('a rehearsal compares labels and accounts, and refuses bills without coding', async () => {
  const rehearse = async (...rules: object[]) => {
    const now = Date.parse(await businessNow())
    const span = { from: new Date(now - 300 * DAY_MS).toISOString(), to: new Date(now + DAY_MS).toISOString() }
    const answer = await api('POST', `${org}/approval-policy/rehearse`, { token, body: { rules, ...span } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const compared = await rehearse(basic, rule({ steps: two, when: { labels: [label('sales')], account_codes: ['4930'] } })) // prettier-ignore
  expect(compared.rules[1].requests).toBe(1)
  const required = await rehearse({ ...basic, require: ['account_code'] })
  expect(required.outcomes.find(({ outcome }: any) => outcome === 'refused').requests).toBe(1)
})

test.each([
  [{ action_type: 'payment_contact', require: ['account_code'] }, 'rules.0.require', 'not_money_out'],
  [{ require: ['tax_code'] }, 'rules.0.require.0', undefined],
  [{ require: ['account_code'], period: 'day', per: 'payee', amount_from: '1' }, 'rules.0.require', 'with_period'],
])('the rule %j is refused at %s', async (more, path, fault) => {
  const answer = await putPolicy(at.boss, at.payer.id, [rule(more)])
  expect(refusal(answer)).toEqual([400, 'invalid_request'])
  const expected = expect.objectContaining({ path, ...(fault !== undefined && { code: fault }) })
  expect(answer.body.error.details.errors).toContainEqual(expected)
})

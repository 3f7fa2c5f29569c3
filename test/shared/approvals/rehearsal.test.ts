/** Rehearsal of a policy against requests that were made: what changes, for whom, and what nobody could approve. */
import { expect, test } from 'vitest'
import { type TestPerson, api, approve } from '../../support/api.ts'
import { staffedPayer } from '../../support/approvals/approvals.ts'
import { policyPath, rule, setPolicy } from '../../support/approvals/policies.ts'
import { draftOf, submit } from '../../support/batches/batches.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { fund } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { businessNow } from '../../support/payments/schedules.ts'

// other files have advanced the business clock
const now = Date.parse(await businessNow())
const from = new Date(now - 86_400_000).toISOString()
const to = new Date(now + 2 * 86_400_000).toISOString()
const rehearse = ({ token }: TestPerson, id: string, rules: object[], span: object = { from, to }) =>
  api('POST', `${policyPath(id)}/rehearse`, { token, body: { rules, ...span } })
const outcomesOf = ({ body }: { body: any }) =>
  Object.fromEntries(
    body.outcomes.flatMap(({ outcome, requests }: any) => (requests === 0 ? [] : [[outcome, requests]])),
  )
const two = [{ required: 2, roles: ['owner', 'admin'] }]

const at = await staffedPayer('admin', 'member')
const [admin, member] = at.staff
await at.pay('10.00')
await at.pay('20.00')
await at.pay('30.00')
const batch = await draftOf(at.boss, at.id, [{ iban: BANK.iban, amount: '15.00' }])
await fund(at.id, '100.00', 'EUR')
expect((await submit(at.boss, batch)).status).toBe(200)

test('the rules in force change nothing, and say who could have approved how much', async () => {
  const answer = await rehearse(at.boss, at.id, [])
  expect(answer.status).toBe(200)
  expect([answer.body.requests, outcomesOf(answer), answer.body.examples]).toEqual([4, { unchanged: 4 }, []])
  const shares = Object.fromEntries(answer.body.people.map((one: any) => [one.id, one]))
  expect(shares[at.boss.userId]).toMatchObject({ could_approve: 4, needed: 0 })
  expect(shares[admin.userId].amounts).toContainEqual({ amount: '60.00', currency: 'USD' })
  expect(shares[member.userId]).toMatchObject({ could_approve: 0, needed: 0, amounts: [] })
})

test('each request has what the rule of its amount would have asked for, with an example of what changes', async () => {
  const answer = await rehearse(at.boss, at.id, [
    rule({ steps: two, currency: 'USD', amount_from: '20.00' }),
    rule({ action_type: 'payment_batch', steps: [{ required: 1, roles: ['member'] }] }),
  ])
  expect(outcomesOf(answer)).toEqual({ unchanged: 1, stricter: 2, other: 1 })
  expect(answer.body.rules).toEqual([
    { rule: 0, requests: 2 },
    { rule: 1, requests: 1 },
  ])
  expect(answer.body.examples[0]).toMatchObject({
    outcome: 'stricter',
    before: [{ required: 1, roles: ['owner', 'admin'], user_ids: [] }],
    after: [{ required: 2, roles: ['owner', 'admin'], user_ids: [] }],
  })
  expect(answer.body.examples[0].summary).toContain('20')
})

test('what the members of today could not approve, and what a hard limit had refused, is said', async () => {
  const few = await rehearse(at.boss, at.id, [rule({ steps: [{ required: 3, roles: ['owner', 'admin'] }] })])
  expect(outcomesOf(few)).toEqual({ unmeetable: 3, unchanged: 1 })
  const hard = { period: 'day', per: 'organization', amount_from: '35.00', currency: 'USD', hard: true, steps: [] }
  const limited = await rehearse(at.boss, at.id, [rule(hard)])
  // 10 and 20 stay below, 30 more does not; the batch is in euros, with a rate of their day
  expect(outcomesOf(limited).refused).toBeGreaterThanOrEqual(1)
  expect(limited.body.examples.at(-1)).toMatchObject({ outcome: 'refused', after: [] })
})

test('a limit counts request after request, and conditions meet payees as they were then', async () => {
  const payer = await contactWith([BANK])
  await fund(payer.payer.id, '500.00', 'EUR')
  const pay = async () => {
    const quote = await quoteOf(payer.boss, payer.contact, { amount: '20.00', currency: 'EUR' })
    const payment = await executed(payer.boss, quote.quote_id)
    await approve(payer.boss, payment)
    await owner`update payments set status = 'succeeded' where id = ${payment.id}`
  }
  await pay()
  await pay()
  await pay()
  const own = { steps: [{ required: 1, roles: ['owner'] }] }
  const routed = await rehearse(payer.boss, payer.payer.id, [
    rule({ ...own, when: { new_payee: true, countries: ['DE'] } }),
  ])
  expect(routed.body.rules[0].requests).toBe(1)
  expect(outcomesOf(routed)).toEqual({ unmeetable: 1, unchanged: 2 })
  const limit = { period: 'week', per: 'payee', amount_from: '50.00', currency: 'EUR' }
  const limited = await rehearse(payer.boss, payer.payer.id, [rule({ ...own, ...limit })])
  expect(limited.body.rules[0].requests).toBe(1)
})

test('requests of another time are none, and spans are refused that end too early or too late', async () => {
  const past = { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' }
  expect((await rehearse(at.boss, at.id, [], past)).body).toMatchObject({ requests: 0, examples: [] })
  for (const [span, code] of [
    [{ from: to, to: from }, 'not_after_from'],
    [{ from: '2024-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'too_far'],
  ] as const) {
    const answer = await rehearse(at.boss, at.id, [], span)
    expect(refusal(answer)).toEqual([400, 'invalid_request'])
    expect(answer.body.error.details.errors[0]).toMatchObject({ path: 'to', code })
  }
  expect(refusal(await rehearse(member, at.id, []))).toEqual([403, 'forbidden'])
  await setPolicy(at.boss, at.id)
})

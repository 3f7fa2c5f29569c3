/** Rules with conditions: who is asked for a payment by payee, country, novelty and way. */
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, approvalPath, fund } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { evaluate, putPolicy, rule, setPolicy } from '../../support/approvals/policies.ts'
import { draftOf, submit } from '../../support/batches/batches.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { staffOf } from '../../support/organizations/members.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'

const FRENCH = { ...BANK, country_code: 'FR', iban: 'FR1420041010050500013M02606' }
const EUR = (amount: string) => ({ amount, currency: 'EUR' })
const one = (...roles: string[]) => [{ required: 1, roles, user_ids: [] }]
const two = [{ required: 2, roles: ['owner', 'admin'], user_ids: [] }]

async function payerOf(destination: object) {
  const at = await contactWith([destination])
  await fund(at.payer.id, '900.00', 'EUR')
  await staffOf(at.payer.id, 'admin', 'admin', 'member')
  return { ...at, id: at.payer.id }
}
type Payer = Awaited<ReturnType<typeof payerOf>>

async function pay({ boss, contact }: Payer) {
  const quote = await quoteOf(boss, contact, EUR('20.00'))
  const payment = await executed(boss, quote.quote_id)
  return { payment, quote, steps: await stepsOf(boss, payment) }
}
async function stepsOf(boss: TestPerson, target: Parameters<typeof approvalPath>[0]) {
  const { body } = await api('GET', approvalPath(target), { token: boss.token })
  return body.steps.map(({ required, roles }: { required: number; roles: string[] }) => [required, ...roles])
}

describe('a payment', () => {
  test('needs the steps of every rule that it meets, those of its amount first, and evaluate says which and why', async () => {
    const at = await payerOf(FRENCH)
    await setPolicy(
      at.boss,
      at.id,
      rule({ steps: one('owner', 'admin') }),
      rule({ steps: one('member'), when: { countries: ['FR', 'IT'] } }),
      rule({ steps: two, when: { new_payee: true }, self_approval: false }),
      rule({ steps: one('owner'), when: { contact_ids: [at.contact], origins: ['delegate'] } }),
      rule({ steps: one('owner'), amount_from: '1000', when: { countries: ['FR'] } }),
    )
    const { steps, quote } = await pay(at)
    expect(steps).toEqual([
      [2, 'owner', 'admin'],
      [1, 'member'],
    ])
    expect(quote.approvers_needed).toBe(3)
    const asked = { action_type: 'withdrawal', amount: EUR('20.00'), payment_contact_id: at.contact }
    const { body } = await evaluate(at.boss, at.id, asked)
    expect(body.routed).toEqual([
      { rule: 1, conditions: ['countries'] },
      { rule: 2, conditions: ['new_payee'] },
    ])
    expect(body.rule).toMatchObject({ self_approval: false })
    const byDelegate = await evaluate(at.boss, at.id, { ...asked, origin: 'delegate' })
    expect(byDelegate.body.routed.map(({ rule: index }: { rule: number }) => index)).toEqual([1, 2, 3])
    await owner`update payments set status = 'succeeded' where organization_id = ${at.id}`
    const again = await evaluate(at.boss, at.id, asked)
    expect(again.body.routed).toEqual([{ rule: 1, conditions: ['countries'] }])
  })

  test('to another country meets none, and is as before', async () => {
    const at = await payerOf(BANK)
    await setPolicy(at.boss, at.id, rule({ steps: two, when: { countries: ['FR'] } }))
    const { steps, quote } = await pay(at)
    expect([steps, quote.approvers_needed]).toEqual([[[1, 'owner', 'admin']], 1])
  })

  test('of which the rules together ask for more people than there are is refused', async () => {
    const at = await payerOf(BANK)
    const steps = [{ required: 2, roles: ['owner', 'admin'] }]
    await setRules(at.id, at.boss, [
      { steps, self_approval: false },
      { steps: [{ required: 1, roles: ['owner'] }], when: { new_payee: true }, self_approval: false },
    ])
    const quote = await quoteOf(at.boss, at.contact, EUR('20.00'))
    const answer = await api('POST', '/payments/execute', {
      token: at.boss.token,
      body: { quote_id: quote.quote_id, payout_reason: 'services', statement_description: 'One' },
    })
    expect([refusal(answer), answer.body.error.details.reason]).toEqual([[422, 'no_eligible_approver'], 'rules_add_up'])
  })
})

test('a batch meets the conditions that one of its rows meets', async () => {
  const at = await payerOf(BANK)
  await setPolicy(
    at.boss,
    at.id,
    rule({ action_type: 'payment_batch', steps: one('owner', 'admin') }),
    rule({ action_type: 'payment_batch', steps: one('member'), when: { countries: ['DE'], new_payee: true } }),
    rule({ action_type: 'payment_batch', steps: two, when: { countries: ['FR'] } }),
  )
  const id = await draftOf(at.boss, at.id, [{ iban: BANK.iban, amount: '10.00', currency: 'EUR' } as never])
  const { body } = await submit(at.boss, id)
  expect(await stepsOf(at.boss, body)).toEqual([
    [1, 'owner', 'admin'],
    [1, 'member'],
  ])
})

test.each([
  [{ action_type: 'payment_contact', when: { new_payee: true } }, 'rules.0.when', 'not_money_out'],
  [{ when: {} }, 'rules.0.when', 'no_condition'],
  [{ when: { countries: ['XX'] } }, 'rules.0.when.countries.0', undefined],
  [{ when: { new_payee: true }, period: 'day', per: 'payee', amount_from: '1' }, 'rules.0.when', 'with_period'],
])('the rule %j is refused at %s', async (more, path, code) => {
  const at = await contactWith([BANK])
  const answer = await putPolicy(at.boss, at.payer.id, [rule(more)])
  expect(refusal(answer)).toEqual([400, 'invalid_request'])
  expect(answer.body.error.details.errors).toContainEqual(
    expect.objectContaining({ path, ...(code !== undefined && { code }) }),
  )
})

/** Bodies of approvals: rules of a policy, sets, reasons, and times of substitutions. */
import { randomUUID } from 'node:crypto'
import type { GenericSchema } from 'valibot'
import { describe, expect, test } from 'vitest'
import { parse } from '../../api/http/validation.ts'
import { RejectBody, SetDecision } from '../../domain/approvals/approval.ts'
import { DEFAULT_RULES, PolicyRules } from '../../domain/approvals/policy.ts'
import { NewSubstitution } from '../../domain/substitutions/substitution.ts'
import { faultsOf } from '../support/bodies.ts'

const rule = (more: object = {}) => ({ ...DEFAULT_RULES[0], ...more })

const codesOf = (schema: GenericSchema, body: unknown) =>
  faultsOf(schema, body).map(({ path, code }) => `${path}: ${code}`)

describe('rules of the wrong shape', () => {
  const ID = randomUUID()
  const CONTACT = { action_type: 'payment_contact' }
  const step = { required: 1, roles: ['owner'] }
  const steps = (...some: object[]) => rule({ steps: some })
  const monthly = { amount_from: '1', period: 'month', per: 'organization' }
  const hard = { hard: true, steps: [] }
  test.each<[string, unknown, string]>([
    ['no rules', undefined, 'rules: required'],
    ['an unknown action', [rule({ action_type: 'swap' })], 'rules.0.action_type: picklist'],
    ['no number of approvers', [steps(step, { roles: ['owner'] })], 'rules.0.steps.1.required: required'],
    ['zero approvers', [steps({ ...step, required: 0 })], 'rules.0.steps.0.required: min_value'],
    ['six approvers', [steps({ ...step, required: 6 })], 'rules.0.steps.0.required: max_value'],
    ['a part of an approver', [steps({ ...step, required: 1.5 })], 'rules.0.steps.0.required: integer'],
    ['a step that names no one', [steps(step, { required: 1 })], 'rules.0.steps.1: names_nobody'],
    ['a role twice', [steps({ required: 1, roles: ['admin', 'admin'] })], 'rules.0.steps.0.roles.1: duplicate'],
    ['an unknown role', [steps({ required: 1, roles: ['boss'] })], 'rules.0.steps.0.roles.0: picklist'],
    ['no uuid', [steps({ required: 1, user_ids: ['me'] })], 'rules.0.steps.0.user_ids.0: check'],
    [
      'a person twice, in whatever case',
      [steps({ required: 1, user_ids: [ID, ID.toUpperCase()] })],
      'rules.0.steps.0.user_ids.1: duplicate',
    ],
    ['no step', [steps()], 'rules.0.steps: min_length'],
    ['six steps', [steps(...Array(6).fill(step))], 'rules.0.steps: max_length'],
    ['101 rules', Array(101).fill(rule()), 'rules: max_length'],
    ['an unknown currency', [rule({ currency: 'XXX' })], 'rules.0.currency: unknown_currency'],
    ['a currency in small letters', [rule({ currency: 'usd' })], 'rules.0.currency: unknown_currency'],
    ['no amount', [rule({ amount_from: '1e3' })], 'rules.0.amount_from: regex'],
    ['a currency without money', [rule({ ...CONTACT, currency: 'USD' })], 'rules.0.currency: without_amount'],
    ['an amount without money', [rule({ ...CONTACT, amount_from: '1' })], 'rules.0.amount_from: without_amount'],
    ['two rules of one scope', [rule(), rule({ currency: 'USD' }), rule()], 'rules.2: duplicate'],
    ['an amount twice', [rule({ amount_from: '10.5' }), rule({ amount_from: '10.500' })], 'rules.1: duplicate'],
    ['from zero beside no amount', [rule(), rule({ amount_from: '0.00' })], 'rules.1: duplicate'],
    ['a period without per', [rule({ period: 'day', amount_from: '1' })], 'rules.0.per: beside_period'],
    ['per without a period', [rule({ per: 'person', amount_from: '1' })], 'rules.0.period: beside_per'],
    ['a limit without amount', [rule({ period: 'day', per: 'payee' })], 'rules.0.amount_from: limit_without_amount'],
    [
      'a limit of what is no money out',
      [rule({ ...monthly, action_type: 'billing_invoice' })],
      'rules.0.period: not_money_out',
    ],
    ['a hard rule without period', [rule({ amount_from: '1', ...hard })], 'rules.0.hard: only_with_period'],
    ['a hard limit with steps', [rule({ ...monthly, hard: true })], 'rules.0.steps: hard_with_steps'],
    [
      'a limit twice, once hard',
      [rule(monthly), rule({ ...monthly, amount_from: '1.0', ...hard })],
      'rules.1: duplicate',
    ],
    ['no choice about the requester', [rule({ self_approval: null })], 'rules.0.self_approval: boolean'],
    ['an expiry at once', [rule({ expires_after_hours: 0 })], 'rules.0.expires_after_hours: min_value'],
    ['an expiry after a year', [rule({ expires_after_hours: 8761 })], 'rules.0.expires_after_hours: max_value'],
  ])('%s', (_, rules, fault) => expect(codesOf(PolicyRules, { rules })).toEqual([fault]))
})

test('a rule names a person by an id in whatever case, kept as the ids of people are', () => {
  const [id, steps] = [randomUUID(), (user_id: string) => [{ required: 1, user_ids: [user_id] }]]
  const { rules } = parse(PolicyRules, { rules: [rule({ steps: steps(id.toUpperCase()) })] })
  expect(rules[0]?.steps).toMatchObject(steps(id))
})

test.each([
  ['no approval', [], 'reject', 'approval_ids: min_length'],
  ['101 approvals', Array.from({ length: 101 }, () => randomUUID()), 'reject', 'approval_ids: max_length'],
  ['no ids', ['nonsense'], 'reject', 'approval_ids.0: check'],
  ['an approval twice, in whatever case', ['a', 'A'], 'reject', 'approval_ids.1: duplicate'],
  ['another decision', ['a'], 'cancel', 'decision: picklist'],
])('a set of %s is refused by name', (_, ids, decision, fault) => {
  const approval_ids = ids.map((id) => (/^a$/i.test(id) ? `00000000-0000-4000-8000-00000000000${id}` : id))
  expect(codesOf(SetDecision, { approval_ids, decision })).toEqual([fault])
})

test.each(['\u200c', ' \n', '', null, undefined])('a rejection with the reason %j has none', (reason) => {
  const set = { approval_ids: [randomUUID()], decision: 'reject', reason }
  expect([parse(RejectBody, { reason }).reason ?? null, parse(SetDecision, set).reason ?? null]).toEqual([null, null])
})

describe('a substitution', () => {
  const bodyOf = (from: string, until: string) => ({ substitute_id: randomUUID(), from, until })

  test.each([
    ['9998-03-01T09:30:00+02', '9998-03-02 09:30:00 -0130', '9998-03-01T07:30:00.000Z', '9998-03-02T11:00:00.000Z'],
    [
      '9998-03-01T09:30:00.000Z',
      '9998-03-01T09:30:00.001999999Z',
      '9998-03-01T09:30:00.000Z',
      '9998-03-01T09:30:00.001Z',
    ],
    ['9999-12-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '9999-12-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ])('takes a time however it is written, in milliseconds: from %s until %s', (from, until, begins, ends) =>
    expect(parse(NewSubstitution, bodyOf(from, until))).toMatchObject({ from: begins, until: ends }),
  )

  test.each([
    ['longer than 90 days', '9998-03-01T00:00:00Z', '9998-05-30T00:00:01Z', 'too_far'],
    ['that ends before it begins', '9998-03-02T00:00:00Z', '9998-03-01T00:00:00Z', 'not_after_from'],
    ['of no length once it is kept', '9998-03-01T09:30:00.001Z', '9998-03-01T09:30:00.0019Z', 'not_after_from'],
    ['after the year 9999', '9999-12-31T00:00:00Z', '9999-12-31T23:59:59-14', 'no_such_time'],
    ['that Postgres would round up', '9999-12-31T00:00:00Z', '9999-12-31T23:59:59.9999999Z', 'no_such_time'],
  ])('is refused for a time %s', (_, from, until, code) =>
    expect(codesOf(NewSubstitution, bodyOf(from, until))).toEqual([`until: ${code}`]),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ApprovalRequirements,
  whyNotApprover,
  hasApproved,
  initialRequirements,
  blocksLaterStep,
  openStep,
  addApproval,
} from '../../../domain/approvals/requirements.ts'
import type { UserId } from '../../../domain/ids.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { api, contact, fund, organization, person } from '../../support/api.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { booksAreInOrder, decideSet, idsOf, paymentsOf, reserved, told } from '../../support/approvals/sets.ts'
import { crowd, walkAll } from '../../support/walks.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const ROLES = ['owner', 'admin', 'admin'] as const
const board = (required: number) => ({ required, roles: ['owner' as const, 'admin' as const], user_ids: [] })
const STEPS = [[board(1)], [board(2)], [board(1), { required: 1, roles: ['admin' as const], user_ids: [] }]]

type Thing = { amount: number; wait: ApprovalRequirements; status: string; rejecter?: string }
type Model = { balance: number; things: Thing[]; people: { userId: UserId; role: (typeof ROLES)[number] }[] }

function judge(model: Model, thing: Thing, by: Model['people'][number], decision: string): string {
  if (thing.status !== 'pending') {
    const own =
      decision === 'approve'
        ? thing.status === 'approved' && hasApproved(thing.wait, by.userId)
        : thing.rejecter === by.userId
    return own ? thing.status : 'approval_already_processed'
  }
  if (decision === 'reject') {
    Object.assign(thing, { status: 'rejected', rejecter: by.userId })
    return 'rejected'
  }
  if (hasApproved(thing.wait, by.userId)) return 'pending'
  const bar = whyNotApprover(thing.wait, by)
  if (bar) return bar
  const next = addApproval(thing.wait, by.userId)
  if (openStep(next) >= 0) {
    if (blocksLaterStep(thing.wait, next, model.people)) return 'no_eligible_approver'
    thing.wait = next
    return 'pending'
  }
  if (thing.amount > model.balance) return 'insufficient_funds'
  model.balance -= thing.amount
  Object.assign(thing, { status: 'approved', wait: next })
  return 'approved'
}

const plan = fc.record({
  steps: fc.constantFrom(...STEPS),
  selfApproval: fc.boolean(),
  funds: fc.integer({ min: 20, max: 200 }),
  amounts: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 3, maxLength: 6 }),
  sets: fc.array(
    fc.record({
      by: fc.nat(ROLES.length - 1),
      decision: fc.constantFrom('approve', 'approve', 'approve', 'reject'),
      picks: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 3, maxLength: 7 },
  ),
})

type Plan = typeof plan extends fc.Arbitrary<infer Planned> ? Planned : never

async function world({ steps, selfApproval, funds, amounts }: Plan) {
  const { people, id } = await crowd(ROLES, 'Payer')
  const boss = people[0]! // the owner
  const payee = await organization(await person(), 'Payee')
  await fund(id, `${funds}.00`)
  await setRules(id, boss, [{ steps, self_approval: selfApproval }])
  const contactId = await contact(boss, id, payee.svcId)
  const payments = await paymentsOf(
    boss,
    contactId,
    amounts.map((amount) => `${amount}.00`),
  )
  const policy = { steps, self_approval: selfApproval, expires_after_hours: 720 }
  const model: Model = {
    balance: funds,
    things: amounts.map((amount) => ({
      amount,
      wait: initialRequirements(policy, boss.userId as UserId),
      status: 'pending',
    })),
    people: people.map(({ userId }, index) => ({ userId: userId as UserId, role: ROLES[index] ?? 'admin' })),
  }
  return { people, id, boss, payments, model }
}

test(
  'whatever sets people decide in whatever order, each verdict and every cent are what the policy and the balance say',
  () =>
    walkAll(plan, async (planned) => {
      const { people, id, boss, payments, model } = await world(planned)
      for (const { by, decision, picks } of planned.sets) {
        const chosen = picks.filter((pick) => pick < payments.length)
        const [somebody, reviewer] = [people[by], model.people[by]]
        if (chosen.length === 0 || !somebody || !reviewer) continue
        const ids = chosen.map((pick) => idsOf(payments)[pick] ?? '')
        const answer = await decideSet(somebody, id, ids, { decision })
        const expected = chosen.map((pick) => {
          const thing = model.things[pick]
          return thing && judge(model, thing, reviewer, decision)
        })
        expect(told(answer)).toEqual(expected)
      }
      expect(await reserved(payments)).toBe(model.things.filter(({ status }) => status === 'approved').length)
      const { body } = await api('GET', `/organizations/${id}/balances`, { token: boss.token })
      expect(body.data).toMatchObject([{ available: { amount: `${model.balance}.00` } }])
      expect(await booksAreInOrder(id, boss)).toBe(true)
    }),
  MODEL_TIMEOUT_MS,
)

/**
 * Approvals against a plain model: random people, policies and commands; the same answers, and money moves only by
 * right.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestPerson, api, approvalPath, contact, createPayment, fund, join } from '../../support/api.ts'
import { organization, person } from '../../support/api.ts'
import {
  type Command,
  type Model,
  type Outcome,
  type Role,
  type Step,
  apply,
  expected,
  moved,
  reachable,
  requestUnder,
} from '../../support/approvals/model.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { changeRole, remove } from '../../support/organizations/members.ts'
import { crowd, decideAs, deed, told, walkInLanes } from '../../support/walks.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

/** The first owns the organization and stays; the last is in another one. */
const ROLES: (Role | undefined)[] = ['owner', 'admin', 'admin', 'admin', 'member', 'member', undefined]
const AMOUNT = '7.00'

type Payment = { id: string; organization_id: string; approval_request_id: string }
type Real = { id: string; people: TestPerson[]; contactId: string; payment: Payment }
type Beginning = { requester: number; self: boolean; first: Step[] }

const payee = await organization(await person(), 'Payee')
const named = (r: Pick<Real, 'people'>, who: number): TestPerson => r.people[who] as TestPerson
const rulesOf = (r: Pick<Real, 'people'>, steps: readonly Step[], selfApproval: boolean) => [
  {
    steps: steps.map(({ required, roles, people }) => ({
      required,
      roles,
      user_ids: people.map((who) => named(r, who).userId),
    })),
    self_approval: selfApproval,
  },
]

/** A crowd with more money than any walk needs. */
async function payer(): Promise<Omit<Real, 'payment'>> {
  const { id, people } = await crowd(ROLES)
  await fund(id, '1000.00')
  return { id, people, contactId: await contact(people[0] as TestPerson, id, payee.svcId) }
}

/** A payment of the crowd's that waits under this policy, and its model. */
async function scene(at: Omit<Real, 'payment'>, { requester, self, first: steps }: Beginning) {
  await setRules(at.id, named(at, 0), rulesOf(at, steps, self))
  const payment: Payment = await createPayment(named(at, requester), at.contactId, AMOUNT)
  const model = requestUnder({ steps, selfApproval: self }, ROLES, requester)
  return { model, real: { ...at, payment } }
}

async function perform(m: Model, r: Real, command: Command, who: number): Promise<Outcome> {
  const outcome = expected(m, command, who)
  const answer = await decideAs(named(r, who), r.payment, command)
  expect(told(answer), `${command} by ${who}`).toBe(outcome === 'repeated' ? 'done' : outcome)
  if (outcome === 'done') apply(m, command, who)
  if (outcome === 'done' || outcome === 'repeated') expect(answer.body.status).toBe(m.status)
  return outcome
}

async function agrees(m: Model, r: Real): Promise<void> {
  for (const [who, somebody] of r.people.entries()) {
    const seen = await api('GET', approvalPath(r.payment), { token: somebody.token })
    const visible = m.roles[who] && expected(m, 'cancel', who) !== 'not_found'
    expect(seen.status, `seen by ${who}`).toBe(visible ? 200 : 404)
    if (!visible) continue
    expect(seen.body.status).toBe(m.status)
    const outcome = expected(m, 'approve', who)
    expect(seen.body.can_take_action, `can take action: ${who}`).toBe(
      ['done', 'no_eligible_approver'].includes(outcome),
    )
    if (m.status !== 'pending') continue
    const given = m.given.map((people) => people.map((one) => named(r, one).userId).toSorted())
    expect(seen.body.steps.map((step: { approved_by: string[] }) => step.approved_by)).toEqual(given)
    expect(seen.body.blocked_by.includes('no_eligible_approver')).toBe(
      !reachable(m) || outcome === 'no_eligible_approver',
    )
  }
  const [money] = await owner`
    select count(*)::int as moved from ledger_transfers where key = ${`payment:${r.payment.id}:reserve`}`
  expect(money?.['moved']).toBe(m.status === 'approved' ? 1 : 0)
}

/** Checks the approvals of each step in the database: different people, each with a proof. */
async function movedByRight(r: Real): Promise<void> {
  const [row] = await owner`
    select a.status, a.policy, a.requester_id, p.status as payment_status from approvals a join payments p on p.id = a.target_id
    where a.id = ${r.payment.approval_request_id}`
  const given = await owner`
    select d.user_id, d.step, s.status as proof, s.target from approval_decisions d left join step_ups s on s.id = d.step_up_id
    where d.approval_id = ${r.payment.approval_request_id} and d.decision = 'approve'
      and not exists (select from voided_approvals v where v.decision_id = d.decision_id)`
  if (row?.['status'] !== 'approved') {
    expect(['awaiting_approval', 'cancelled']).toContain(row?.['payment_status'])
    return
  }
  expect(new Set(given.map((one) => one['user_id'])).size).toBe(given.length)
  expect(new Set(given.map((one) => one['proof']))).toEqual(new Set(['consumed']))
  expect(given.every((one) => String(one['target']).includes(r.payment.approval_request_id))).toBe(true)
  for (const [index, step] of row['policy'].steps.entries()) {
    expect(given.filter((one) => one['step'] === index).length).toBe(step.required)
  }
  if (!row['policy'].self_approval) {
    expect(given.map((one) => one['user_id'])).not.toContain(row['requester_id'])
  }
}

type Deed = fc.AsyncCommand<Model, Real>
const looked = (name: string, run: (m: Model, r: Real) => Promise<unknown>): Deed =>
  deed(name, async (m: Model, r: Real) => {
    await run(m, r)
    await agrees(m, r)
  })

const decides = (command: Command, who: number): Deed =>
  looked(`${who} ${command}s`, (m, r) => perform(m, r, command, who))

const turns = (who: number, role: Role | undefined): Deed =>
  looked(`${who} becomes ${role ?? 'nobody'}`, async (m, r) => {
    if (m.roles[who] === role) return
    const boss = named(r, 0)
    if (!role) expect((await remove(boss, r.id, named(r, who).userId)).status).toBe(200)
    else if (m.roles[who]) expect((await changeRole(boss, r.id, named(r, who).userId, role)).status).toBe(200)
    else await join(r.id, named(r, who), role)
    moved(m, who, role)
  })

const legislates = (steps: Step[], selfApproval: boolean): Deed =>
  looked(`policy ${JSON.stringify(steps)}`, async (m, r) => {
    await setRules(r.id, named(r, 0), rulesOf(r, steps, selfApproval))
    m.inForce = steps
  })

const anybody = fc.nat({ max: ROLES.length - 1 })
const staff = fc.integer({ min: 1, max: ROLES.length - 2 })
const boards = fc.integer({ min: 1, max: 3 })
const ending = fc.constantFrom<Command>('reject', 'cancel', 'approve', 'approve')
const role = fc.constantFrom<Role>('owner', 'admin', 'member')
const step = fc.record({
  required: fc.integer({ min: 1, max: 2 }),
  roles: fc.uniqueArray(role, { minLength: 1, maxLength: 2 }),
  people: fc.uniqueArray(staff, { maxLength: 2 }),
})
/** Mostly several admins, so that much is begun and not finished when people leave. */
const steps = fc.oneof(
  { weight: 1, arbitrary: fc.array(step, { minLength: 1, maxLength: 3 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 2, max: 3 }), fc.array(step, { maxLength: 1 }))
      .map(([required, then]) => [{ required, roles: ['admin', 'owner'] as Role[], people: [] }, ...then]),
  },
)

test('whatever people decide, change and leave, the service agrees with the model, and money moves only by right', async () => {
  const commands = fc.commands(
    [
      anybody.map((who) => decides('approve', who)),
      boards.map((who) => decides('approve', who)),
      boards.map((who) => decides('approve', who)),
      fc.tuple(anybody, ending).map(([who, command]) => decides(command, who)),
      fc.tuple(boards, fc.option(role, { nil: undefined, freq: 2 })).map(([who, to]) => turns(who, to)),
      fc.tuple(staff, fc.option(role, { nil: undefined, freq: 2 })).map(([who, to]) => turns(who, to)),
      fc.tuple(steps, fc.boolean()).map(([next, self]) => legislates(next, self)),
    ],
    { maxCommands: 16, size: 'max' },
  )
  const beginning = fc.record<Beginning>({ requester: fc.nat({ max: 5 }), self: fc.boolean(), first: steps })
  const walk = async ([start, deeds]: [Beginning, Iterable<Deed>]) => {
    const at = await scene(await payer(), start)
    await fc.asyncModelRun(() => at, deeds)
    await movedByRight(at.real)
  }
  await walkInLanes(fc.tuple(beginning, commands), walk)
}, 240_000)

/** Approval policies against a plain model, under any rules, joins and departures. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, type TestPerson, join, person } from '../../support/api.ts'
import { type Role, changeRole, remove, staffed } from '../../support/organizations/members.ts'
import { answered, evaluate, putPolicy, readPolicy } from '../../support/approvals/policies.ts'
import { told, walkAll } from '../../support/walks.ts'

type Step = { required: number; roles: Role[]; user_ids: string[] }
type Rule = {
  action_type: string
  currency: string | null
  amount_from: string | null
  steps: Step[]
  self_approval: boolean
  expires_after_hours: number
}
type Member = { id: string; role: Role }
/** The rules that every organization begins with. */
const [FIRST, SECOND] = [answered() as Rule, answered({ action_type: 'payment_batch' }) as Rule]

const ACTIONS = ['withdrawal', 'organization_invitation'] as const
const step = fc.record({
  required: fc.integer({ min: 1, max: 2 }),
  roles: fc.uniqueArray(fc.constantFrom<Role>('owner', 'admin', 'member'), { minLength: 1, maxLength: 2 }),
  people: fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 2 }),
})
const wish = fc.record({
  action_type: fc.constantFrom(...ACTIONS),
  currency: fc.constantFrom(null, null, 'USD', 'EUR'),
  amount_from: fc.constantFrom(null, '10', '10.00', '200'),
  steps: fc.array(step, { minLength: 1, maxLength: 2 }),
  self_approval: fc.boolean(),
})
type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.array(wish, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat({ max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ join: fc.nat({ max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ promote: fc.nat({ max: 4 }), to: fc.constantFrom<Role>('admin', 'member') }) },
)

type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

/** The rule of a wish, with people for their numbers; amounts are of money alone. */
function ruleOf(wanted: Wish, people: readonly TestPerson[]): Rule {
  const steps = wanted.steps.map(({ required, roles, people: numbers }) => ({
    required,
    roles,
    user_ids: numbers.map((number) => people[number]?.userId ?? ''),
  }))
  const scope = wanted.action_type === 'withdrawal' ? {} : { currency: null, amount_from: null }
  return { ...wanted, ...scope, steps, expires_after_hours: FIRST.expires_after_hours }
}

const names = (of: Step, { id, role }: Member) => of.roles.includes(role) || of.user_ids.includes(id)

/** Tries every choice of different people for all places. */
function fills(places: readonly Step[], people: readonly Member[]): boolean {
  const [place, ...rest] = places
  if (!place) return true
  const without = (one: Member) => people.filter((other) => other !== one)
  return people.some((one) => names(place, one) && fills(rest, without(one)))
}
const placesOf = ({ steps }: Rule) => steps.flatMap((each) => Array<Step>(each.required).fill(each))
const possible = (of: Rule, people: readonly Member[]) =>
  people
    .filter(({ role }) => of.action_type === 'withdrawal' || role !== 'member')
    .some((asker) => fills(placesOf(of), of.self_approval ? people : people.filter((one) => one !== asker)))

const value = (from: string | null) => Number(from ?? 0)
const sameScope = (a: Rule, b: Rule) =>
  a.action_type === b.action_type && a.currency === b.currency && value(a.amount_from) === value(b.amount_from)

/** The answer to setting these rules. */
function verdict(rules: readonly Rule[], people: readonly Member[]): string {
  if (rules.some((one, index) => rules.slice(0, index).some((other) => sameScope(one, other)))) return 'duplicate'
  if (!rules.every((one) => possible(one, people))) return 'no_eligible_approver'
  const strangers = rules.flatMap(({ steps }) => steps.flatMap(({ user_ids: ids }) => ids))
  return strangers.some((id) => !people.some((one) => one.id === id)) ? 'not_a_member' : 'done'
}

function applying(rules: readonly Rule[], action: string, money: { amount: string; currency: string } | null) {
  const rank = (one: Rule) => value(one.amount_from) * 2 + (one.currency ? 1 : 0)
  const matching = rules.filter(
    (one) =>
      one.action_type === action &&
      (!one.currency || one.currency === money?.currency) &&
      (!one.amount_from || (money !== null && Number(money.amount) >= value(one.amount_from))),
  )
  const [best] = matching.toSorted((a, b) => rank(b) - rank(a))
  return best ?? (action === 'withdrawal' ? FIRST : null)
}

const saidOf = (answer: Answer): string =>
  told(answer) === 'invalid_request' ? answer.body.error.details.errors[0].code : told(answer)

type World = {
  id: string
  people: readonly TestPerson[]
  members: Member[]
  policy: { rules: Rule[]; version: number }
}

/** An organization with an owner, an admin and a member, and two people outside it. */
async function begin(): Promise<World> {
  const { id, boss, staff } = await staffed('admin', 'member')
  const people = [boss, ...staff, await person(), await person()]
  const roles: Role[] = ['owner', 'admin', 'member']
  const members = roles.map((role, index) => ({ id: people[index]?.userId ?? '', role }))
  return { id, people, members, policy: { rules: [FIRST, SECOND], version: 0 } }
}

async function put(world: World, wanted: readonly Wish[]): Promise<string> {
  const { id, people, members, policy } = world
  const rules = wanted.map((one) => ruleOf(one, people))
  const same = policy.version > 0 && JSON.stringify(policy.rules) === JSON.stringify(rules)
  const expected = same ? 'done' : verdict(rules, members)
  expect(saidOf(await putPolicy(people[0] as TestPerson, id, rules))).toBe(expected)
  if (expected === 'done' && !same) world.policy = { rules, version: policy.version + 1 }
  return expected
}

/** Adds, removes or changes the role of a member where possible; the owner stays. */
async function move(world: World, command: Exclude<Command, { put: unknown }>): Promise<void> {
  const [boss, number] = [world.people[0] as TestPerson, Object.values(command)[0] as number]
  const { userId } = world.people[number] as TestPerson
  const rest = world.members.filter((one) => one.id !== userId)
  const isMember = rest.length < world.members.length
  if (number === 0 || isMember === 'join' in command) return
  if ('join' in command) {
    await join(world.id, world.people[number] as TestPerson, 'member')
    world.members = [...rest, { id: userId, role: 'member' }]
  } else if ('remove' in command) {
    await remove(boss, world.id, userId)
    world.members = rest
  } else {
    await changeRole(boss, world.id, userId, command.to)
    world.members = world.members.map((one) => (one.id === userId ? { id: userId, role: command.to } : one))
  }
}

/** Reads the policy and previews it as the newest member, with several amounts. */
async function look({ id, people, members, policy }: World): Promise<void> {
  const { body } = await readPolicy(people[0] as TestPerson, id)
  expect([body.rules, body.version]).toEqual([policy.rules, policy.version])
  const caller = members.at(-1) as Member
  const token = people.find(({ userId }) => userId === caller.id) as TestPerson
  for (const action_type of ACTIONS) {
    for (const amount of [null, { amount: '10.00', currency: 'EUR' }, { amount: '500', currency: 'USD' }]) {
      const found = applying(policy.version === 0 ? [] : policy.rules, action_type, amount)
      const crowd = found?.self_approval ? members : members.filter((one) => one !== caller)
      const tried = await evaluate(token, id, { action_type, amount })
      expect(tried.body.rule).toEqual(found)
      expect(tried.body.steps.map((one: any) => [one.required, one.approvers.map((who: any) => who.id)])).toEqual(
        (found?.steps ?? []).map((one) => [one.required, crowd.filter((who) => names(one, who)).map((who) => who.id)]),
      )
    }
  }
}

const OWNERS: Wish = {
  action_type: 'withdrawal',
  currency: null,
  amount_from: null,
  steps: [{ required: 1, roles: ['owner'], people: [] }],
  self_approval: true,
}
/** Rules that are accepted, that no one could meet, and that name an outsider. */
const EACH_ANSWER: Command[] = [
  { put: [OWNERS] },
  { put: [{ ...OWNERS, steps: [{ required: 2, roles: ['owner'], people: [] }] }] },
  { put: [{ ...OWNERS, steps: [{ required: 1, roles: ['owner'], people: [4] }] }] },
]

test('set, refused, tried out: as the model says', async () => {
  const seen: string[] = []
  const ways = fc.array(command, { minLength: 4, maxLength: 12 })
  const walk = async (commands: Command[]) => {
    const world = await begin()
    for (const one of commands) {
      if ('put' in one) seen.push(await put(world, one.put))
      else await move(world, one)
      await look(world)
    }
  }
  await walkAll(ways, walk, EACH_ANSWER)
  expect(seen).toEqual(expect.arrayContaining(['done', 'no_eligible_approver', 'not_a_member']))
})

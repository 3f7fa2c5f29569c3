/** Membership against a plain model: random people and commands, the same answers. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, type TestPerson, api, join } from '../../support/api.ts'
import {
  type Role,
  changeRole,
  leave,
  list,
  memberEvents,
  remove,
  transfer,
} from '../../support/organizations/members.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { crowd, deed, told, walkAll } from '../../support/walks.ts'

/** Roles by person, and the number of changes. */
type Model = { roles: (Role | undefined)[]; changes: number }
type Real = { id: string; people: TestPerson[] }
type Outcome = 'done' | 'same' | 'not_found' | 'forbidden' | 'last_owner' | 'invalid_state'

const isLastOwner = ({ roles }: Model, who: number) =>
  roles[who] === 'owner' && roles.filter((role) => role === 'owner').length === 1

function managed(m: Model, by: number, at: number, wanted?: Role): Outcome | undefined {
  if (!m.roles[by]) return 'not_found'
  if (m.roles[by] === 'member') return 'forbidden'
  if (!m.roles[at]) return 'not_found'
  if (m.roles[by] === 'admin' && (m.roles[at] === 'owner' || wanted === 'owner')) return 'forbidden'
  return undefined
}

type Deed = {
  name: string
  expected: (m: Model) => Outcome
  call: (r: Real) => Promise<Answer>
  apply: (m: Model) => void
}

const named = (r: Real, index: number): TestPerson => r.people[index] as TestPerson

const roleDeed = (by: number, at: number, role: Role): Deed => ({
  name: `${by} makes ${at} ${role}`,
  expected: (m) => {
    const refused = managed(m, by, at, role)
    if (refused) return refused
    if (m.roles[at] === role) return 'same'
    return isLastOwner(m, at) ? 'last_owner' : 'done'
  },
  call: (r) => changeRole(named(r, by), r.id, named(r, at).userId, role),
  apply: (m) => {
    m.roles[at] = role
  },
})

const removeDeed = (by: number, at: number): Deed => ({
  name: `${by} removes ${at}`,
  expected: (m) => {
    if (by === at && m.roles[by] && m.roles[by] !== 'member') return isLastOwner(m, by) ? 'last_owner' : 'done'
    return managed(m, by, at) ?? (isLastOwner(m, at) ? 'last_owner' : 'done')
  },
  call: (r) => remove(named(r, by), r.id, named(r, at).userId),
  apply: (m) => {
    m.roles[at] = undefined
  },
})

const leaveDeed = (by: number): Deed => ({
  name: `${by} leaves`,
  expected: (m) => (!m.roles[by] ? 'not_found' : isLastOwner(m, by) ? 'last_owner' : 'done'),
  call: (r) => leave(named(r, by), r.id),
  apply: (m) => {
    m.roles[by] = undefined
  },
})

const transferDeed = (by: number, at: number): Deed => ({
  name: `${by} transfers to ${at}`,
  expected: (m) => {
    if (!m.roles[by]) return 'not_found'
    if (m.roles[by] !== 'owner') return 'forbidden'
    if (!m.roles[at]) return 'not_found'
    return by === at ? 'invalid_state' : 'done'
  },
  call: (r) => transfer(named(r, by), r.id, named(r, at).userId),
  apply: (m) => {
    m.roles[at] = 'owner'
    m.roles[by] = 'admin'
  },
})

async function agrees(m: Model, r: Real): Promise<void> {
  expect(m.roles).toContain('owner')
  for (const [index, somebody] of r.people.entries()) {
    const role = m.roles[index]
    const seen = await list(somebody, r.id)
    const own = await api('GET', `/organizations/${r.id}`, { token: somebody.token })
    if (!role) {
      expect([seen.status, own.status]).toEqual([404, 404])
      continue
    }
    const expected = r.people.flatMap(({ userId }, at) => (m.roles[at] ? [[userId, m.roles[at]]] : []))
    const shown = seen.body.data.map((row: { id: string; role: string }) => [row.id, row.role])
    expect(shown.toSorted()).toEqual(expected.toSorted())
    expect(own.body.role).toBe(role)
    expect(own.body.permissions.includes('members.manage')).toBe(role !== 'member')
  }
  expect(await memberEvents(r.id)).toHaveLength(m.changes)
}

const done = (made: Deed) =>
  deed(made.name, async (m: Model, r: Real) => {
    const expected = made.expected(m)
    expect(told(await made.call(r)), made.name).toBe(expected === 'same' ? 'done' : expected)
    if (expected === 'done') {
      made.apply(m)
      m.changes += 1
    }
    await agrees(m, r)
  })

/** A person joins, by another way than the commands. */
const joins = (who: number, role: Role) =>
  deed(
    `${who} joins as ${role}`,
    async (m: Model, r: Real) => {
      await join(r.id, named(r, who), role)
      m.roles[who] = role
      await agrees(m, r)
    },
    (m) => m.roles[who] === undefined,
  )

const ROLES = ['owner', 'admin', 'member', undefined] as const
const who = fc.nat({ max: ROLES.length - 1 })
const role = fc.constantFrom<Role>('owner', 'admin', 'member')
const commands = [
  fc.tuple(who, who, role).map(([by, at, to]) => done(roleDeed(by, at, to))),
  fc.tuple(who, who).map(([by, at]) => done(removeDeed(by, at))),
  who.map((by) => done(leaveDeed(by))),
  fc.tuple(who, who).map(([by, at]) => done(transferDeed(by, at))),
  fc.tuple(who, role).map(([by, as]) => joins(by, as)),
]

test(
  'whatever people do to each other, the service agrees with the model, and there is an owner',
  () =>
    walkAll(fc.commands(commands, { maxCommands: 25, size: 'max' }), async (sequence) => {
      const [real, model] = [await crowd(ROLES), { roles: [...ROLES], changes: 0 }]
      await fc.asyncModelRun(() => ({ model, real }), sequence)
    }),
  MODEL_TIMEOUT_MS,
)

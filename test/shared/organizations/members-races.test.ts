/** Races of membership changes: there is always an owner, and removed people decide nothing. */
import { describe, expect, test } from 'vitest'
import { decide } from '../../../services/decisions/commands.ts'
import { endWithRole } from '../../../services/decisions/ends.ts'
import type { OrganizationId, UserId } from '../../../domain/ids.ts'
import { changeRole as changeMemberRole, removeMember } from '../../../services/organizations/members.ts'
import { type Tx, inOrganization } from '../../../db/postgres/sql.ts'
import { type Answer, type TestPerson, api, join, person } from '../../support/api.ts'
import { approvalOf, staffedPayer } from '../../support/approvals/approvals.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import {
  changeRole,
  leave,
  memberEvents,
  remove,
  rolesOf,
  staffed,
  transfer,
} from '../../support/organizations/members.ts'
import { type Payment, decisionOf, record } from '../../support/runs/runs.ts'
import { personOf } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

/** Opens the step-up window of each, so that the next requests run at once. */
const prove = (organizationId: string, people: readonly TestPerson[]) =>
  Promise.all(people.map((somebody) => changeRole(somebody, organizationId, somebody.userId, 'owner')))

const refusals = (answers: readonly Answer[]) =>
  new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error.type as string))

const succeeded = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length
/** Counts changes; a request for the present state is answered alike and changes nothing. */
const changesOf = async (organizationId: string) => (await memberEvents(organizationId)).length

const TRIES = 8

describe('two owners at each other, many times at once: one is left an owner, and each change is one event', () => {
  type Blow = (by: TestPerson, at: TestPerson, id: string) => Promise<Answer>
  test.each<[string, Blow, string[]]>([
    ['demotion', (by, at, id) => changeRole(by, id, at.userId, 'member'), ['forbidden']],
    ['removal', (by, at, id) => remove(by, id, at.userId), ['not_found']],
    ['leaving', (by, _, id) => leave(by, id), ['last_owner', 'not_found']],
    ['own demotion', (by, _, id) => changeRole(by, id, by.userId, 'admin'), ['last_owner', 'forbidden']],
    ['transfer', (by, at, id) => transfer(by, id, at.userId), ['forbidden']],
  ])('%s', async (name, blow, allowed) => {
    const { id, boss, staff } = await staffed('owner')
    const owners = [boss, staff[0]] as const
    await prove(id, owners)
    const answers = await Promise.all(
      Array.from({ length: TRIES }, (_, index) => {
        const [by, at] = index % 2 === 0 ? owners : [owners[1], owners[0]]
        return blow(by, at, id)
      }),
    )
    expect([...refusals(answers)].filter((type) => !allowed.includes(type))).toEqual([])
    expect((await rolesOf(id, owners)).filter((role) => role === 'owner')).toHaveLength(1)
    // demoting a demoted member again is no change
    expect(await changesOf(id)).toBe(name.includes('demotion') ? 1 : succeeded(answers))
  })

  test('all of it mixed, among five owners', async () => {
    const { id, boss, staff } = await staffed('owner', 'owner', 'owner', 'owner')
    const owners = [boss, ...staff]
    await prove(id, owners)
    const blows: Blow[] = [
      (by, at) => changeRole(by, id, at.userId, 'admin'),
      (by, at) => remove(by, id, at.userId),
      (by) => leave(by, id),
      (by, at) => transfer(by, id, at.userId),
    ]
    const answers = await Promise.all(
      blows.flatMap((blow, step) =>
        owners.map((by, index) => blow(by, owners[(index + step + 1) % owners.length]!, id)),
      ),
    )
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(await rolesOf(id, owners)).toContain('owner')
    expect(await changesOf(id)).toBeGreaterThan(0)
    expect(await changesOf(id)).toBeLessThanOrEqual(succeeded(answers))
  })
})

test('promotions at once give a person no more organizations than they may own', async () => {
  const star = await person()
  await owner`update people set organization_limit = 2 where id = ${star.userId}`
  const places = await Promise.all(Array.from({ length: TRIES }, () => staffed()))
  await Promise.all(places.map(({ id }) => join(id, star, 'admin')))
  await Promise.all(places.map(({ id, boss }) => prove(id, [boss])))
  const answers = await Promise.all(places.map(({ id, boss }) => changeRole(boss, id, star.userId, 'owner')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(refusals(answers)).toEqual(new Set(['organization_limit_reached']))
})

describe('a removal and a decision of the removed', () => {
  /** A payment, the rejection of it by an admin, and the removal of the admin by an owner. */
  async function scene() {
    const { boss, staff, pay } = await staffedPayer('admin')
    const payment: Payment = await pay()
    const decision = await decisionOf(staff[0], payment, null, 'reject')
    const { person: actor, organizationId } = await decisionOf(boss, payment, null)
    const remove_ = (meanwhile: (tx: Tx) => void | Promise<void> = () => {}) =>
      inOrganization(actor, organizationId, async (tx) => {
        await removeMember(tx, actor, decision.person.userId, endWithRole)
        await meanwhile(tx)
      })
    return { decision, remove: remove_, status: async () => (await approvalOf(payment, boss)).status }
  }

  test('a removal waits for the decision that is being recorded', async () => {
    const at = await scene()
    let removed: Promise<void> | undefined
    await inOrganization(at.decision.person, at.decision.organizationId, async (tx) => {
      expect((await decide(tx, at.decision)).status).toBe('rejected')
      removed = at.remove()
      await untilBlocked(tx)
    })
    await removed
    expect(await at.status()).toBe('rejected')
  })

  test('a decision that finds a removal under way waits for it, and is refused', async () => {
    const at = await scene()
    let decided: Promise<unknown> | undefined
    await at.remove(async (tx) => {
      decided = record(at.decision).catch((error: unknown) => error)
      await untilBlocked(tx)
    })
    expect(await decided).toMatchObject({ type: 'not_found' })
    expect(await at.status()).toBe('pending')
  })

  test('settings wait for the demotion of their owner that is under way, and are refused', async () => {
    const { id, boss, staff } = await staffed('owner')
    const [second] = staff
    await prove(id, [second])
    const actor = personOf(boss)
    let changed: Promise<Answer> | undefined
    await inOrganization(actor, id as OrganizationId, async (tx) => {
      await changeMemberRole(tx, actor, { userId: second.userId as UserId, role: 'admin' }, endWithRole)
      const body = { contact_name: 'Second' }
      changed = api('PATCH', `/organizations/${id}/settings`, { token: second.token, body })
      await untilBlocked(tx)
    })
    expect((await changed)?.body.error.type).toBe('forbidden')
  })
})

/** Members of an organization: their rights, and how they leave. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Answer, type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { subjectsTo, withAuthenticator } from '../../support/identity/identity.ts'
import {
  changeRole,
  leave,
  list,
  memberEvents,
  membersPath,
  remove,
  rolesOf,
  staffed,
  transfer,
} from '../../support/organizations/members.ts'
import { decide } from '../../../services/decisions/commands.ts'
import { endWithRole } from '../../../services/decisions/ends.ts'
import type { OrganizationId, UserId } from '../../../domain/ids.ts'
import { changeMember, removeMember } from '../../../services/organizations/members.ts'
import { type Tx, inOrganization } from '../../../db/postgres/sql.ts'
import { approvalOf, staffedPayer } from '../../support/approvals/approvals.ts'
import { type Payment, decisionOf, record } from '../../support/runs/runs.ts'
import { personOf } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const ids = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)
const event = (type: string, subject: string, actor: TestPerson, payload: object) => ({
  type,
  subject_id: subject,
  actor_user_id: actor.userId,
  payload,
})
const ownOf = async ({ token }: TestPerson) => (await api('GET', '/organizations', { token })).body.data
const choose = ({ token }: TestPerson, organization_id: string) =>
  api('PUT', '/me/primary-organization', { token, body: { organization_id } })

describe('the list', () => {
  test('tells id, address, name, role and since when to every member, and whether there is an authenticator to who manages', async () => {
    const { id, boss, staff } = await staffed('member')
    const guarded = await withAuthenticator()
    await join(id, guarded, 'admin')
    await owner`update people set first_name = null, last_name = null where id = ${boss.userId}`
    const seenBy = async (viewer: TestPerson) => {
      const { status, body } = await list(viewer, id)
      expect([status, body]).toMatchObject([200, { has_more: false, next_cursor: null }])
      return body.data
    }
    const told = await seenBy(boss)
    expect(told).toEqual([
      {
        id: guarded.userId,
        email: guarded.email,
        name: 'Test Person',
        role: 'admin',
        permissions_removed: [],
        preset: null,
        managed_by_scim: false,
        permissions: expect.arrayContaining(['approvals.review', 'members.manage']),
        joined_at: expect.any(String),
        totp_enabled: true,
      },
      expect.objectContaining({ id: staff[0].userId, role: 'member', totp_enabled: false }),
      expect.objectContaining({ id: boss.userId, role: 'owner', name: null, totp_enabled: false }),
    ])
    expect(await seenBy(guarded)).toEqual(told)
    expect(await seenBy(staff[0])).toEqual(told.map((member: object) => ({ ...member, totp_enabled: null })))
  })

  test('by pages is the whole list, newest first, also past somebody who left; a cursor was a member here', async () => {
    const { id, boss, staff } = await staffed('member', 'admin', 'member', 'member', 'member')
    const all = ids(await list(boss, id))
    expect(all).toEqual([...staff.map(({ userId }) => userId).toReversed(), boss.userId])
    const first = await list(boss, id, '?limit=2')
    expect([ids(first), first.body.next_cursor]).toEqual([all.slice(0, 2), all[1]])
    await remove(boss, id, all[1]!)
    expect(ids(await list(boss, id, `?limit=2&cursor=${all[1]}`))).toEqual(all.slice(2, 4))
    expect(ids(await list(boss, id, `?limit=100&cursor=${all[3]}`))).toEqual(all.slice(4))
    expect(ids(await list(boss, id, `?cursor=${all.at(-1)}`))).toEqual([])
    const other = await staffed()
    for (const cursor of [randomUUID(), other.boss.userId]) {
      const refused = await list(boss, id, `?cursor=${cursor}`)
      expect(refusal(refused)).toEqual([400, 'invalid_request'])
      expect(refused.body.error.details.errors[0].code).toBe('unknown_cursor')
    }
  })

  test('is filtered by role, and by part of the name or address in any case', async () => {
    const { id, boss, staff } = await staffed('admin', 'member')
    const [admin, member] = staff
    await owner`update people set first_name = 'Jörg', last_name = 'O''Neil_%' where id = ${member.userId}`
    const found = async (query: string) => ids(await list(boss, id, query))
    expect(await found('?role=admin')).toEqual([admin.userId])
    expect(await found('?role=owner')).toEqual([boss.userId])
    expect(await found(`?q=${encodeURIComponent("jÖRG o'n")}`)).toEqual([member.userId])
    expect(await found(`?q=${encodeURIComponent('_%')}`)).toEqual([member.userId])
    expect(await found(`?q=${admin.email.toUpperCase().slice(7, 30)}`)).toEqual([admin.userId])
    expect(await found('?q=person&role=member')).toEqual([member.userId])
    expect(await found('?q=%20')).toHaveLength(3)
    expect(await found('?q=nobody-is-called-that')).toEqual([])
  })
})

describe('a role', () => {
  test('is changed after a step-up, answered, written, mailed, and counts in the very next request', async () => {
    const { id, boss, staff } = await staffed('member')
    const [member] = staff
    const at = `${membersPath(id)}/${member.userId}`
    const asked = await api('PATCH', at, { token: boss.token, body: { role: 'admin' } })
    expect(refusal(asked)).toEqual([403, 'step_up_required'])
    expect(refusal(await changeRole(member, id, boss.userId, 'member'))).toEqual([403, 'forbidden'])
    const changed = await changeRole(boss, id, member.userId, 'admin')
    expect([changed.status, changed.body]).toMatchObject([200, { id: member.userId, role: 'admin' }])
    expect((await changeRole(boss, id, member.userId, 'admin')).status).toBe(200) // no change, and no event
    expect(await memberEvents(id)).toEqual([
      event('member.role_changed', member.userId, boss, { from: 'member', to: 'admin' }),
    ])
    expect(await subjectsTo(member.email)).toEqual(['Your role in an organization changed'])
    expect((await changeRole(member, id, member.userId, 'member')).status).toBe(200)
    expect(refusal(await changeRole(member, id, member.userId, 'admin'))).toEqual([403, 'forbidden'])
  })

  test('of an owner is changed and given by owners alone', async () => {
    const { id, boss, staff } = await staffed('admin', 'member', 'owner')
    const [admin, member, second] = staff
    for (const refused of [
      await changeRole(admin, id, member.userId, 'owner'),
      await changeRole(admin, id, admin.userId, 'owner'),
      await changeRole(admin, id, boss.userId, 'member'),
      await remove(admin, id, boss.userId),
      await transfer(admin, id, admin.userId),
    ]) {
      expect(refusal(refused)).toEqual([403, 'forbidden'])
      expect(refused.body.error.details).toEqual({ role: 'owner' })
    }
    expect((await changeRole(boss, id, member.userId, 'owner')).status).toBe(200)
    expect((await changeRole(boss, id, second.userId, 'admin')).status).toBe(200)
    expect(await rolesOf(id, [boss, ...staff])).toEqual(['owner', 'admin', 'owner', 'admin'])
  })

  test('of the last owner stays, whoever asks', async () => {
    const { id, boss, staff } = await staffed('admin')
    for (const refused of [
      await changeRole(boss, id, boss.userId, 'admin'),
      await leave(boss, id),
      await remove(boss, id, boss.userId),
    ]) {
      expect(refusal(refused)).toEqual([409, 'last_owner'])
    }
    expect(await rolesOf(id, [boss, ...staff])).toEqual(['owner', 'admin'])
    expect(await memberEvents(id)).toEqual([])
  })

  test('of owner goes to nobody who owns as many organizations as they may', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [admin] = staff
    await organization(admin)
    await owner`update people set organization_limit = 1 where id = ${admin.userId}`
    for (const refused of [await changeRole(boss, id, admin.userId, 'owner'), await transfer(boss, id, admin.userId)]) {
      expect(refusal(refused)).toEqual([422, 'organization_limit_reached'])
      expect(refused.body.error.details).toEqual({ reason: 'owns_enough' })
    }
    expect(await rolesOf(id, [boss, admin])).toEqual(['owner', 'admin'])
  })
})

describe('who goes', () => {
  test('is out at once, told so, and without a primary organization where it was this one', async () => {
    const { id, boss, staff } = await staffed('admin', 'member')
    const [admin, member] = staff
    const [elsewhere, kept] = [await organization(member), await organization(admin)]
    await choose(member, id)
    await choose(admin, kept.id)
    const removed = await remove(admin, id, member.userId)
    expect([removed.status, removed.body]).toEqual([200, { deleted: true, id: member.userId }])
    expect(refusal(await list(member, id))).toEqual([404, 'not_found'])
    expect((await list(member, elsewhere.id)).status).toBe(200)
    expect(await ownOf(member)).toMatchObject([{ id: elsewhere.id, is_primary: false }])
    const [row] = await owner`select primary_organization_id as id from people where id = ${member.userId}`
    expect(row).toEqual({ id: null })
    expect(await subjectsTo(member.email)).toEqual(['You were removed from an organization'])
    expect(refusal(await remove(boss, id, member.userId))).toEqual([404, 'not_found'])
    expect(await memberEvents(id)).toEqual([event('member.removed', member.userId, admin, { role: 'member' })])
    await remove(boss, id, admin.userId)
    expect(await ownOf(admin)).toMatchObject([{ id: kept.id, is_primary: true }])
  })

  test('by themselves left: every role may, by either operation, and joins again as a new member', async () => {
    const { id, boss, staff } = await staffed('member', 'admin', 'owner')
    const [member, admin, second] = staff
    const asked = await api('POST', `/organizations/${id}/leave`, { token: member.token })
    expect(refusal(asked)).toEqual([403, 'step_up_required'])
    expect((await leave(member, id)).body).toEqual({ left: true, organization_id: id })
    expect((await remove(admin, id, admin.userId)).status).toBe(200)
    expect((await leave(second, id)).status).toBe(200)
    expect(refusal(await leave(second, id))).toEqual([404, 'not_found'])
    expect(await memberEvents(id)).toEqual([
      event('member.left', member.userId, member, { role: 'member' }),
      event('member.left', admin.userId, admin, { role: 'admin' }),
      event('member.left', second.userId, second, { role: 'owner' }),
    ])
    expect(ids(await list(boss, id))).toEqual([boss.userId])
    for (const again of [second, member]) await join(id, again, 'member')
    expect(ids(await list(member, id))).toEqual([member.userId, second.userId, boss.userId])
    expect((await leave(member, id)).status).toBe(200)
  })
})

describe('ownership', () => {
  test('goes to another member, not to oneself or a stranger; who gave it is an admin, and cannot give it again', async () => {
    const { id, boss, staff } = await staffed('member', 'member')
    const [member, other] = staff
    expect(refusal(await transfer(boss, id, boss.userId))).toEqual([409, 'invalid_state'])
    expect(refusal(await transfer(boss, id, (await person()).userId))).toEqual([404, 'not_found'])
    const given = await transfer(boss, id, member.userId)
    expect([given.status, given.body]).toMatchObject([200, { id: member.userId, role: 'owner' }])
    expect(await rolesOf(id, [boss, member, other])).toEqual(['admin', 'owner', 'member'])
    expect(refusal(await transfer(boss, id, other.userId))).toEqual([403, 'forbidden'])
    expect(await memberEvents(id)).toEqual([
      event('ownership.transferred', id, boss, {
        from_user_id: boss.userId,
        to_user_id: member.userId,
        role_before: 'member',
      }),
    ])
    expect(await subjectsTo(member.email)).toEqual(['You own an organization'])
    expect(await subjectsTo(boss.email)).toContain('You transferred the ownership of an organization')
  })
})

describe('members races', () => {
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
        await changeMember(tx, actor, { userId: second.userId as UserId, change: { role: 'admin' } }, endWithRole)
        const body = { contact_name: 'Second' }
        changed = api('PATCH', `/organizations/${id}/settings`, { token: second.token, body })
        await untilBlocked(tx)
      })
      expect((await changed)?.body.error.type).toBe('forbidden')
    })
  })
})

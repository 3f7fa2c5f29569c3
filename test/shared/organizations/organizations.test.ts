/** Organizations: created within a limit, seen by members, addressed by a fixed service ID. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../../domain/permissions.ts'
import { type TestPerson, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { leave, remove } from '../../support/organizations/members.ts'

const create = (by: TestPerson, body: object = { name: 'Acme' }) =>
  api('POST', '/organizations', { token: by.token, body })
const list = async ({ token }: TestPerson, query = '') => (await api('GET', `/organizations?${query}`, { token })).body
const idsOf = ({ data }: { data: readonly { id: string }[] }): string[] => data.map(({ id }) => id)

/** Creates four organizations and returns their ids, newest first. */
async function four(boss: TestPerson) {
  const made: string[] = []
  for (let count = 0; count < 4; count++) made.unshift((await create(boss)).body.id)
  return made as [string, string, string, string]
}

const newHandle = () => `h-${randomUUID().slice(0, 13)}`
const limit = (to: TestPerson, most: number | null) =>
  owner`update people set organization_limit = ${most} where id = ${to.userId}`

describe('creating', () => {
  test('makes the caller its owner, with every field as sent and an event', async () => {
    const boss = await person()
    const body = {
      name: 'Acme',
      country_code: 'DE',
      card_name: 'ACME',
      company_address: '1 Road',
      contact_email: 'Office@Example.com',
      invoice_name: 'Acme GmbH',
      invoice_notes: 'Thanks',
      referral_code: 'R1',
      registered_entity: true,
      tax_id: 'DE123',
    }
    const made = await create(boss, { ...body, made_up: 'ignored' })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      ...body,
      contact_email: 'office@example.com',
      id: made.body.id,
      svc_id: null,
      is_primary: true,
      logo: { url: '' },
      permissions: [...PERMISSIONS],
      role: 'owner',
    })
    expect((await api('GET', `/organizations/${made.body.id}`, { token: boss.token })).body).toEqual(made.body)
    const events = await owner`select type, actor_user_id from events where subject_id = ${made.body.id}`
    expect(events).toEqual([{ type: 'organization.created', actor_user_id: boss.userId }])
    const nothing = { country_code: null, tax_id: null, contact_email: null, registered_entity: null }
    expect((await create(boss)).body).toMatchObject({ ...nothing, is_primary: false })
  })

  test('stops at three by default, also of requests at once, and only owned ones count', async () => {
    const [boss, other] = [await person(), await person()]
    await limit(boss, null)
    await join((await organization(other)).id, boss, 'admin')
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(boss)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422, 422])
    const refused = await create(boss)
    expect(refusal(refused)).toEqual([422, 'organization_limit_reached'])
    expect(refused.body.error.details).toEqual({ organization_limit: 3 })
  })
})

describe('listing', () => {
  test('pages through all of them, newest first, each once', async () => {
    const boss = await person()
    const made = await four(boss)
    const first = await list(boss, 'limit=3')
    expect([idsOf(first), first.has_more, first.next_cursor]).toEqual([made.slice(0, 3), true, made[2]])
    const second = await list(boss, `limit=3&cursor=${made[2]}`)
    expect([idsOf(second), second.has_more, second.next_cursor]).toEqual([made.slice(3), false, null])
    const foreign = await list(await person(), `cursor=${made[2]}`)
    expect(foreign.error.details.errors[0].code).toBe('unknown_cursor')
  })

  test('shows what the caller may do in each, and none that they are not in or that is banned', async () => {
    const [boss, member] = [await person(), await person()]
    const [here, banned] = [await organization(boss), await organization(boss)]
    await organization(boss)
    for (const { id } of [here, banned]) await join(id, member, 'member')
    await owner`update organizations set status = 'banned' where id = ${banned.id}`
    const { data } = await list(member)
    expect(data).toMatchObject([{ id: here.id, role: 'member', svc_id: here.svcId }])
    expect(data[0].permissions).not.toContain('organization.update')
    expect(data[0].permissions).toContain('organization.read')
  })

  test('goes on after one that the caller has left since, was removed from, or that was banned', async () => {
    const [boss, other] = [await person(), await person()]
    const [left, banned, removed, last] = await four(boss)
    for (const id of [left, removed]) await join(id, other, 'owner')
    await leave(boss, left)
    await owner`update organizations set status = 'banned' where id = ${banned}`
    await remove(other, removed, boss.userId)
    for (const cursor of [left, banned, removed]) expect(idsOf(await list(boss, `cursor=${cursor}`))).toEqual([last])
  })
})

describe('the service ID', () => {
  /** A new organization without a service ID, and claims of one for it. */
  async function bare(by?: TestPerson) {
    const boss = by ?? (await person({ authenticator: true }))
    const id: string = (await create(boss)).body.id
    const claimBy = (how: typeof withStepUp) => (svc_id: string) =>
      how('POST', `/organizations/${id}/claim-handle`, { token: boss.token, body: { svc_id } })
    return { boss, id, claim: claimBy(withStepUp), claimOnce: claimBy(api) }
  }

  test('is claimed once after a step-up, seen by every signed-in person, claimed again without effect, and never changes', async () => {
    const { id, claim, claimOnce } = await bare()
    const handle = newHandle()
    expect(refusal(await claimOnce(handle))).toEqual([403, 'step_up_required'])
    for (const _ of [1, 2]) expect(await claim(handle)).toMatchObject({ status: 200, body: { svc_id: handle } })
    const events = await owner`select type from events where subject_id = ${id} and type like '%handle%'`
    expect(events).toEqual([{ type: 'organization.handle_claimed' }])
    const seen = await api('GET', `/handles/${handle}`, { token: (await person()).token })
    expect([seen.status, seen.body]).toEqual([200, { svc_id: handle, display_name: 'Acme' }])
    const refused = await claim(newHandle()) // payers know the first
    expect(refusal(refused)).toEqual([409, 'invalid_state'])
    expect(refused.body.error.details).toEqual({ current: handle, allowed: [] })
  })

  test('goes to one of two that claim it at once', async () => {
    const { boss, claim } = await bare()
    const rivals = [await bare(boss), await bare(boss)]
    await claim(newHandle()) // opens the step-up window
    const handle = newHandle()
    const answers = await Promise.all(rivals.map((one) => one.claim(handle)))
    expect(answers.map((answer) => refusal(answer).join(' ')).toSorted()).toEqual(['200 ', '409 handle_taken'])
  })

  test('is none of the service', async () => {
    const { claim } = await bare()
    expect(refusal(await claim('support'))).toEqual([409, 'handle_taken'])
  })

  test('that nobody has is not found, nor is that of a banned organization', async () => {
    const boss = await person()
    const banned = await organization(boss)
    await owner`update organizations set status = 'banned' where id = ${banned.id}`
    for (const handle of [newHandle(), banned.svcId]) {
      expect(refusal(await api('GET', `/handles/${handle}`, { token: boss.token }))).toEqual([404, 'not_found'])
    }
  })
})

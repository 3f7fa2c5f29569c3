/** Organizations: created within a limit, seen by members, addressed by a fixed service ID. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../../domain/permissions.ts'
import { type TestPerson, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { leave, remove } from '../../support/organizations/members.ts'

const create = (by: TestPerson, body: object = { name: 'Acme' }, key?: string) =>
  api('POST', '/organizations', { token: by.token, body, ...(key && { key }) })

const newHandle = () => `h-${randomUUID().slice(0, 13)}`

const claim = (by: TestPerson, organizationId: string, svcId: string) =>
  withStepUp('POST', `/organizations/${organizationId}/claim-handle`, { token: by.token, body: { svc_id: svcId } })

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
      made_up: 'ignored',
    }
    const made = await create(boss, body)
    expect(made.status).toBe(201)
    const { made_up: _, ...kept } = body
    expect(made.body).toEqual({
      ...kept,
      contact_email: 'office@example.com',
      id: made.body.id,
      svc_id: null,
      is_primary: true,
      logo: { url: '' },
      permissions: [...PERMISSIONS],
      role: 'owner',
    })
    const read = await api('GET', `/organizations/${made.body.id}`, { token: boss.token })
    expect(read.body).toEqual(made.body)
    const events = await owner`select type, actor_user_id from events where subject_id = ${made.body.id}`
    expect(events).toEqual([{ type: 'organization.created', actor_user_id: boss.userId }])
  })

  test('the first one becomes the primary one, the second does not', async () => {
    const boss = await person()
    const [one, two] = [await create(boss), await create(boss)]
    expect([one.body.is_primary, two.body.is_primary]).toEqual([true, false])
  })

  test('what is not given is null', async () => {
    const made = await create(await person())
    expect(made.body).toMatchObject({ country_code: null, tax_id: null, contact_email: null, registered_entity: null })
  })

  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'a', country_code: 'deu' }, 'country_code'],
    [{ name: 'a', contact_email: 'nobody' }, 'contact_email'],
  ])('refuses %j for its %s', async (body, path) => {
    const refused = await create(await person(), body)
    expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request'])
    expect(refused.body.error.details.errors).toMatchObject([{ path }])
  })

  test('stops at three by default, and only owned ones count', async () => {
    const [boss, other] = [await person(), await person()]
    await limit(boss, null)
    const joined = await organization(other)
    await join(joined.id, boss, 'admin')
    for (let made = 0; made < 3; made++) expect((await create(boss)).status).toBe(201)
    const refused = await create(boss)
    expect([refused.status, refused.body.error.type]).toEqual([422, 'organization_limit_reached'])
    expect(refused.body.error.details).toEqual({ organization_limit: 3 })
  })

  test('the limit holds against requests that come at once', async () => {
    const boss = await person()
    await limit(boss, 2)
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(boss)))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(2)
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(6)
  })

  test('a repeat with the same key makes nothing more, also at once and at the limit', async () => {
    const boss = await person()
    await limit(boss, 1)
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(boss, { name: 'Once' }, 'one-key')))
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(201))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    const again = await create(boss, { name: 'Once' }, 'one-key')
    expect([again.status, again.body.id]).toEqual([201, answers[0]?.body.id])
    const list = await api('GET', '/organizations', { token: boss.token })
    expect(list.body.data).toHaveLength(1)
  })

  test('the same key with another body is refused', async () => {
    const boss = await person()
    await create(boss, { name: 'One' }, 'k')
    const refused = await create(boss, { name: 'Two' }, 'k')
    expect([refused.status, refused.body.error.type]).toEqual([422, 'idempotency_key_reused'])
  })

  test('the same key of another person is another key', async () => {
    const [one, two] = [
      await create(await person(), { name: 'A' }, 'k'),
      await create(await person(), { name: 'A' }, 'k'),
    ]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body.id).not.toBe(two.body.id)
  })
})

describe('listing', () => {
  test('pages through all of them, newest first, each once', async () => {
    const boss = await person()
    const made: string[] = []
    for (let count = 0; count < 5; count++) made.unshift((await create(boss)).body.id)
    const seen: string[] = []
    let query = 'limit=2'
    for (;;) {
      const page = (await api('GET', `/organizations?${query}`, { token: boss.token })).body
      seen.push(...page.data.map((item: { id: string }) => item.id))
      expect(page.has_more).toBe(page.next_cursor !== null)
      if (!page.has_more) break
      query = `limit=2&cursor=${page.next_cursor}`
    }
    expect(seen).toEqual(made)
  })

  test('shows what the caller may do in each, and none that they are not in or that is banned', async () => {
    const [boss, member] = [await person(), await person()]
    const [here, banned] = [await organization(boss), await organization(boss)]
    await organization(boss)
    await join(here.id, member, 'member')
    await join(banned.id, member, 'member')
    await owner`update organizations set status = 'banned' where id = ${banned.id}`
    const list = await api('GET', '/organizations', { token: member.token })
    expect(list.body.data).toMatchObject([{ id: here.id, role: 'member', svc_id: here.svcId }])
    expect(list.body.data[0].permissions).not.toContain('organization.update')
    expect(list.body.data[0].permissions).toContain('organization.read')
  })

  test('goes on after one that the caller has left since, was removed from, or that was banned', async () => {
    const boss = await person()
    const made: string[] = []
    for (let count = 0; count < 4; count++) made.unshift((await create(boss)).body.id)
    const [left = '', banned = '', removed = '', last] = made
    const other = await person()
    for (const id of [left, removed]) await join(id, other, 'owner')
    await leave(boss, left)
    await owner`update organizations set status = 'banned' where id = ${banned}`
    await remove(other, removed, boss.userId)
    for (const cursor of [left, banned, removed]) {
      const page = await api('GET', `/organizations?cursor=${cursor}`, { token: boss.token })
      expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual([last])
    }
  })

  test('an unknown cursor and a foreign one get the same answer', async () => {
    const boss = await person()
    const foreign = await organization(await person())
    for (const cursor of [randomUUID(), foreign.id]) {
      const refused = await api('GET', `/organizations?cursor=${cursor}`, { token: boss.token })
      expect([refused.status, refused.body.error.details.errors[0].code]).toEqual([400, 'unknown_cursor'])
    }
  })
})

test('an organization that the caller is not in answers like one that does not exist', async () => {
  const outsider = await person()
  const there = await organization(await person())
  const answers = [there.id, randomUUID()].map((id) => api('GET', `/organizations/${id}`, { token: outsider.token }))
  for (const answer of await Promise.all(answers)) {
    expect([answer.status, answer.body.error.type]).toEqual([404, 'not_found'])
  }
})

describe('the service ID', () => {
  const boss = async () => person({ authenticator: true })
  const bare = async (by: TestPerson) => (await create(by)).body.id as string

  test('needs a step-up', async () => {
    const by = await boss()
    const refused = await api('POST', `/organizations/${await bare(by)}/claim-handle`, {
      token: by.token,
      body: { svc_id: newHandle() },
    })
    expect([refused.status, refused.body.error.type]).toEqual([403, 'step_up_required'])
  })

  test('is claimed once, seen by every signed-in person, and claimed again without effect', async () => {
    const by = await boss()
    const id = await bare(by)
    const handle = newHandle()
    for (const _ of [1, 2]) {
      const claimed = await claim(by, id, handle)
      expect([claimed.status, claimed.body.svc_id]).toEqual([200, handle])
    }
    const events = await owner`select type from events where subject_id = ${id} and type like '%handle%'`
    expect(events).toEqual([{ type: 'organization.handle_claimed' }])
    const seen = await api('GET', `/handles/${handle}`, { token: (await person()).token })
    expect([seen.status, seen.body]).toEqual([200, { svc_id: handle, display_name: 'Acme' }])
  })

  test('goes to one of two that claim it at once', async () => {
    const by = await boss()
    const ids = [await bare(by), await bare(by), await bare(by)]
    const handle = newHandle()
    await claim(by, ids[0] ?? '', newHandle()) // opens the step-up window
    const answers = await Promise.all(ids.slice(1).map((id) => claim(by, id, handle)))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(answers.find((answer) => answer.status === 409)?.body.error.type).toBe('handle_taken')
  })

  test('never changes: payers know it', async () => {
    const by = await boss()
    const id = await bare(by)
    const handle = newHandle()
    await claim(by, id, handle)
    const refused = await claim(by, id, newHandle())
    expect([refused.status, refused.body.error.type]).toEqual([409, 'invalid_state'])
    expect(refused.body.error.details).toEqual({ current: handle, allowed: [] })
  })

  test.each(['admin', 'support', 'payments'])('is not %s, which the service keeps', async (reserved) => {
    const by = await boss()
    const refused = await claim(by, await bare(by), reserved)
    expect([refused.status, refused.body.error.type]).toEqual([409, 'handle_taken'])
  })

  test.each(['ab', '-abc', 'abc-', 'Abc', 'a b', 'x'.repeat(31), ''])('refuses the shape %j', async (handle) => {
    const by = await boss()
    const refused = await claim(by, await bare(by), handle)
    expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request'])
  })

  test('is not claimed by a member', async () => {
    const [by, member] = [await boss(), await person({ authenticator: true })]
    const id = await bare(by)
    await join(id, member, 'member')
    const refused = await claim(member, id, newHandle())
    expect([refused.status, refused.body.error.details]).toEqual([
      403,
      { permission: 'organization.claim_personal_handle' },
    ])
  })

  test('that nobody has is not found, nor is that of a banned organization', async () => {
    const by = await boss()
    const banned = await organization(by)
    await owner`update organizations set status = 'banned' where id = ${banned.id}`
    for (const handle of [newHandle(), banned.svcId]) {
      const refused = await api('GET', `/handles/${handle}`, { token: by.token })
      expect([refused.status, refused.body.error.type]).toEqual([404, 'not_found'])
    }
  })
})

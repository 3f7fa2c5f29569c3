/** Organizations: created within a limit, seen by members, addressed by a fixed service ID. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../../domain/permissions.ts'
import { type TestPerson, api, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { leave, remove, staffed } from '../../support/organizations/members.ts'
import sharp from 'sharp'
import { bytesAt, pathIn, served, upload as uploadTo } from '../../support/files/pictures.ts'

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
      time_zone: 'UTC',
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

const change = ({ token }: TestPerson, id: string, body: object) =>
  api('PATCH', `/organizations/${id}`, { token, body })
const read = async ({ token }: TestPerson, id: string) => (await api('GET', `/organizations/${id}`, { token })).body
const eventsOf = (id: string) => owner`
  select type, actor_user_id, payload::jsonb as payload from events where subject_id = ${id} order by id`

const FULL = {
  name: 'Another Name',
  card_name: 'CARD NAME',
  company_address: '1 Main Street',
  contact_email: 'office@example.com',
  country_code: 'DE',
  invoice_name: 'Another Name GmbH',
  invoice_notes: 'Thank you.',
  registered_entity: true,
  tax_id: 'DE123456789',
}

test('an update sets every field that is given, clears what is null, and leaves what is absent or cannot be changed', async () => {
  const { boss, id } = await staffed()
  const before = await read(boss, id)
  const more = { svc_id: 'another-handle', status: 'banned', role: 'member', referral_code: 'X', id: boss.userId }
  const changed = await change(boss, id, { ...FULL, ...more })
  expect([changed.status, changed.body]).toEqual([200, { ...before, ...FULL }])
  expect(await read(boss, id)).toEqual(changed.body)
  const cleared = { tax_id: null, country_code: null, registered_entity: null, contact_email: null }
  expect((await change(boss, id, cleared)).body).toMatchObject({ ...FULL, ...cleared })
})

test('it is one event that names what is another than before, and tells no value; no change is none', async () => {
  const { boss, id } = await staffed()
  const same = await Promise.all(Array.from({ length: 5 }, () => change(boss, id, FULL)))
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]))
  await change(boss, id, {})
  await change(boss, id, { ...FULL, tax_id: null, card_name: 'OTHER' })
  const told = { type: 'organization.updated', actor_user_id: boss.userId }
  expect(await eventsOf(id)).toEqual([
    { ...told, payload: { changed: Object.keys(FULL).toSorted() } },
    { ...told, payload: { changed: ['card_name', 'tax_id'] } },
  ])
})

describe('logo', async () => {
  const picture = (background: string) =>
    sharp({ create: { width: 30, height: 10, channels: 3, background } })
      .png()
      .toBuffer()
  const [RED, BLUE] = [await picture('red'), await picture('blue')]

  const pathOf = (id: string) => `/organizations/${id}/logo`
  const upload = (by: TestPerson, id: string, bytes: Uint8Array = RED) => uploadTo(by, pathOf(id), bytes)
  const uploaded = async (by: TestPerson, id: string, bytes?: Buffer) => pathIn((await upload(by, id, bytes)).body.logo)
  const remove = ({ token }: TestPerson, id: string) => api('DELETE', pathOf(id), { token })
  const logoSeenBy = async ({ token }: TestPerson, id: string) =>
    (await api('GET', `/organizations/${id}`, { token })).body.logo
  const eventsOf = async (id: string) =>
    (await owner`select type from events where subject_id = ${id} order by id`).map((row) => row['type'])

  test('it is told wherever its organization is, to each of its members, and to no other one', async () => {
    const { boss, id, staff } = await staffed('member')
    const { id: other } = await organization(boss, 'Without a logo')
    const { logo } = (await upload(boss, id)).body
    for (const reader of [boss, ...staff]) expect(await logoSeenBy(reader, id)).toEqual(logo)
    expect((await api('GET', '/organizations', { token: boss.token })).body.data).toMatchObject([
      { id: other, logo: { url: '' } },
      { id, logo },
    ])
    const renamed = await api('PATCH', `/organizations/${id}`, { token: boss.token, body: { name: 'Renamed' } })
    expect(renamed.body.logo).toEqual(logo)
  })

  test('it becomes a square webp at another address for each picture, the one before is gone; it is removed as often as that is asked', async () => {
    const { boss, id } = await staffed()
    const [first, second] = [await uploaded(boss, id), await uploaded(boss, id, BLUE)]
    expect(second).not.toBe(first)
    expect((await served(first)).status).toBe(404)
    expect(await sharp(await bytesAt(second)).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
    expect((await upload(boss, id, Buffer.from('no picture'))).status).toBe(415)
    expect(refusal(await upload(boss, id, RED.subarray(0, RED.length / 2)))).toEqual([422, 'invalid_file'])
    for (const _ of [1, 2]) expect(await remove(boss, id)).toMatchObject({ status: 200, body: { logo: { url: '' } } })
    expect((await served(second)).status).toBe(404)
    expect(await eventsOf(id)).toEqual(['changed', 'changed', 'removed'].map((what) => `organization.logo_${what}`))
  })

  test.each(['banned', 'deleted'])('that of an organization that is %s is not shown', async (status) => {
    const { boss, id } = await staffed()
    const path = await uploaded(boss, id)
    await owner`update organizations set status = ${status} where id = ${id}`
    expect((await served(path)).status).toBe(404)
  })
})

describe('time zones', () => {
  const path = (id: string) => `/organizations/${id}/settings`
  const change = ({ token }: TestPerson, id: string, time_zone: string) =>
    withStepUp('PATCH', path(id), { token, body: { time_zone } })

  test('one that is named at the creation counts from the first day; without one it is UTC', async () => {
    const boss = await person()
    const zoneOf = async (body: object) => {
      const { id } = (await create(boss, { name: 'Somewhere', ...body })).body
      return (await api('GET', path(id), { token: boss.token })).body
    }
    expect(await zoneOf({ time_zone: 'europe/berlin' })).toMatchObject({
      time_zone: 'Europe/Berlin',
      time_zone_from: null,
    })
    expect(await zoneOf({ time_zone: null })).toMatchObject({ time_zone: 'UTC' })
    expect(await zoneOf({})).toMatchObject({ time_zone: 'UTC' })
    expect(refusal(await create(boss, { name: 'Nowhere', time_zone: 'Mars/Olympus' }))).toEqual([
      400,
      'invalid_request',
    ])
  })

  test('members who may not read the settings read the zone with the organization, as it was set last', async () => {
    const boss = await person()
    const { id } = (await create(boss, { name: 'Somewhere', time_zone: 'Europe/Berlin' })).body
    const member = await person()
    await join(id, member, 'member')
    const read = async () => (await api('GET', `/organizations/${id}`, { token: member.token })).body.time_zone
    expect(await read()).toBe('Europe/Berlin')
    await change(boss, id, 'Pacific/Auckland')
    expect([await read(), (await list(member)).data[0].time_zone]).toEqual(['Pacific/Auckland', 'Pacific/Auckland'])
  })

  /** An organization in this time zone, and its owner. */
  async function located(zone: string) {
    const boss = await person()
    const { id } = await organization(boss, 'Somewhere')
    await change(boss, id, zone)
    // as long ago as if it had never been another one
    await owner`update organizations set time_zone_from = null where id = ${id}`
    return { boss, id }
  }

  const midnight = async (id: string, day: string) => {
    const [row] = await owner<{ at: Date }[]>`select local_midnight(${id}, ${day}) as at`
    return row?.at.toISOString()
  }
  const dayAt = async (id: string, at: string) => {
    const [row] = await owner<{ day: string }[]>`select local_date(${id}, ${at})::text as day`
    return row?.day
  }

  describe('a day begins', () => {
    test.each([
      ['in summer', 'Europe/Berlin', '2026-07-15', '2026-07-14T22:00:00.000Z'],
      ['with the next one where it was left out, on Samoa', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
      ['on a leap day', 'Asia/Kathmandu', '2028-02-29', '2028-02-28T18:15:00.000Z'],
    ])('%s', async (_, zone, day, at) => {
      const { id } = await located(zone)
      expect(await midnight(id, day)).toBe(at)
      expect((await dayAt(id, at))! >= day).toBe(true)
      expect((await dayAt(id, new Date(Date.parse(at) - 1).toISOString()))! < day).toBe(true)
    })

    test('at its first instant, in every time zone, on every day of a year', async () => {
      const zones = Intl.supportedValuesOf('timeZone')
      const wrong = await owner`
      select z.name, d.day::date from pg_timezone_names z,
        generate_series('2026-01-01'::timestamp, '2026-12-31', '1 day') d (day),
        zone_midnight(z.name, d.day::date) m (at)
      where z.name = any (${zones}) and ((m.at at time zone z.name)::date <> d.day::date
        or ((m.at - interval '1 microsecond') at time zone z.name)::date <> d.day::date - 1)`
      expect([...wrong]).toEqual([])
    })
  })

  describe('another time zone', () => {
    test('counts from the next midnight of the one before, from which the owner may change it again', async () => {
      const { boss, id } = await located('Europe/Berlin')
      const { body: first } = await change(boss, id, 'Pacific/Auckland')
      const { body: second } = await change(boss, id, 'Pacific/Honolulu')
      expect(first).toMatchObject({ time_zone: 'Pacific/Auckland' })
      expect(second).toMatchObject({ time_zone: 'Pacific/Honolulu', time_zone_from: first.time_zone_from })
      const from = new Date(first.time_zone_from)
      const inBerlin = new Intl.DateTimeFormat('sv', {
        timeZone: 'Europe/Berlin',
        dateStyle: 'short',
        timeStyle: 'medium',
      })
      expect(inBerlin.format(from)).toMatch(/ 00:00:00$/)
      expect(from.getTime()).toBeGreaterThan(Date.now())
      expect((await api('GET', path(id), { token: boss.token })).body).toEqual(second)
    })

    test('changed twice takes nothing out of the sums of a period', async () => {
      const { boss, id } = await located('UTC')
      const beginOf = async (period: string) => {
        const [row] = await owner<{ begins_at: Date }[]>`
        select begins_at from limit_periods(${id}, business_now()) where period = ${period}`
        return row?.begins_at.getTime() ?? 0
      }
      const periods = ['day', 'week', 'month']
      const before = await Promise.all(periods.map(beginOf))
      await change(boss, id, 'Etc/GMT+12')
      expect(await Promise.all(periods.map(beginOf))).toEqual(before)
      await change(boss, id, 'Etc/UTC')
      await owner`update organizations set former_time_zone = 'Etc/GMT+12', time_zone_from = business_now() - interval '1 s'
      where id = ${id}`
      const after = await Promise.all(periods.map(beginOf))
      expect(after.filter((at, index) => at > (before[index] ?? 0))).toEqual([])
    })

    test.each([
      ['to the west: the last day goes on', 'Pacific/Auckland', 'Pacific/Honolulu'],
      ['to the east: the next day is short', 'Pacific/Honolulu', 'Pacific/Auckland'],
      ['over the date line to the west', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'],
      ['over the date line to the east', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'],
      ['by an hour', 'UTC', 'Europe/Berlin'],
    ])(
      'never leads back to a day before, and each day begins where the last one ends: %s',
      async (_, before, after) => {
        const { id } = await located(before)
        await owner`
      update organizations set former_time_zone = ${before}, time_zone = ${after},
        time_zone_from = zone_midnight(${before}, '2026-05-10') where id = ${id}`
        const hours = await owner<{ day: string; begun: boolean }[]>`
      select local_date(${id}, at)::text as day,
        local_midnight(${id}, local_date(${id}, at)) <= at
          and local_midnight(${id}, local_date(${id}, at) + 1) > at as begun
      from generate_series('2026-05-07T00:00Z'::timestamptz, '2026-05-14T00:00Z', '15 minutes') at order by at`
        const days = hours.map(({ day }) => day)
        expect(days).toEqual(days.toSorted())
        expect(hours.filter(({ begun }) => !begun)).toEqual([])
      },
    )
  })
})

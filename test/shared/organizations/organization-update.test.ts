/** Changes of an organization by its admins. */
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

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

async function place() {
  const boss = await person()
  return { boss, id: (await organization(boss)).id }
}

describe('an update', () => {
  test('sets every field that is given, answers the organization, and leaves what one cannot change', async () => {
    const { boss, id } = await place()
    const before = await read(boss, id)
    const more = { svc_id: 'another-handle', status: 'banned', role: 'member', referral_code: 'X', id: boss.userId }
    const changed = await change(boss, id, { ...FULL, ...more })
    expect([changed.status, changed.body]).toEqual([200, { ...before, ...FULL }])
    expect(await read(boss, id)).toEqual(changed.body)
  })

  test('leaves what is absent and clears what is null', async () => {
    const { boss, id } = await place()
    await change(boss, id, FULL)
    const cleared = { tax_id: null, country_code: null, registered_entity: null, contact_email: null }
    const { body } = await change(boss, id, cleared)
    expect(body).toMatchObject({ ...FULL, ...cleared })
  })

  test('is one event that names what is another than before, and tells no value; no change is none', async () => {
    const { boss, id } = await place()
    await change(boss, id, FULL)
    await change(boss, id, FULL)
    await change(boss, id, {})
    await change(boss, id, { ...FULL, tax_id: null, card_name: 'OTHER' })
    const changed = [Object.keys(FULL).toSorted(), ['card_name', 'tax_id']]
    expect(await eventsOf(id)).toEqual(
      changed.map((fields) => ({
        type: 'organization.updated',
        actor_user_id: boss.userId,
        payload: { changed: fields },
      })),
    )
  })

  test('20 of the same at once are one event', async () => {
    const { boss, id } = await place()
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(boss, id, FULL)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('is for owners and admins', async () => {
    const { boss, id } = await place()
    const [admin, member] = [await person(), await person()]
    await join(id, admin, 'admin')
    await join(id, member, 'member')
    expect((await change(admin, id, { name: 'By an admin' })).body).toMatchObject({
      name: 'By an admin',
      role: 'admin',
    })
    const refused = await change(member, id, { name: 'By a member' })
    expect([refused.status, refused.body.error]).toMatchObject([
      403,
      { type: 'forbidden', details: { permission: 'organization.update' } },
    ])
    expect((await read(boss, id)).name).toBe('By an admin')
  })

  test.each([
    [{ name: null }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a'.repeat(256) }, 'name'],
    [{ country_code: 'de' }, 'country_code'],
    [{ country_code: 'XX' }, 'country_code'],
    [{ country_code: 'DEU' }, 'country_code'],
    [{ contact_email: 'nobody' }, 'contact_email'],
    [{ tax_id: '' }, 'tax_id'],
    [{ tax_id: 'a\0b' }, 'tax_id'],
    [{ invoice_notes: 7 }, 'invoice_notes'],
    [{ registered_entity: 'yes' }, 'registered_entity'],
  ])('%j is invalid_request at %s', async (body, path) => {
    const { boss, id } = await place()
    const refused = await change(boss, id, body)
    expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request'])
    expect(refused.body.error.details.errors[0].path).toBe(path)
    expect(await eventsOf(id)).toEqual([])
  })
})

test('a new organization is in a country that exists, or in none that is told', async () => {
  const { token } = await person()
  const refused = await api('POST', '/organizations', { token, body: { name: 'Nowhere', country_code: 'XX' } })
  expect([refused.status, refused.body.error.details.errors[0].path]).toEqual([400, 'country_code'])
})

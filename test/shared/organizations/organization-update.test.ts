/** Changes of an organization by its admins. */
import { expect, test } from 'vitest'
import { type TestPerson, api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { staffed } from '../../support/organizations/members.ts'

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

test('an update sets every field that is given, answers the organization, and leaves what one cannot change', async () => {
  const { boss, id } = await staffed()
  const before = await read(boss, id)
  const more = { svc_id: 'another-handle', status: 'banned', role: 'member', referral_code: 'X', id: boss.userId }
  const changed = await change(boss, id, { ...FULL, ...more })
  expect([changed.status, changed.body]).toEqual([200, { ...before, ...FULL }])
  expect(await read(boss, id)).toEqual(changed.body)
})

test('it leaves what is absent and clears what is null', async () => {
  const { boss, id } = await staffed()
  await change(boss, id, FULL)
  const cleared = { tax_id: null, country_code: null, registered_entity: null, contact_email: null }
  expect((await change(boss, id, cleared)).body).toMatchObject({ ...FULL, ...cleared })
})

test('it is one event that names what is another than before, and tells no value; no change is none', async () => {
  const { boss, id } = await staffed()
  const same = await Promise.all(Array.from({ length: 20 }, () => change(boss, id, FULL)))
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]))
  await change(boss, id, {})
  await change(boss, id, { ...FULL, tax_id: null, card_name: 'OTHER' })
  const told = { type: 'organization.updated', actor_user_id: boss.userId }
  expect(await eventsOf(id)).toEqual([
    { ...told, payload: { changed: Object.keys(FULL).toSorted() } },
    { ...told, payload: { changed: ['card_name', 'tax_id'] } },
  ])
})

test('it is for owners and admins', async () => {
  const { boss, id, staff } = await staffed('admin', 'member')
  const changed = await change(staff[0], id, { name: 'By an admin' })
  expect(changed.body).toMatchObject({ name: 'By an admin', role: 'admin' })
  expect(refusal(await change(staff[1], id, { name: 'By a member' }))).toEqual([403, 'forbidden'])
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
  const { boss, id } = await staffed()
  const refused = await change(boss, id, body)
  expect(refusal(refused)).toEqual([400, 'invalid_request'])
  expect(refused.body.error.details.errors[0].path).toBe(path)
  expect(await eventsOf(id)).toEqual([])
})

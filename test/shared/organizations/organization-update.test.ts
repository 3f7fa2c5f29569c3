/** Changes of an organization by its admins. */
import { expect, test } from 'vitest'
import { type TestPerson, api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
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

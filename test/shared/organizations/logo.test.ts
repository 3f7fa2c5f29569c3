/** Organization logos: the rules of avatars, shown wherever the organization is. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type TestPerson, api, organization } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { bytesAt, pathIn, served, upload as uploadTo } from '../../support/files/pictures.ts'
import { refusal } from '../../support/http/refusals.ts'
import { staffed } from '../../support/organizations/members.ts'

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

test('a logo becomes 512 × 512 webp, is read without a credential, and kept by caches for good', async () => {
  const { boss, id } = await staffed()
  const bytes = await bytesAt(await uploaded(boss, id))
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
})

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

test('it has another address for each picture, the one before is gone; it is removed as often as that is asked', async () => {
  const { boss, id } = await staffed()
  const [first, second] = [await uploaded(boss, id), await uploaded(boss, id, BLUE)]
  expect(second).not.toBe(first)
  expect([(await served(first)).status, (await served(second)).status]).toEqual([404, 200])
  for (const _ of [1, 2]) expect(await remove(boss, id)).toMatchObject({ status: 200, body: { logo: { url: '' } } })
  expect((await served(second)).status).toBe(404)
  expect(await eventsOf(id)).toEqual(['changed', 'changed', 'removed'].map((what) => `organization.logo_${what}`))
})

test('15 at once leave one, the one that is told', async () => {
  const { boss, id } = await staffed()
  const answers = await Promise.all(Array.from({ length: 15 }, () => upload(boss, id)))
  const taken = answers.filter(({ status }) => status === 200)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(refusal(answer)).toEqual([429, 'rate_limited'])
  }
  const rows = await owner<{ id: string }[]>`select id from logos where organization_id = ${id}`
  const told = pathIn(await logoSeenBy(boss, id))
  expect(rows.map((row) => `/logos/${row.id}`)).toEqual([told])
  expect(taken.map(({ body }) => pathIn(body.logo))).toContain(told)
})

test.each(['banned', 'deleted'])('that of an organization that is %s is not shown', async (status) => {
  const { boss, id } = await staffed()
  const path = await uploaded(boss, id)
  await owner`update organizations set status = ${status} where id = ${id}`
  expect((await served(path)).status).toBe(404)
})

test('it is changed by owners and admins only; what is no picture is refused, and changes nothing', async () => {
  const { boss, id, staff } = await staffed('admin', 'member')
  for (const refused of [await upload(staff[1], id), await remove(staff[1], id)]) {
    expect(refusal(refused)).toEqual([403, 'forbidden'])
  }
  for (const [bytes, ...refused] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'unsupported_media_type'],
    [RED.subarray(0, 60), 422, 'invalid_file'],
    [Buffer.alloc(5 * 1024 * 1024 + 1), 413, 'payload_too_large'],
  ] as const) {
    expect(refusal(await upload(boss, id, bytes))).toEqual(refused)
  }
  expect([await logoSeenBy(boss, id), await eventsOf(id)]).toEqual([{ url: '' }, []])
  expect((await upload(staff[0], id)).status).toBe(200)
})

test('an address that no logo has is not_found; one that is no id is invalid_request', async () => {
  expect(refusal(await api('GET', '/logos/01234567-0000-4000-8000-000000000000'))).toEqual([404, 'not_found'])
  expect(refusal(await api('GET', '/logos/nothing'))).toEqual([400, 'invalid_request'])
})

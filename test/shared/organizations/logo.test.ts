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

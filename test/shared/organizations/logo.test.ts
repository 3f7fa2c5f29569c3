/** Organization logos: the rules of avatars, shown wherever the organization is. */
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, baseUrl, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

const picture = (colour: string) =>
  sharp({ create: { width: 30, height: 10, channels: 3, background: colour } })
    .png()
    .toBuffer()

async function upload({ token }: TestPerson, id: string, bytes: Uint8Array, field = 'file') {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(bytes)]), 'logo.png')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${baseUrl}/api/v1/organizations/${id}/logo`, { method: 'POST', headers, body: form })
  return { status: response.status, body: (await response.json()) as any }
}

const remove = ({ token }: TestPerson, id: string) => api('DELETE', `/organizations/${id}/logo`, { token })
const served = (path: string) => fetch(`${baseUrl}/api/v1${path}`)
const eventsOf = async (id: string) =>
  (await owner`select type from events where subject_id = ${id} order by id`).map((row) => row['type'])

function pathIn({ logo }: { logo: { url: string } }): string {
  expect(logo.url).toMatch(/^http:\/\/localhost:\d+\/api\/v1\/logos\/[0-9a-f-]{36}$/)
  return logo.url.slice(logo.url.indexOf('/logos/'))
}

async function place() {
  const boss = await person()
  return { boss, id: (await organization(boss)).id }
}

describe('a logo', () => {
  test('becomes 512 × 512 webp, is read without a credential, and kept by caches for good', async () => {
    const { boss, id } = await place()
    const answer = await upload(boss, id, await picture('red'))
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const response = await served(pathIn(answer.body))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
  })

  test('is told wherever its organization is, to each of its members, and to no other one', async () => {
    const { boss, id } = await place()
    const { id: other } = await organization(boss, 'Without a logo')
    const member = await person()
    await join(id, member, 'member')
    const { logo } = (await upload(boss, id, await picture('red'))).body
    for (const { token } of [boss, member]) {
      expect((await api('GET', `/organizations/${id}`, { token })).body.logo).toEqual(logo)
    }
    const listed = (await api('GET', '/organizations', { token: boss.token })).body.data
    expect(listed.map((row: { id: string; logo: object }) => [row.id, row.logo])).toEqual([
      [other, { url: '' }],
      [id, logo],
    ])
    const renamed = await api('PATCH', `/organizations/${id}`, { token: boss.token, body: { name: 'Renamed' } })
    expect(renamed.body.logo).toEqual(logo)
  })

  test('has another address for each picture; the one before is gone', async () => {
    const { boss, id } = await place()
    const first = pathIn((await upload(boss, id, await picture('red'))).body)
    const second = pathIn((await upload(boss, id, await picture('blue'))).body)
    expect(second).not.toBe(first)
    expect([(await served(first)).status, (await served(second)).status]).toEqual([404, 200])
    expect(await eventsOf(id)).toEqual(['organization.logo_changed', 'organization.logo_changed'])
  })

  test('is removed, as often as that is asked; that is one event', async () => {
    const { boss, id } = await place()
    const path = pathIn((await upload(boss, id, await picture('red'))).body)
    for (const _ of [1, 2]) {
      const removed = await remove(boss, id)
      expect([removed.status, removed.body.logo]).toEqual([200, { url: '' }])
    }
    expect((await served(path)).status).toBe(404)
    expect(await eventsOf(id)).toEqual(['organization.logo_changed', 'organization.logo_removed'])
  })

  test('15 at once leave one, the one that is told', async () => {
    const { boss, id } = await place()
    const bytes = await picture('red')
    const answers = await Promise.all(Array.from({ length: 15 }, () => upload(boss, id, bytes)))
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken.length).toBeGreaterThan(0)
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.error.type]).toEqual([429, 'rate_limited'])
    const rows = await owner<{ id: string }[]>`select id from logos where organization_id = ${id}`
    const { body } = await api('GET', `/organizations/${id}`, { token: boss.token })
    expect(rows.map((row) => `/logos/${row.id}`)).toEqual([pathIn(body)])
    expect(taken.map((answer) => pathIn(answer.body))).toContain(pathIn(body))
  })

  test.each(['banned', 'deleted'])('of an organization that is %s is not shown', async (status) => {
    const { boss, id } = await place()
    const path = pathIn((await upload(boss, id, await picture('red'))).body)
    await owner`update organizations set status = ${status} where id = ${id}`
    expect((await served(path)).status).toBe(404)
  })

  test('is changed and removed by owners and admins only', async () => {
    const { boss, id } = await place()
    const [admin, member] = [await person(), await person()]
    await join(id, admin, 'admin')
    await join(id, member, 'member')
    expect((await upload(admin, id, await picture('red'))).status).toBe(200)
    for (const refused of [await upload(member, id, await picture('blue')), await remove(member, id)]) {
      expect([refused.status, refused.body.error.type]).toEqual([403, 'forbidden'])
    }
    expect((await api('GET', `/organizations/${id}`, { token: boss.token })).body.logo.url).not.toBe('')
  })
})

test.each<[string, Buffer, number, string]>([
  ['an svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'unsupported_media_type'],
  ['nothing', Buffer.alloc(0), 415, 'unsupported_media_type'],
  ['half a png', (await picture('red')).subarray(0, 60), 422, 'invalid_file'],
  ['more than 5 MB', Buffer.alloc(5 * 1024 * 1024 + 1), 413, 'payload_too_large'],
])('%s is refused and changes nothing', async (_, bytes, status, type) => {
  const { boss, id } = await place()
  const refused = await upload(boss, id, bytes)
  expect([refused.status, refused.body.error.type]).toEqual([status, type])
  expect((await api('GET', `/organizations/${id}`, { token: boss.token })).body.logo).toEqual({ url: '' })
  expect(await eventsOf(id)).toEqual([])
})

test('an address that no logo has is not_found; one that is no id is invalid_request', async () => {
  expect((await api('GET', `/logos/${randomUUID()}`)).body.error.type).toBe('not_found')
  expect((await api('GET', '/logos/nothing')).body.error.type).toBe('invalid_request')
})

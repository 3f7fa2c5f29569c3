/** Notes on rows of the feed: their content, and who may write them. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashOf } from '../../../db/idempotency.ts'
import { type TestPerson, api, fund, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

async function funded() {
  const boss = await person()
  const { id } = await organization(boss)
  await fund(id, '10')
  const row = (await api('GET', `/organizations/${id}/transactions`, { token: boss.token })).body.data[0]
  return { boss, id, row }
}

const annotate = (by: TestPerson, id: string, body: unknown) =>
  api('PATCH', `/transactions/${id}`, { token: by.token, body })
const eventsOf = async (id: string) =>
  await owner`select payload::jsonb as payload, actor_user_id from events
    where subject_id = ${id} and type = 'transaction.annotated' order by id`

test('notes and category change one by one: absent leaves, null clears; the log says what changed and no text', async () => {
  const { boss, row } = await funded()
  const noted = await annotate(boss, row.id, { internal_notes: 'For the auditors', category: 'Sales' })
  expect([noted.status, noted.body]).toEqual([200, { ...row, internal_notes: 'For the auditors', category: 'Sales' }])
  expect((await annotate(boss, row.id, { category: 'Revenue' })).body).toMatchObject({
    internal_notes: 'For the auditors',
    category: 'Revenue',
  })
  expect((await annotate(boss, row.id, { internal_notes: null })).body).toMatchObject({
    internal_notes: null,
    category: 'Revenue',
  })
  expect((await annotate(boss, row.id, {})).body).toMatchObject({ internal_notes: null, category: 'Revenue' })
  expect((await annotate(boss, row.id, { category: 'Revenue' })).status).toBe(200)
  expect((await api('GET', `/transactions/${row.id}`, { token: boss.token })).body.category).toBe('Revenue')
  const events = await eventsOf(row.id)
  expect(events.map((event) => event['payload'].changed)).toEqual([
    ['category', 'internal_notes'],
    ['category'],
    ['internal_notes'],
  ])
  expect(events[0]?.['payload'].hash).toBe(hashOf({ category: 'Sales', internal_notes: 'For the auditors' }))
  expect(JSON.stringify(events)).not.toMatch(/Sales|Revenue|auditors/)
  expect(new Set(events.map((event) => event['actor_user_id']))).toEqual(new Set([boss.userId]))
})

test.each([
  [{ category: 'x'.repeat(255), internal_notes: 'y'.repeat(65_536) }, 200],
  [{ category: '😀'.repeat(255) }, 200],
  [{ internal_notes: '' }, 200],
  [{ category: 'x'.repeat(256) }, 400],
  [{ category: ' ' }, 400],
  [{ internal_notes: 'y'.repeat(65_537) }, 400],
  [{ internal_notes: 'a\0b' }, 400],
  [{ category: 7 }, 400],
  [[], 400],
])('takes texts up to their limits: body %#', async (body, status) => {
  const { boss, row } = await funded()
  expect((await annotate(boss, row.id, body)).status).toBe(status)
})

test('20 changes at once are 20 changes, each whole', async () => {
  const { boss, row } = await funded()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => annotate(boss, row.id, { category: `c${i}`, internal_notes: `n${i}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const { category, internal_notes: notes } = (await api('GET', `/transactions/${row.id}`, { token: boss.token })).body
  expect(notes).toBe(category.replace('c', 'n'))
  expect(await eventsOf(row.id)).toHaveLength(20)
})

test('a member writes beside what they caused, and finds nothing else; a stranger finds nothing', async () => {
  const { boss, id, row } = await funded()
  const [member, stranger] = [await person(), await person()]
  await join(id, member, 'member')
  for (const by of [member, stranger]) {
    const refused = await annotate(by, row.id, { category: 'Mine' })
    expect([refused.status, refused.body.error.type]).toEqual([404, 'not_found'])
  }
  expect((await annotate(boss, randomUUID(), { category: 'Mine' })).status).toBe(404)
  await owner`update transactions set created_by = ${member.userId} where id = ${row.id}`
  expect((await annotate(member, row.id, { category: 'Mine' })).body.category).toBe('Mine')
})

test('a row whose payment came to nothing is gone for everybody, and a cursor that names it still resolves', async () => {
  const { boss, id, row } = await funded()
  await fund(id, '5')
  const gone = randomUUID()
  await owner`
    insert into transactions (id, organization_id, type, direction, status, amount, currency, discarded_at)
    values (${gone}, ${id}, 'payment', 'out', 'pending', 1, 'USD', business_now())`
  const list = (await api('GET', `/organizations/${id}/transactions`, { token: boss.token })).body
  expect(list.data.map((one: { id: string }) => one.id)).not.toContain(gone)
  expect((await api('GET', `/transactions/${gone}`, { token: boss.token })).status).toBe(404)
  expect((await annotate(boss, gone, { category: 'x' })).status).toBe(404)
  const after = await api('GET', `/organizations/${id}/transactions?cursor=${gone}`, { token: boss.token })
  expect([after.status, after.body.data.map((one: { id: string }) => one.id)]).toEqual([
    200,
    list.data.map((one: { id: string }) => one.id),
  ])
  expect(list.data[1].id).toBe(row.id)
})

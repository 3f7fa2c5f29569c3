/** Notes on rows of the feed. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashOf } from '../../../services/idempotency.ts'
import { type TestPerson, api, fund, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { MANY } from '../../support/model-runs.ts'

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
  const renamed = { internal_notes: 'For the auditors', category: 'Revenue' }
  expect((await annotate(boss, row.id, { category: 'Revenue' })).body).toMatchObject(renamed)
  const cleared = { ...renamed, internal_notes: null }
  for (const body of [{ internal_notes: null }, {}, { category: 'Revenue' }])
    expect((await annotate(boss, row.id, body)).body).toMatchObject(cleared)
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

test('changes at once are as many changes, each whole', async () => {
  const { boss, row } = await funded()
  const answers = await Promise.all(
    Array.from({ length: MANY }, (_, i) => annotate(boss, row.id, { category: `c${i}`, internal_notes: `n${i}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(MANY).fill(200))
  const { category, internal_notes: notes } = (await api('GET', `/transactions/${row.id}`, { token: boss.token })).body
  expect(notes).toBe(category.replace('c', 'n'))
  expect(await eventsOf(row.id)).toHaveLength(MANY)
})

test('a row whose payment came to nothing is gone for everybody, and a cursor that names it still resolves', async () => {
  const { boss, id, row } = await funded()
  await fund(id, '5')
  const gone = randomUUID()
  await owner`
    insert into transactions (id, organization_id, type, direction, status, amount, currency, discarded_at)
    values (${gone}, ${id}, 'payment', 'out', 'pending', 1, 'USD', business_now())`
  const path = `/organizations/${id}/transactions`
  const idsOf = async (query = '') =>
    (await api('GET', path + query, { token: boss.token })).body.data.map((one: { id: string }) => one.id)
  const ids = await idsOf()
  expect(ids).not.toContain(gone)
  expect((await api('GET', `/transactions/${gone}`, { token: boss.token })).status).toBe(404)
  expect((await annotate(boss, gone, { category: 'x' })).status).toBe(404)
  expect(await idsOf(`?cursor=${gone}`)).toEqual(ids)
  expect(ids[1]).toBe(row.id)
})

/** The log as a stream: its content, and when it ends. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { allowStreams } from '../../../api/events/open-streams.ts'
import { startServer } from '../../../server.ts'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { type Followed, chained, follow, readLog, writeEvents } from '../../support/events.ts'
import { changeRole, remove } from '../../support/organizations/members.ts'
import { until } from '../../support/until.ts'

const boss = await person()
const idsOf = (events: { id: string }[]) => events.map(({ id }) => id)
const heard = (stream: Followed, count: number) => until(`${count} events`, async () => stream.events().length >= count)
const ends = (stream: Followed) => until('the stream ends', async () => stream.isOver)
const beats = ({ said }: Followed) => said.split(': nothing new').length - 1

test('tells what happens from now on, as the log has it, by type and stream', async () => {
  const { id } = await organization(boss)
  await writeEvents(id, [{}])
  await chained(id)
  const queries = ['', 'type=payment.settled&type=deposit.credited', 'stream=approvals']
  const streams = await Promise.all(queries.map((query) => follow(boss, id, { query })))
  const [whole, settled, approvals] = streams as [Followed, Followed, Followed]
  const types = ['payment.created', 'payment.settled', 'approval.approved', 'deposit.credited', 'payment.settled']
  for (const type of types) await writeEvents(id, [{ type, stream: `${type.split('.')[0]}s` }])
  await chained(id)
  await Promise.all([heard(whole, 5), heard(settled, 3), heard(approvals, 1)])
  const [, ...log] = await readLog(boss, id)
  expect(whole.events()).toEqual(log)
  expect(settled.events()).toEqual([log[1], log[3], log[4]])
  expect(approvals.events()).toEqual([log[2]])
  for (const stream of streams) stream.close()
})

test('a client that goes on behind the last event it had misses none and has none twice', async () => {
  const { id } = await organization(boss)
  const written = await writeEvents(id, Array(130).fill({}))
  await chained(id)
  const seen: string[] = [written[0] ?? '']
  for (const more of [1, 60, 0, 3]) {
    const stream = await follow(boss, id, { lastEventId: seen.at(-1) })
    written.push(...(await writeEvents(id, Array(more).fill({}))))
    await chained(id)
    await until('some came', async () => stream.events().length > 0 || seen.length === written.length)
    stream.close()
    seen.push(...idsOf(stream.events()))
  }
  const rest = await follow(boss, id, { lastEventId: seen.at(-1) })
  await heard(rest, written.length - seen.length)
  rest.close()
  expect([...seen, ...idsOf(rest.events())]).toEqual(written)
})

test('a last event of nobody, of another log, too old, or none at all is refused', async () => {
  const [own, other] = [await organization(boss), await organization(await person())]
  const [foreign] = await writeEvents(other.id, [{}])
  const longAgo = [1, 2].map((day) => ({ occurredAt: `2001-01-0${day}T00:00:00Z` }))
  const [old] = await writeEvents(own.id, longAgo)
  await Promise.all([chained(own.id), chained(other.id)])
  for (const lastEventId of [randomUUID(), foreign, 'x', old]) {
    const call = { ...boss, headers: { 'last-event-id': lastEventId ?? '' } }
    const { status, body } = await api('GET', `/organizations/${own.id}/events/stream`, call)
    const code = lastEventId === old ? 'too_old' : 'unknown_cursor'
    expect([status, body.error.details.errors[0]]).toMatchObject([400, { path: 'Last-Event-ID', code }])
  }
})

const idle = owner`update sessions set last_used_at = last_used_at - interval '31 minutes'`
type Ending = (admin: TestPerson, organizationId: string) => Promise<unknown>
test.each<[string, Ending]>([
  ['the session, signed out', ({ token }) => api('POST', '/auth/sign-out', { token })],
  ['the session, idle for too long', ({ sessionId: id }) => owner`${idle} where id = ${id}`],
  ['the membership', (admin, id) => remove(boss, id, admin.userId)],
  ['the role', (admin, id) => changeRole(boss, id, admin.userId, 'member')],
  ['the organization, banned', (_, id) => owner`update organizations set status = 'banned' where id = ${id}`],
])('ends with %s, and tells nothing of what happens afterwards', async (_, end) => {
  const { id } = await organization(boss)
  const admin = await person()
  await join(id, admin, 'admin')
  const stream = await follow(admin, id)
  const [before] = await writeEvents(id, [{}])
  await chained(id)
  await heard(stream, 1)
  await end(admin, id)
  await writeEvents(id, [{ type: 'payment.settled' }])
  await chained(id)
  await ends(stream)
  expect(stream.events().filter(({ event_type: type }) => type === 'payment.settled')).toEqual([])
  expect(idsOf(stream.events())[0]).toBe(before)
})

test('says something while nothing happens, and keeps no session alive', async () => {
  const { id } = await organization(boss)
  const quiet = await person()
  await join(id, quiet, 'admin')
  const stream = await follow(quiet, id)
  const lastUse = () => owner`select last_used_at from sessions where id = ${quiet.sessionId}`
  const before = await until('it was used', async () => (beats(stream) > 0 ? lastUse() : undefined))
  await until('it says more', async () => beats(stream) > 3)
  expect(await lastUse()).toEqual(before)
  stream.close()
})

test('a person has five at once, and another one as soon as one of them is over', async () => {
  const { id } = await organization(boss)
  const busy = await person()
  await join(id, busy, 'admin')
  const streams = await Promise.all(Array.from({ length: 8 }, () => follow(busy, id)))
  expect(streams.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  expect(JSON.parse(streams.find(({ status }) => status === 429)?.said ?? '').error.type).toBe('rate_limited')
  streams.find(({ status }) => status === 200)?.close()
  const another = await until('there is room', async () => {
    const stream = await follow(busy, id)
    return stream.status === 200 && stream
  })
  for (const stream of [...streams, another]) stream.close()
})

test('a server that stops ends its streams, and does not wait for their clients', async () => {
  const { id } = await organization(boss)
  const second = await startServer()
  try {
    const stream = await follow(boss, id, { at: `http://127.0.0.1:${second.port}` })
    await second.stop()
    await ends(stream)
    expect((await follow(boss, id)).status).toBe(503)
  } finally {
    allowStreams()
  }
})

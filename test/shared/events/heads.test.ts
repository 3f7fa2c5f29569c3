/** Log heads: published, and what they prove of an exported log. */
import { createPublicKey, verify } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { publishEventHeads } from '../../../activities/event-heads.ts'
import type { EventHead } from '../../../domain/events/log.ts'
import { type Key, get } from '../../../platform/storage/storage.ts'
import { api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { verifyExport } from '../../support/events-verifier.ts'
import { type Chained, chained, readLog, tamperedLog, writeEvents } from '../../support/events.ts'

const boss = await person()
const { id } = await organization(boss)
const headsOf = async () => (await api('GET', `/organizations/${id}/events/heads`, boss)).body
const keys = (await api('GET', '/meta/event-log-keys')).body

async function publish(): Promise<void> {
  let after: Parameters<typeof publishEventHeads>[0]['after'] = null
  do after = (await publishEventHeads({ after })).after
  while (after)
}

let events: Chained[]
let heads: EventHead[]
beforeAll(async () => {
  for (const length of [4, 3, 2]) {
    const events = Array.from({ length }, (_, rest) => ({ payload: { rest, text: 'ü' } }))
    await writeEvents(id, events)
    await chained(id)
    await publish()
  }
  await publish()
  await writeEvents(id, [{}])
  await chained(id)
  events = await readLog(boss, id)
  heads = (await headsOf()).data
})

test('each day that a log grew has one head, signed, which names the one before, and storage has it, too', async () => {
  expect(heads.map(({ seq }) => seq)).toEqual([9, 7, 4])
  const key = createPublicKey(keys.data[0].public_key)
  for (const { statement, signature, seq, hash, organization_id: organizationId } of heads) {
    expect(JSON.parse(statement)).toMatchObject({ seq, hash, organization_id: organizationId })
    expect(verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64'))).toBe(true)
    const [row] = await owner<{ stored_as: Key }[]>`select stored_as from event_heads where statement = ${statement}`
    const lines = (await text(await get(row?.stored_as ?? 'x/y'))).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({ key_id: 'dev1', statement, signature })
  }
})

test('the documented script says how much of an honest log the heads prove', async () => {
  expect(await verifyExport(events, heads, keys)).toBe('10 events; the heads prove 9 of them')
  expect(await verifyExport([], [], keys)).toBe('0 events; the heads prove 0 of them')
})

type Copy = { events: Chained[]; heads: EventHead[] }
function swap(list: Chained[], one: number, other: number): void {
  ;[list[one], list[other]] = [list[other]!, list[one]!]
}
function exchange(list: Chained[], one: number, other: number): void {
  swap(list, one, other)
  ;[list[one]!.seq, list[other]!.seq] = [list[other]!.seq, list[one]!.seq]
}
const moveToEight = (head: EventHead) => (head.statement = head.statement.replace('"seq":9', '"seq":8'))
test.each<[string, (copy: Copy) => unknown, string]>([
  ['a changed event', ({ events }) => (events[2]!.payload = { rest: 77 }), 'event 3 was changed'],
  ['another person', ({ events }) => (events[0]!.actor_user_id = boss.userId), 'event 1 was changed'],
  ['a missing event', ({ events }) => events.splice(5, 1), 'event 6 is missing'],
  ['the first event gone', ({ events }) => events.shift(), 'event 1 is missing'],
  ['two events exchanged', ({ events }) => swap(events, 1, 2), 'event 2 is missing'],
  ['two that exchanged their places as well', ({ events }) => exchange(events, 1, 2), 'event 2 was changed'],
  ['the end cut off', ({ events }) => events.splice(8), 'the log ends with event 8, a head is of event 9'],
  ['an event of others', ({ events }) => (events[9]!.organization_id = boss.userId), 'event 10 is of another'],
  ['a head cut off from those after it', ({ heads }) => heads.splice(1, 1), 'head 2: another one is missing before it'],
  ['a head with another place', ({ heads }) => moveToEight(heads[0]!), 'head 3'],
  ['another head’s signature', ({ heads }) => (heads[0]!.signature = heads[1]!.signature), 'head 3: signature'],
])('the script finds %s', async (_, tamper, found) => {
  const copy = structuredClone({ events, heads })
  tamper(copy)
  expect(await verifyExport(copy.events, copy.heads, keys)).toContain(found)
})

test('a log that does not lead to a published head is found, and nothing more of it is published', async () => {
  const cutOff = await tamperedLog(
    boss,
    id,
    async (tx) => {
      await tx`delete from event_chain where organization_id = ${id} and seq > 6`
      await tx`
        delete from events e where organization_id = ${id}
          and not exists (select from event_chain c where c.event_id = e.id)`
    },
    publish,
  )
  expect(cutOff).toMatchObject({ ok: false, first_bad: { fault: 'not_as_published', seq: 7 } })
  await tamperedLog(boss, id, (tx) => tx`update events set payload = '{}' where id = ${events[9]!.id}`, publish)
  expect((await headsOf()).data.map(({ seq }: EventHead) => seq)).toEqual([9, 7, 4])
  await publish()
  expect((await headsOf()).data.map(({ seq }: EventHead) => seq)).toEqual([10, 9, 7, 4])
})

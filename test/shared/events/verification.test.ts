/** Verification of a log by all of its hashes. */
import type postgres from 'postgres'
import { beforeAll, describe, expect, test } from 'vitest'
import { rechainEvents } from '../../../services/events.ts'
import { extendEventChain } from '../../../services/webhooks/chain.ts'
import { api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { type Chained, chained, readLog, tamperedLog, writeEvents } from '../../support/events.ts'
import { until } from '../../support/until.ts'

const boss = await person()
const elsewhere = await organization(boss)
const verify = async (id: string, query = '') =>
  (await api('GET', `/organizations/${id}/events/verify${query}`, boss)).body

/** Waits until the chain has passed by these events: a place lost before that is given again, and no fault. */
const passedBy = (id: string): Promise<boolean> =>
  until('the chain has passed by', async () => {
    await writeEvents(elsewhere.id, [{}]) // the position moves with what is chained, behind every open transaction
    await extendEventChain()
    const [ahead] = await owner`
      select from events where organization_id = ${id} and xact >= (select xact from event_chain_position) limit 1`
    return ahead === undefined
  })

describe('of a log of twenty events', () => {
  let id: string
  let all: Chained[]
  beforeAll(async () => {
    id = (await organization(boss)).id
    for (let rest = 20; rest > 0; rest -= 1) await writeEvents(id, [{ payload: { rest } }])
    await chained(id)
    await passedBy(id)
    all = await readLog(boss, id)
  })

  test('an honest one is found to be whole, and so is what lies behind a cursor', async () => {
    const { hash } = all[19]!
    const whole = { ok: true, head: { seq: 20, hash }, first_bad: null, has_more: false, next_cursor: null }
    expect(await verify(id)).toMatchObject({ ...whole, events: 20 })
    expect(await verify(id, `?cursor=${all[4]!.id}`)).toMatchObject({ ...whole, events: 15 })
    expect((await verify(id, `?cursor=${id}`)).error.details.errors[0].code).toBe('unknown_cursor')
  })

  test('events that are written and not chained yet are no fault', async () => {
    const { id: busy } = await organization(boss)
    await writeEvents(busy, [{}])
    expect(await verify(busy)).toMatchObject({ ok: true, events: 0, head: { seq: 0, hash: null } })
    await chained(busy)
    await owner.begin(async (tx) => {
      await writeEvents(busy, [{}], tx)
      await writeEvents(busy, [{}])
      await extendEventChain()
      expect(await verify(busy)).toMatchObject({ ok: true, events: 2 })
    })
    await chained(busy)
    expect(await verify(busy)).toMatchObject({ ok: true, events: 3 })
  })

  type Tx = postgres.TransactionSql
  /** Rows: what is done, its statement with `:n` for the id of an event, and what is found: fault, place and event. */
  type Tampering = [what: string, change: string | ((tx: Tx) => Promise<unknown>), string, number | null, number | null]
  test.each<Tampering>([
    ['another payload', `update events set payload = '{"rest": 7}' where id = :6`, 'changed', 7, 6],
    ['another person', 'update events set actor_user_id = uuidv7() where id = :0', 'changed', 1, 0],
    ['another time', "update events set occurred_at = occurred_at - interval '1 us' where id = :19", 'changed', 20, 19],
    ['another type by which it is found', "update event_chain set type = 'x' where event_id = :2", 'changed', 3, 2],
    ['another hash', "update event_chain set hash = sha256('x') where event_id = :8", 'changed', 9, 8],
    ['two events exchanged', swapped, 'changed', 5, 5],
    ['an event gone', 'delete from events where id = :10', 'missing', 11, 10],
    ['an event gone with its place', gone, 'missing', 11, null],
    ['the first places gone', 'delete from event_chain where event_id in (:0, :1, :2)', 'missing', 1, null],
    ['an event gone, and all behind it moved up', movedUp, 'changed', 11, 11],
    ['the last place gone', 'delete from event_chain where event_id = :19', 'not_chained', null, 19],
  ])('%s is found', async (_, change, fault, seq, index) => {
    const written = (text: string) => text.replaceAll(/:(\d+)/g, (_all, place: string) => `'${all[Number(place)]!.id}'`)
    const tampered = (tx: Tx) => (typeof change === 'string' ? tx.unsafe(written(change)) : change(tx))
    const first_bad = { fault, seq, event_id: index === null ? null : all[index]!.id }
    expect(await tamperedLog(boss, id, tampered)).toMatchObject({ ok: false, first_bad })
    expect(await verify(id)).toMatchObject({ ok: true })
  })

  /** Swaps two events in one statement: the event's key forbids both at once. */
  async function swapped(tx: Tx): Promise<void> {
    const [one, other] = [all[4]!.id, all[5]!.id]
    await tx`update event_chain set event_id = uuidv7() where event_id = ${one}`
    await tx`update event_chain set event_id = ${one} where event_id = ${other}`
    await tx`update event_chain set event_id = ${other} where organization_id = ${id} and seq = 5`
  }

  async function gone(tx: Tx): Promise<void> {
    await tx`delete from event_chain where event_id = ${all[10]!.id}`
    await tx`delete from events where id = ${all[10]!.id}`
  }

  async function movedUp(tx: Tx): Promise<void> {
    await tx`delete from event_chain where event_id = ${all[10]!.id}`
    for (let seq = 12; seq <= 20; seq += 1)
      await tx`update event_chain set seq = ${seq - 1} where organization_id = ${id} and seq = ${seq}`
  }
})

test('after a logical restore the log is whole again: what was not chained has a place, and nothing that had one is changed', async () => {
  const { id } = await organization(boss)
  await writeEvents(id, [{}, {}])
  await chained(id)
  const before = await readLog(boss, id)
  // as from a cluster with a billion more transactions
  const foreign = await writeEvents(id, [{}, {}])
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = 'replica'`
    await tx`update events set xact = (1000000000 + pg_current_xact_id()::text::bigint)::text::xid8 where id = any (${foreign})`
    await tx`update event_chain_position set xact = '1000000007'`
  })
  const own = await writeEvents(id, [{}])
  expect(await extendEventChain()).toBe(0)
  expect(await rechainEvents(1)).toBeGreaterThan(0)
  await chained(id)
  const after = await readLog(boss, id)
  expect(after.slice(0, 2)).toEqual(before)
  expect(after.map((event) => event.id)).toEqual([...before.map((event) => event.id), ...foreign, ...own])
  expect(await verify(id)).toMatchObject({ ok: true, events: 5 })
  expect(await rechainEvents()).toBe(0)
  const [later] = await writeEvents(id, [{}])
  await chained(id)
  expect((await readLog(boss, id)).at(-1)?.id).toBe(later)
})

test('what is older than the log is served for is not listed, and a cursor behind which an event would be missed is refused', async () => {
  const { id } = await organization(boss)
  const longAgo = [1, 2, 3].map((day) => ({ occurredAt: `2001-01-0${day}T00:00:00Z` }))
  const old = await writeEvents(id, longAgo)
  const fresh = await writeEvents(id, [{}, {}])
  await chained(id)
  expect((await readLog(boss, id)).map((event) => event.id)).toEqual(fresh)
  expect((await readLog(boss, id, 'to=2001-12-31')).length).toBe(0)
  expect((await api('GET', `/organizations/${id}/events/${old[0]}`, boss)).status).toBe(404)
  const from = (cursor: string) => api('GET', `/organizations/${id}/events?order=asc&cursor=${cursor}`, boss)
  const tooOld = { path: 'cursor', code: 'too_old', message: 'is older than what is served: begin without it' }
  expect((await from(old[1] ?? '')).body.error.details.errors).toEqual([tooOld])
  expect((await from(old[2] ?? '')).body.data.map(({ id: one }: Chained) => one)).toEqual(fresh)
  expect(await verify(id)).toMatchObject({ ok: true, events: 5 })
})

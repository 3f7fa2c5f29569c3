import { createHash, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import postgres from 'postgres'
import { beforeAll, describe, expect, test } from 'vitest'
import { wholeHistoryOf } from '../../../services/events.ts'
import { inSnapshot } from '../../../db/postgres/sql.ts'
import { extendEventChain } from '../../../services/webhooks/chain.ts'
import { canonicalJson } from '../../../domain/canonical.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { api, approve, createPayment, organization, payerAndPayee, person } from '../../support/api.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { type Chained, type Written, chained, readLog, writeEvents } from '../../support/events.ts'
import { until } from '../../support/until.ts'

const boss = await person()
const logOf = (id: string, query = '') => api('GET', `/organizations/${id}/events?${query}`, boss)

test('tells what happened, newest first, each event as the history of its thing has it, with its place and its hash', async () => {
  const { boss: payerBoss, payer, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(payerBoss, contactId, '1.00')
  await approve(payerBoss, payment)
  const before = await api('GET', `/organizations/${payer.id}/events/${payment.event.id}`, payerBoss)
  expect(before.body).toMatchObject({ id: payment.event.id, seq: null, hash: null })
  await chained(payer.id)
  const { body: history } = await api('GET', `/payments/${payment.id}/events`, payerBoss)
  const { body: log } = await api('GET', `/organizations/${payer.id}/events?subject_id=${payment.id}`, payerBoss)
  const withoutPlace = ({ organization_id, stream, subject_id, ...event }: Chained) => {
    expect([organization_id, stream, subject_id]).toEqual([payer.id, 'payments', payment.id])
    const { cause, seq, hash, ...known } = event
    expect([typeof cause, typeof seq, hash.length]).toEqual(['string', 'number', 64])
    return known
  }
  expect(log.data.map(withoutPlace).toReversed()).toEqual(history.data)
  const one = await api('GET', `/organizations/${payer.id}/events/${payment.event.id}`, payerBoss)
  expect(one.body).toEqual(log.data.at(-1))
})

test('can be verified by who has nothing but the log: each hash is of the one before and the canonical JSON of the event', async () => {
  const { boss: payerBoss, payer, contactId } = await payerAndPayee('100.00')
  for (const _ of Array(3)) await approve(payerBoss, await createPayment(payerBoss, contactId, '1.00'))
  const payload = { text: 'ä "quoted" \\ \u0007\u001f\u007f \u2028 😀', numbers: [1, 0.5, 1e21, null] }
  const times = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.000001Z']
  const unusual = times.map((occurredAt) => ({ occurredAt, payload }))
  await writeEvents(payer.id, unusual)
  await chained(payer.id)
  const events = await readLog(payerBoss, payer.id)
  let before = Buffer.alloc(0)
  for (const [index, { hash, ...event }] of events.entries()) {
    expect(event.seq).toBe(index + 1)
    before = createHash('sha256').update(before).update(canonicalJson(event)).digest()
    expect(hash).toBe(before.toString('hex'))
  }
})

describe('of a log in which events occurred out of their order', () => {
  const subjects = [randomUUID(), randomUUID()]
  const TYPES = ['payment.created', 'payment.settled', 'approval.approved', 'deposit.credited']
  const minute = (n: number) => new Date(Date.UTC(2026, 0, 31, 23, n)).toISOString()
  let id: string
  let all: Chained[]

  beforeAll(async () => {
    id = (await organization(boss)).id
    let at = 0
    for (const batch of Array.from({ length: 12 }, (_, index) => index)) {
      const events = Array.from({ length: 6 }, (_, index): Written => {
        const type = TYPES[(batch * 5 + index * 3) % 4] ?? ''
        at += 1
        const subjectId = subjects[(batch + index) % 3] ?? randomUUID()
        const occurredAt = minute(index % 4 === 3 ? Math.max(0, at - 9) : at)
        return { type, stream: `${type.split('.')[0]}s`, subjectId, occurredAt }
      })
      await writeEvents(id, events)
      if (batch % 3 === 0) await chained(id)
    }
    await chained(id)
    all = await readLog(boss, id)
  })

  test('every combination of filters answers what fits, in the order of the log, in pages of any length', async () => {
    expect(all).toHaveLength(72)
    const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const filters = fc.record({
      type: fc.uniqueArray(fc.constantFrom(...TYPES), { maxLength: 3 }),
      stream: some(fc.constantFrom('payments', 'approvals', 'bills')),
      subject_id: some(fc.constantFrom(...subjects)),
      from: some(fc.integer({ min: -2, max: 76 }).map(minute)),
      to: some(fc.oneof(fc.integer({ min: -2, max: 76 }).map(minute), fc.constantFrom('2026-01-31', '2026-02-01'))),
      order: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(filters, async ({ type, stream, subject_id, from, to, order, limit }) => {
        const end = to?.length === 10 ? `${to}T23:59:59.999999Z` : to
        const fitting = all.filter(
          (event) =>
            (type.length === 0 || type.includes(event.event_type)) &&
            (!stream || event.stream === stream) &&
            (!subject_id || event.subject_id === subject_id) &&
            (!from || Date.parse(event.occurred_at) >= Date.parse(from)) &&
            (!end || Date.parse(event.occurred_at) <= Date.parse(end)),
        )
        const query = new URLSearchParams({ order, limit: String(limit) })
        for (const one of type) query.append('type', one)
        for (const [name, value] of Object.entries({ stream, subject_id, from, to })) if (value) query.set(name, value)
        expect(await readLog(boss, id, query.toString())).toEqual(order === 'asc' ? fitting : fitting.toReversed())
      }),
      { numRuns: 60 },
    )
  })
})

test('refused by name: a cursor of nobody, of another log or without a place; a type or stream that is none', async () => {
  const [own, other] = [await organization(boss), await organization(await person())]
  const [foreign] = await writeEvents(other.id, [{}])
  await Promise.all([chained(own.id), chained(other.id)])
  const [fresh] = await writeEvents(own.id, [{}])
  const refused = async (query: string) => (await logOf(own.id, query)).body.error.details.errors
  const unknown = { path: 'cursor', code: 'unknown_cursor', message: 'does not name an item' }
  for (const cursor of [randomUUID(), foreign, fresh]) expect(await refused(`cursor=${cursor}`)).toEqual([unknown])
  const unknownType = { path: 'type', code: 'unknown_event_type', message: 'must be of the types at /meta/event-types' }
  expect(await refused('type=payment.created&type=payment.vanished')).toEqual([unknownType])
  expect(await refused('stream=nothing')).toMatchObject([{ path: 'stream' }])
})

test('events of a subject are in the order of its lock, whatever ids their transactions have and whatever runs beside them', async () => {
  const id = (await organization(boss)).id as OrganizationId
  const subjectId = randomUUID()
  const types = ['invoice.finalized', 'invoice.allocated', 'invoice.paid']
  const [first, ...later] = types.map((type) => ({ type, stream: 'invoices', subjectId }))
  // takes no transaction id, so that its first holder gets the last one
  const lock = (tx: postgres.TransactionSql) => tx`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`
  await owner.begin(async (beside) => {
    let early: Promise<unknown> = Promise.resolve()
    await owner.begin(async (tx) => {
      await lock(tx)
      await new Promise<void>((begun) => {
        early = owner.begin(async (waiting) => {
          const [at] = await waiting<{ now: string }[]>`select pg_current_xact_id(), business_now()::text as now`
          begun()
          await lock(waiting)
          // a statement that waits itself has the time of its beginning
          const occurred = later.map((event) => ({ ...event, occurredAt: at!.now }))
          await writeEvents(id, occurred, waiting)
        })
      })
      await beside`select pg_current_xact_id()`
      await untilBlocked(tx)
      await writeEvents(id, [first!], tx)
    })
    await early
    await extendEventChain()
  })
  await chained(id)
  const log = await readLog(boss, id, `order=asc&subject_id=${subjectId}`)
  const history = await inSnapshot(id, (reader) => wholeHistoryOf(reader, subjectId))
  for (const events of [log, history]) expect(events.map((event) => event.event_type)).toEqual(types)
})

test('no event appears in front of one that was read, none is missed and none comes twice, while 50 write and commit slowly', async () => {
  const { id } = await organization(boss)
  const pool = postgres(process.env['MIGRATION_DATABASE_URL'] ?? '', { max: 50, onnotice: () => {} })
  const waiting: (() => void)[] = []
  const written: string[] = []
  let over = 0
  const write = async (writer: number) => {
    for (const length of [1 + (writer % 3), 2, 1]) {
      await pool.begin(async (tx) => {
        written.push(...(await writeEvents(id, Array(length).fill({}), tx)))
        await new Promise<void>((commit) => waiting.push(commit))
      })
    }
    over += 1
  }
  const writers = Promise.all(Array.from({ length: 50 }, (_, index) => write(index)))
  const seen: Chained[] = []
  let round = 0
  await until('all is read', async () => {
    const ended = over === 50
    await extendEventChain(25)
    const last = seen.at(-1)
    const cursor = last ? `&cursor=${last.id}` : ''
    seen.push(...(await logOf(id, `order=asc&limit=40${cursor}`)).body.data)
    round += 1
    // some early transactions commit late
    for (const commit of waiting.filter((_, index) => (index * 7 + round) % 3 !== 0)) {
      waiting.splice(waiting.indexOf(commit), 1)
      commit()
    }
    return ended && seen.length >= written.length
  })
  await writers
  await pool.end()
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1))
  expect(seen.map((event) => event.id).toSorted()).toEqual(written.toSorted())
  expect((await readLog(boss, id)).map((event) => event.id)).toEqual(seen.map((event) => event.id))
})

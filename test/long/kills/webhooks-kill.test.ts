/** Webhook deliveries while everything dies in turn: a reachable receiver gets each event, in order. */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { placeApi, startApi, startServers, startWorker } from '../../support/processes.ts'
import type { Subscribed } from '../../support/webhooks/webhooks.ts'

process.env['RATE_LIMIT_PER_MINUTE'] = '100000'
const [servers, apiPort] = await Promise.all([startServers(), placeApi()]) // before anything reads the environment
const { api, payerAndPayee, paymentBody, person } = await import('../../support/api.ts')
const { customer } = await import('../../support/billing-contacts.ts')
const { sendingOf } = await import('../../support/chaos/clients.ts')
const { endInTurn, insistOn, restartable } = await import('../../support/chaos/havoc.ts')
const { numbersFrom } = await import('../../support/chaos/random.ts')
const { owner } = await import('../../support/database.ts')
const { chained, readLog } = await import('../../support/events.ts')
const { closeGate, installGates } = await import('../../support/faults/gates.ts')
const { advance } = await import('../../support/identity/identity.ts')
const { allAreSeen } = await import('../../support/runs/runs.ts')
const { until } = await import('../../support/until.ts')
const { disorder, fickleBy, notingReceiver } = await import('../../support/webhooks/arrivals.ts')
const { rename, subscribed, webhooks } = await import('../../support/webhooks/webhooks.ts')
const { processFaults } = await import('../../../db/processes/processes.ts')
const { freePort } = await import('../../../dev/machine/ports.ts')

const CLIENTS = 4
const CLIENTS_MS = 180_000
const STORM_MS = 40_000
const PACE = { killEveryMs: 3000, downMs: 1500 }
/** The time of an orphaned lease, a round, and the queue behind them. */
const QUIET_MS = 90_000
const PATIENCE_MS = 90_000

type Scene = Awaited<ReturnType<typeof payerAndPayee>>
type Sending = ReturnType<typeof sendingOf>

/** Causes an event in the organization: an approved payment, a changed customer, or another name. */
async function happen({ boss, payer, contactId }: Scene, { must, approve }: Sending, lot: number): Promise<void> {
  const asked = (body: unknown) => ({ token: boss.token, key: randomUUID(), body })
  if (lot === 0) {
    const name = `Payer ${randomUUID()}`
    return must(200, 'PATCH', `/organizations/${payer.id}`, { token: boss.token, body: { name } })
  }
  if (lot < 3) {
    const made = await must(201, 'POST', `/organizations/${payer.id}/billing-contacts`, asked(customer()))
    for (const phone of ['+49 221 179 41', '+49 221 179 42']) {
      const body = { phone_number: phone }
      await must(200, 'PATCH', `/billing-contacts/${made.id}`, { token: boss.token, body })
    }
    return
  }
  await approve(boss, await must(201, 'POST', '/payments', asked(paymentBody(contactId, '1.00'))))
}

/** Causes events concurrently until it is over; returns answers that clients must not get. */
async function keepHappening(scene: Scene, seed: number, isOver: () => boolean): Promise<string[]> {
  const deadline = Date.now() + CLIENTS_MS
  const known = { payments: [], deposits: [], swaps: [], batches: [], complaints: [] as string[], repeats: 0 }
  const sending = sendingOf({ url: () => `http://127.0.0.1:${apiPort}`, deadline: () => deadline, known })
  const client = async (random: (limit: number) => number) => {
    while (!isOver()) {
      await happen(scene, sending, random(10)).catch((error: unknown) => known.complaints.push(String(error)))
      await delay(random(1500))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(numbersFrom(seed + index * 7919))))
  return known.complaints
}

/** Waits until the endpoint has nothing left to deliver, skipping pauses between tries. */
const allDelivered = ({ id, organizationId }: Subscribed) =>
  until(
    'all is delivered',
    async () => {
      const [row] = await owner<{ is_over: boolean; rests: number | null }[]>`
        select d.next_at is null and e.cursor = (select max(seq) from event_chain where organization_id = ${organizationId})
            as is_over,
          case when e.lease is null and d.next_at > business_now()
            then ceil(extract(epoch from d.next_at - business_now()))::int end as rests
        from webhook_endpoints e, (
          select min(attempt_at) as next_at from webhook_deliveries where endpoint_id = ${id} and status = 'pending') d
        where e.id = ${id}`
      if (row?.rests) await advance(row.rests)
      return row?.is_over
    },
    QUIET_MS,
  )

type Delivered = { event_id: string; status: string; codes: (number | null)[] }

const deliveriesOf = ({ id }: Subscribed) => owner<Delivered[]>`
  select event_id, status, jsonb_path_query_array(attempts, '$[*].status_code') as codes
  from webhook_deliveries where endpoint_id = ${id} order by seq`

test('a worker that stood still for longer than its lease delivers nothing more of its round, and records nothing', async () => {
  const boss = await person({ authenticator: true })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const renamed = async (manner: Parameters<typeof notingReceiver>[0]) => {
    const receiver = await notingReceiver(manner)
    const at = await subscribed(boss, receiver, { types: ['organization.updated'] })
    receiver.secret = at.secret
    for (const name of ['One', 'Two', 'Three']) await rename(at, name)
    await chained(at.organizationId)
    return { at, receiver }
  }
  const takes = { status: 204, afterMs: 0 }
  const inCall = await renamed(async ({ seq }, times) => {
    if (times === 1 && seq === inCall.receiver.arrivals[0]?.event.seq) await held
    return takes
  })
  const atCommit = await renamed(() => takes)
  // the round is taken, and its worker does not know yet
  await installGates({})
  await owner`
    create constraint trigger take_gate after update on webhook_endpoints deferrable initially deferred
    for each row when (new.lease is not null) execute function pass_gate('look')`
  const gate = await closeGate('look', atCommit.at.organizationId)
  const frozen = await startWorker()
  await until('a call that is not answered', async () => inCall.receiver.arrivals.length === 1, PATIENCE_MS)
  await gate.waiting()
  frozen.freeze()
  await gate.open()
  const other = await startWorker()
  for (const { at } of [inCall, atCommit]) await allDelivered(at)
  frozen.thaw()
  letGo()
  expect(await frozen.stop()).toBe(0)
  expect(await other.stop()).toBe(0)
  for (const { at, receiver } of [inCall, atCommit]) {
    expect(receiver.complaints).toEqual([])
    expect((await deliveriesOf(at)).map(({ status, codes }) => [status, codes])).toEqual(
      Array.from({ length: 3 }, () => ['succeeded', [204]]),
    )
  }
  const [first, ...rest] = inCall.receiver.arrivals.map(({ event: { seq } }) => seq)
  expect(rest).toHaveLength(3)
  expect(rest[0]).toBe(first)
  expect(atCommit.receiver.arrivals).toHaveLength(3)
})

test('whatever is killed, the healthy endpoint gets every event at least once, those of a subject in order', async () => {
  const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 31))
  process.stdout.write(`seed: ${seed} (CHAOS_SEED=${seed} does the same again)\n`)
  const scene = await payerAndPayee('1000.00')
  const { boss, payer } = scene
  const healthy = await notingReceiver(fickleBy(seed))
  const slow = await notingReceiver(() => ({ status: 204, afterMs: 3000 }))
  await chained(payer.id) // chained events are older than the endpoints
  const [at, slowAt, deadAt] = [
    await subscribed(boss, healthy, { organizationId: payer.id }),
    await subscribed(boss, slow, { organizationId: payer.id }),
    await subscribed(boss, { port: await freePort() }, { organizationId: payer.id }),
  ]
  healthy.secret = at.secret
  slow.secret = slowAt.secret
  const [first, second, server] = await Promise.all([
    restartable(startWorker),
    restartable(startWorker),
    restartable(() => startApi(apiPort)),
  ])
  const end = Date.now() + STORM_MS
  let isOver = false
  const [kills, complaints] = await Promise.all([
    endInTurn({ first, second, api: server, ...servers }, numbersFrom(seed), PACE, () => Date.now() > end).finally(
      () => (isOver = true),
    ),
    keepHappening(scene, seed + 1, () => isOver),
  ])
  await insistOn(() => chained(payer.id))
  await insistOn(() => allDelivered(at))

  const log = await readLog(boss, payer.id)
  const since = log.slice(
    log.findIndex(({ event_type, subject_id: of }) => of === at.id && event_type.endsWith('.created')),
  )
  const deliveries = await deliveriesOf(at)
  process.stdout.write(
    `ended: ${JSON.stringify(kills)}; ${since.length} events, ${healthy.arrivals.length} arrivals, ` +
      `${deliveries.flatMap(({ codes }) => codes).length} attempts recorded, slow: ${slow.arrivals.length}\n`,
  )
  expect([...complaints, ...healthy.complaints, ...slow.complaints]).toEqual([])
  expect(deliveries.map(({ event_id: id }) => id)).toEqual(since.map(({ id }) => id))
  const arrived = new Map(healthy.arrivals.map(({ event }) => [event.id, event]))
  expect(since.filter((event) => !isDeepStrictEqual(arrived.get(event.id), event))).toEqual([])
  expect(disorder(healthy.arrivals, since)).toEqual([])
  expect(disorder(slow.arrivals, since)).toEqual([])
  const isTaken = ({ status, codes }: Delivered) =>
    status === 'succeeded' && codes.at(-1) === 204 && codes.slice(0, -1).every((code) => code === null || code >= 500)
  expect(deliveries.filter((delivery) => !isTaken(delivery))).toEqual([])
  expect((await deliveriesOf(deadAt)).flatMap(({ codes }) => codes).every((code) => code === null)).toBe(true)
  for (const { id } of [slowAt, deadAt]) await webhooks(boss, payer.id, 'POST', `/${id}/disable`, {})
  await allAreSeen()
  const { body: verified } = await api('GET', `/organizations/${payer.id}/events/verify`, { token: boss.token })
  expect(verified).toMatchObject({ ok: true })
  expect(await processFaults()).toEqual([])
  expect([first, second, server].flatMap(({ bugs }) => bugs())).toEqual([])
})

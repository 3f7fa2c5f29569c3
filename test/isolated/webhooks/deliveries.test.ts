/** Deliveries to webhook endpoints: in order, with retries, and never forever in vain. */
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { api, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { chained, writeEvents } from '../../support/events.ts'
import { advance } from '../../support/identity/identity.ts'
import { pass } from '../../support/subscriptions.ts'
import { until } from '../../support/until.ts'
import { FAILURES_UNTIL_CAUTIOUS } from '../../../domain/webhooks/delivery.ts'
import { WAITING_MAX } from '../../../services/webhooks/queue.ts'
import { type Receiver, httpReceiver } from '../../support/webhooks/receivers.ts'
import {
  type Subscribed,
  deliveriesOf,
  endpointOf,
  rename,
  subscribed,
  tried,
  verified,
  webhooks,
} from '../../support/webhooks/webhooks.ts'
import { useWorker } from '../../support/worker.ts'

useWorker({ chains: true })
const takes: RequestListener = (_, response) => response.writeHead(204).end()
const refuses: RequestListener = (_, response) => response.writeHead(500).end('out of\norder')
const boss = await person({ authenticator: true })

async function fickle(answer: RequestListener) {
  const now = { answer }
  const receiver = await httpReceiver((request, response) => now.answer(request, response))
  return { receiver, now }
}

/** A receiver that refuses some events. */
async function choosy(isRefused: (event: { subject_id: string; event_type: string }) => boolean) {
  const receiver: Receiver = await httpReceiver((request, response) =>
    (isRefused(JSON.parse(receiver.received.at(-1)?.body ?? '{}').data) ? refuses : takes)(request, response),
  )
  return receiver
}

const attentionOf = async ({ organizationId }: Subscribed) =>
  (await api('GET', `/organizations/${organizationId}/attention`, { token: boss.token })).body.data
const disabled = (at: Subscribed) =>
  until('it is disabled', async () => {
    const endpoint = await endpointOf(at)
    return endpoint.status === 'disabled' && endpoint
  })
const eventsAbout = async ({ organizationId, id }: Subscribed): Promise<string[]> => {
  const { body } = await api('GET', `/organizations/${organizationId}/events?subject_id=${id}`, { token: boss.token })
  return body.data.map((event: any) => event.event_type)
}
const delivered = (receiver: Receiver, count: number) =>
  until(`${count} deliveries`, async () => receiver.received.length >= count)
const statusOf = (at: Subscribed, status: string, count = 1) =>
  expect
    .poll(async () => (await deliveriesOf(at)).filter((one) => one.status === status).length)
    .toBeGreaterThanOrEqual(count)

test('what happens is delivered, signed, in the order of the log, as the log has it', async () => {
  const receiver = await httpReceiver(takes)
  const at = await subscribed(boss, receiver)
  for (const name of ['One', 'Two', 'Three']) await rename(at, name)
  await delivered(receiver, 4)
  const got = verified(receiver, at.secret)
  const path = `/organizations/${at.organizationId}/events?order=asc`
  const { body: log } = await api('GET', path, { token: boss.token })
  expect(got.map(({ data }) => data)).toEqual(log.data)
  expect(got.map(({ type, timestamp }) => [type, timestamp])).toEqual(
    log.data.map((event: any) => [event.event_type, event.occurred_at]),
  )
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(log.data.map(({ id }: any) => id))
  await statusOf(at, 'succeeded', 4)
  const well = { failing_since: null, last_failure_at: null, last_success_at: expect.any(String) }
  expect(await endpointOf(at)).toMatchObject(well)
})

test('only what an endpoint takes is delivered to it, and of types that it takes from now on nothing from before', async () => {
  const receiver = await httpReceiver(takes)
  const at = await subscribed(boss, receiver, { types: ['webhook_endpoint.updated'] })
  await rename(at, 'Ignored')
  await webhooks(boss, at.organizationId, 'PATCH', `/${at.id}`, { description: 'Books' })
  await delivered(receiver, 1)
  expect(verified(receiver, at.secret).map(({ type }) => type)).toEqual(['webhook_endpoint.updated'])
  expect(await deliveriesOf(at)).toHaveLength(1)
  await chained(at.organizationId)
  const types = ['organization.updated', 'webhook_endpoint.updated']
  await webhooks(boss, at.organizationId, 'PATCH', `/${at.id}`, { types })
  await rename(at, 'After')
  await delivered(receiver, 3)
  expect(verified(receiver, at.secret).map(({ type }) => type)).toEqual([types[1], types[1], types[0]])
})

test('types that change while events wait: what is no longer wanted is not sent, nor what a new type has from before', async () => {
  const { receiver, now } = await fickle(refuses)
  const at = await subscribed(boss, receiver, { types: ['organization.updated', 'billing_contact.created'] })
  const change = (body: object) => webhooks(boss, at.organizationId, 'PATCH', `/${at.id}`, body)
  await rename(at, 'Tried in vain')
  await billingContact(boss, at.organizationId)
  await tried(at, 2)
  await webhooks(boss, at.organizationId, 'POST', `/${at.id}/disable`, {})
  const before = receiver.received.length
  await change({ description: 'Of a type that comes later' })
  await rename(at, 'In the log alone')
  await billingContact(boss, at.organizationId)
  await chained(at.organizationId)
  await change({ types: ['organization.updated', 'webhook_endpoint.updated'] })
  await rename(at, 'Afterwards')
  now.answer = takes
  await webhooks(boss, at.organizationId, 'POST', `/${at.id}/enable`, {})
  await delivered(receiver, before + 4)
  await statusOf(at, 'succeeded', 4)
  const sent = verified({ ...receiver, received: receiver.received.slice(before) }, at.secret)
  const kept = ['organization.updated', 'organization.updated', 'organization.updated', 'webhook_endpoint.updated']
  expect(sent.map(({ type }) => type).toSorted()).toEqual(kept)
  const changes = sent.filter(({ type }) => type === 'webhook_endpoint.updated').map(({ data }) => data.payload.changed)
  expect(changes).toEqual([['types']])
  const others = (await deliveriesOf(at)).filter(({ event_type: type }) => type === 'billing_contact.created')
  expect(others.map(({ status }) => status)).toEqual(['failed'])
})

test('what is not taken is tried again after its pauses, what is about the same thing waits, the rest does not', async () => {
  let refusals = 0
  const receiver = await choosy((event) => event.event_type === 'organization.updated' && (refusals += 1) <= 2)
  const at = await subscribed(boss, receiver, { types: ['organization.updated', 'webhook_endpoint.updated'] })
  await rename(at, 'First')
  await delivered(receiver, 1)
  await rename(at, 'Second')
  await webhooks(boss, at.organizationId, 'PATCH', `/${at.id}`, { description: 'Not about the organization' })
  await tried(at, 2)
  const attempt = { status_code: 500, response: 'out of order', failure: null }
  const failed = (await deliveriesOf(at)).filter(({ attempts }) => attempts[0]?.status_code === 500)
  expect(failed).toMatchObject([{ status: 'pending', attempts: [attempt] }])
  await advance(6)
  await tried(at, 3)
  await advance(70)
  await tried(at, 5)
  const about = verified(receiver, at.secret).map(({ type }) => type.split('.')[0])
  expect(about).toEqual(['organization', 'webhook_endpoint', 'organization', 'organization', 'organization'])
  await statusOf(at, 'succeeded', 3)
  expect((await deliveriesOf(at)).map(({ attempts }) => attempts.length).toSorted()).toEqual([1, 1, 3])
})

test('a receiver that fails again and again gets one delivery at a time, and all that waits once it is back', async () => {
  const { receiver, now } = await fickle(refuses)
  const at = await subscribed(boss, receiver)
  for (let times = 0; times < FAILURES_UNTIL_CAUTIOUS; times += 1) await billingContact(boss, at.organizationId)
  await delivered(receiver, FAILURES_UNTIL_CAUTIOUS)
  await until('it counts as failing', async () => (await eventsAbout(at)).includes('webhook_endpoint.failed'))
  expect((await endpointOf(at)).failing_since).not.toBeNull()
  expect((await attentionOf(at)).filter(({ kind }: any) => kind === 'failing_webhook')).toMatchObject([
    { severity: 'action', action: { kind: 'failing_webhook', webhook_endpoint_id: at.id } },
  ])
  const before = receiver.received.length
  now.answer = takes
  await pass(1)
  await until('it takes deliveries again', async () => (await eventsAbout(at)).includes('webhook_endpoint.recovered'))
  await until('all is delivered', async () => (await deliveriesOf(at)).every(({ status }) => status === 'succeeded'))
  const got = verified({ ...receiver, received: receiver.received.slice(before) }, at.secret)
  expect(new Set(got.map(({ data }) => data.id)).size).toBe(got.length)
  expect(got.filter(({ type }) => type === 'billing_contact.created')).toHaveLength(FAILURES_UNTIL_CAUTIOUS)
})

test('a receiver that is gone is disabled at once, with a mail and a thing to do, until somebody enables it', async () => {
  const { receiver, now } = await fickle((_, response) => response.writeHead(410).end())
  const at = await subscribed(boss, receiver)
  expect(await disabled(at)).toMatchObject({ disabled_reason: 'gone' })
  expect((await attentionOf(at)).map(({ kind }: any) => kind)).toContain('failing_webhook')
  now.answer = takes
  await rename(at, 'Meanwhile')
  const { body: enabled } = await webhooks(boss, at.organizationId, 'POST', `/${at.id}/enable`, {})
  expect(enabled).toMatchObject({ status: 'active', disabled_reason: null, failing_since: null })
  const types = () => verified(receiver, at.secret).map(({ type }) => type)
  await expect.poll(types, { message: 'nothing was left out' }).toContain('organization.updated')
})

test('five days of nothing but failures disable an endpoint', async () => {
  const at = await subscribed(boss, await httpReceiver(refuses))
  await tried(at, 1)
  for (let day = 1; day <= 5; day += 1) {
    await pass(1)
    await tried(at, day + 1)
  }
  expect((await disabled(at)).disabled_reason).toBe('failures')
})

test('for a day after a rotation both secrets sign, then the latest alone', async () => {
  const receiver = await httpReceiver(takes)
  const at = await subscribed(boss, receiver, { types: ['organization.updated'] })
  const { status, body } = await webhooks(boss, at.organizationId, 'POST', `/${at.id}/rotate-secret`, {})
  expect([status, body.secret === at.secret, typeof body.previous_secret_expires_at]).toEqual([200, false, 'string'])
  await rename(at, 'Both')
  await delivered(receiver, 1)
  expect(verified(receiver, at.secret)).toEqual(verified(receiver, body.secret))
  await pass(2)
  await rename(at, 'One')
  await delivered(receiver, 2)
  expect(() => verified(receiver, at.secret)).toThrow('No matching signature')
  expect(verified(receiver, body.secret)).toHaveLength(2)
})

test('a test, a delivery once more, and all events of a time once more', async () => {
  const receiver = await httpReceiver(takes)
  const at = await subscribed(boss, receiver, { types: ['organization.updated'] })
  const from = (await api('GET', '/sandbox/clock')).body.now
  const tested = await webhooks(boss, at.organizationId, 'POST', `/${at.id}/test`, {})
  expect([tested.status, tested.body.origin, tested.body.status]).toEqual([202, 'test', 'pending'])
  await delivered(receiver, 1)
  await rename(at, 'One')
  await rename(at, 'Two')
  await delivered(receiver, 3)
  await statusOf(at, 'succeeded', 3)
  const [, one] = (await deliveriesOf(at)).toReversed()
  const again = await webhooks(boss, at.organizationId, 'POST', `/${at.id}/deliveries/${one?.id}/replay`, {})
  expect(again.body).toMatchObject({ origin: 'replay', event_id: one?.event_id, status: 'pending' })
  await delivered(receiver, 4)
  const all = await webhooks(boss, at.organizationId, 'POST', `/${at.id}/replay`, { from })
  expect([all.status, all.body.status]).toEqual([202, 'running'])
  await delivered(receiver, 6)
  const got = verified(receiver, at.secret).map(({ type, data }) => [type, data.id])
  expect(got[0]?.[0]).toBe('webhook_endpoint.test')
  expect(got.slice(1).map(([, id]) => id)).toEqual([got[1]?.[1], got[2]?.[1], got[1]?.[1], got[1]?.[1], got[2]?.[1]])
  const replays = await webhooks(boss, at.organizationId, 'GET', `/${at.id}/replays`)
  expect(replays.body.data).toMatchObject([{ id: all.body.id, status: 'completed', queued: 2 }])
})

test('an endpoint gets what was left once it is enabled again, and nothing once it is deleted', async () => {
  const receiver = await httpReceiver(takes)
  const at = await subscribed(boss, receiver, { types: ['organization.updated'] })
  const { body } = await webhooks(boss, at.organizationId, 'POST', `/${at.id}/disable`, {})
  expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'person' })
  for (const rest of ['test', 'replay']) {
    const refused = await webhooks(boss, at.organizationId, 'POST', `/${at.id}/${rest}`, { from: '2026-01-01' })
    expect([refused.status, refused.body.error.type]).toEqual([409, 'invalid_state'])
  }
  await rename(at, 'Later')
  await webhooks(boss, at.organizationId, 'POST', `/${at.id}/enable`, {})
  await delivered(receiver, 1)
  expect((await webhooks(boss, at.organizationId, 'DELETE', `/${at.id}`)).body).toEqual({ deleted: true, id: at.id })
  expect((await webhooks(boss, at.organizationId, 'GET', `/${at.id}`)).status).toBe(404)
  await rename(at, 'Nobody hears')
  await chained(at.organizationId) // what has no place in the log yet would be news to the next endpoint
  const other = await subscribed(boss, receiver, { organizationId: at.organizationId, types: ['organization.updated'] })
  await rename(other, 'Third')
  await statusOf(other, 'succeeded')
  const got = verified({ ...receiver, received: receiver.received.slice(1) }, other.secret)
  expect(got.map(({ data }) => [data.event_type, data.payload.changed])).toEqual([['organization.updated', ['name']]])
  expect(await deliveriesOf(other)).toHaveLength(1)
})

test('what the old address answers to a call under way counts for nothing, and the event goes to the new one', async () => {
  const held: (() => void)[] = []
  const old = await httpReceiver((_, response) => void held.push(() => response.writeHead(410).end()))
  const fresh = await httpReceiver(takes)
  const at = await subscribed(boss, old, { types: ['organization.updated'] })
  await rename(at, 'Moved')
  await until('the old one is asked', async () => held.length === 1)
  await webhooks(boss, at.organizationId, 'PATCH', `/${at.id}`, { url: `http://127.0.0.1:${fresh.port}/` })
  for (const answer of held) answer()
  await delivered(fresh, 1)
  await statusOf(at, 'succeeded')
  expect(await deliveriesOf(at)).toMatchObject([{ attempts: [{ status_code: 204 }] }])
  expect(await endpointOf(at)).toMatchObject({ status: 'active', last_failure_at: null })
})

test('an event that is refused for ever, and all behind it, leave what is about other things its room', async () => {
  const busy = randomUUID()
  const receiver = await choosy((event) => event.subject_id === busy)
  const at = await subscribed(boss, receiver, { types: ['payment.created'] })
  const about = Array.from({ length: WAITING_MAX + 1 }, () => ({ subjectId: busy }))
  await writeEvents(at.organizationId, [...about, { subjectId: at.id }])
  const subjects = () => verified(receiver, at.secret).map(({ data }) => data.subject_id)
  await expect.poll(subjects).toContain(at.id)
})

test('a type that is refused for ever leaves other types their turn, however much of it waits', async () => {
  const receiver = await choosy((event) => event.event_type === 'payment.created')
  const at = await subscribed(boss, receiver, { types: ['payment.created', 'payment.settled'] })
  await writeEvents(at.organizationId, Array(30).fill({}))
  await until('it counts as failing', async () => (await eventsAbout(at)).includes('webhook_endpoint.failed'))
  await writeEvents(at.organizationId, [{ type: 'payment.settled' }])
  await chained(at.organizationId)
  await advance(6)
  await expect.poll(() => verified(receiver, at.secret).map(({ type }) => type)).toContain('payment.settled')
})

test('what waits behind one that was not taken is tried at once with it when somebody asks for it', async () => {
  const { receiver, now } = await fickle(refuses)
  const at = await subscribed(boss, receiver, { types: ['organization.updated'] })
  await rename(at, 'One')
  await rename(at, 'Two')
  await tried(at, 1)
  await advance(6)
  await tried(at, 2)
  await until('both wait', async () => (await deliveriesOf(at)).length === 2)
  now.answer = takes
  const [latest] = await deliveriesOf(at)
  const again = await webhooks(boss, at.organizationId, 'POST', `/${at.id}/deliveries/${latest.id}/replay`, {})
  expect([again.status, again.body.id]).toEqual([202, latest.id])
  await statusOf(at, 'succeeded', 2)
})

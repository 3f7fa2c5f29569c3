/** Webhook endpoints: who may create them, allowed addresses, and their life. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { extendEventChain } from '../../../services/webhooks/chain.ts'
import { ENDPOINTS_MAX } from '../../../domain/registries/webhook-endpoint.ts'
import type { EndpointId, OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { asSystem } from '../../../db/postgres/sql.ts'
import { takeRound } from '../../../services/webhooks/steps.ts'
import { api, join, organization, person, withStepUp } from '../../support/api.ts'
import { refusal } from '../../support/http/refusals.ts'
import { owner } from '../../support/database.ts'
import { chained } from '../../support/events.ts'
import { type Subscribed, endpointOf, rename, subscribed, webhooks } from '../../support/webhooks/webhooks.ts'
import { WAITING_MAX } from '../../../services/webhooks/queue.ts'

const boss = await person({ authenticator: true })
const nowhere = { port: 20_001 }
const url = 'https://hooks.example.com/events'
const endpointsOf = (id: string): string => `/organizations/${id}/webhook-endpoints`

test('an endpoint asks for a proof of identity, and no request gets its secret again', async () => {
  const { id } = await organization(boss)
  const somebody = await person({ authenticator: true })
  await join(id, somebody, 'admin')
  const body = { url, types: ['payment.settled'], description: 'Books' }
  const call = { token: somebody.token, body, key: randomUUID() }
  const asked = await api('POST', endpointsOf(id), call)
  expect(refusal(asked)).toEqual([403, 'step_up_required'])
  const [shown] = await owner`select summary from step_ups where id = ${asked.body.error.step_up.id}`
  expect(shown?.['summary']).toBe(`Send the events of the organization to ${url}`)
  const made = await withStepUp('POST', endpointsOf(id), call)
  const fresh = { ...body, status: 'active', disabled_reason: null, failing_since: null }
  expect(made).toMatchObject({ status: 201, body: fresh })
  expect(Buffer.from(made.body.secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
  const repeat = await api('POST', endpointsOf(id), call)
  expect(repeat.status).toBe(201)
  expect(repeat.body.id).not.toBe(made.body.id)
  const rotated = await api('POST', `${endpointsOf(id)}/${made.body.id}/rotate-secret`, { ...call, body: {} })
  const again = await api('POST', `${endpointsOf(id)}/${made.body.id}/rotate-secret`, { ...call, body: {} })
  const secrets = [made, repeat, rotated, again].map(({ body }) => body.secret)
  expect(new Set(secrets).size).toBe(4)
  const listed = await api('GET', endpointsOf(id), { token: somebody.token })
  expect(listed.body.data.map((one: { id: string }) => one.id)).toEqual([repeat.body.id, made.body.id])
  const told = JSON.stringify(listed.body)
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([])
  const claims = await owner`select id from idempotency_claims where id in ${owner([made.body.id, repeat.body.id])}`
  expect(claims).toEqual([])
})

test('events go to no private address, and types are those of the catalogue, each once', async () => {
  const { id } = await organization(boss)
  const at = await subscribed(boss, nowhere, { organizationId: id })
  const hidden = { url: 'https://[::ffff:10.0.0.1]/' }
  for (const [method, rest] of [['POST', ''] as const, ['PATCH', `/${at.id}`] as const])
    expect(refusal(await webhooks(boss, id, method, rest, hidden))).toEqual([422, 'invalid_webhook_url'])
  for (const types of [['payment.made_up'], ['payment.settled', 'payment.settled'], 'payment.settled'])
    expect(refusal(await webhooks(boss, id, 'POST', '', { url, types }))).toEqual([400, 'invalid_request'])
})

test('an organization has at most 20, also of requests at once, and room again after a deletion', async () => {
  const at = await subscribed(boss, nowhere)
  const path = endpointsOf(at.organizationId)
  const call = { token: boss.token, body: { url } }
  const answers = await Promise.all(Array.from({ length: ENDPOINTS_MAX + 1 }, () => api('POST', path, call)))
  const refused = answers.filter(({ status }) => status !== 201)
  const error = { type: 'webhook_endpoint_limit_reached', details: { limit: ENDPOINTS_MAX } }
  expect(refused).toMatchObject(Array(2).fill({ status: 422, body: { error } }))
  expect((await webhooks(boss, at.organizationId, 'DELETE', `/${at.id}`)).status).toBe(200)
  expect((await api('POST', path, call)).status).toBe(201)
})

test('what is absent stays, null empties, and a change that changes nothing is not in the log', async () => {
  const at = await subscribed(boss, nowhere, { types: ['payment.settled'] })
  const patch = (body: object) => webhooks(boss, at.organizationId, 'PATCH', `/${at.id}`, body)
  expect((await patch({ description: 'Books', types: [] })).body).toMatchObject({ description: 'Books', types: [] })
  expect((await patch({ description: null })).body).toMatchObject({ description: null, types: [] })
  const before = await endpointOf(at)
  expect((await patch({ description: null, types: [], url: before.url })).body).toEqual(before)
  const events = await owner`
    select payload::jsonb -> 'changed' as changed from events
    where subject_id = ${at.id} and type = 'webhook_endpoint.updated' order by occurred_at, id`
  expect(events.map(({ changed }) => changed.toSorted())).toEqual([['description', 'types'], ['description']])
})

test('while its secret does not open nothing is sent unsigned, and all of it once it does again', async () => {
  const at = await subscribed(boss, nowhere)
  await chained(at.organizationId)
  const flip = () => owner`
    update webhook_endpoints set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = ${at.id}`
  const lease = () => ({ holder: randomUUID(), leaseSeconds: 60 })
  const round = () => asSystem(at.organizationId as OrganizationId, (tx) => takeRound(tx, at.id as EndpointId, lease()))
  await flip()
  for (let times = 0; times < 2; times += 1) await expect(round()).rejects.toThrow('authenticate data')
  await flip()
  expect(await round()).toMatchObject({ secrets: [at.secret], lanes: [[{ event: { subject_id: at.id } }]] })
})

test('with its organization an endpoint ends, and its secret is gone; a ban lets it rest', async () => {
  const at = await subscribed(boss, nowhere)
  const id = at.organizationId as OrganizationId
  const row = async () =>
    (await owner`select status, sealed is null as gone from webhook_endpoints where id = ${at.id}`)[0]
  await moveOrganization(id, 'ban')
  expect(await row()).toEqual({ status: 'active', gone: false })
  await moveOrganization(id, 'unban')
  expect((await endpointOf(at)).status).toBe('active')
  await moveOrganization(id, 'delete')
  expect(await row()).toEqual({ status: 'deleted', gone: true })
})

test('what a request chains, for evidence, wakes the endpoints that take some of it, and no others', async () => {
  const at = await subscribed(boss, nowhere, { types: ['organization.updated'] })
  const other = await subscribed(boss, nowhere, { organizationId: at.organizationId, types: ['payment.settled'] })
  await rename(at, 'Chained by a request')
  const processes = async () => {
    await extendEventChain()
    const rows = await owner`select id, why from processes where id in ${owner([at.id, other.id])}`
    return Object.fromEntries(rows.map(({ id, why }) => [id, why]))
  }
  await expect.poll(processes).toEqual({ [at.id]: 'events', [other.id]: 'created' })
})

/** Writes deliveries with events of their own; those of a test wait until it is over. */
const written = (at: Subscribed, origin: 'replay' | 'test', count = 1): Promise<{ id: string }[]> => owner`
  insert into webhook_deliveries (id, organization_id, endpoint_id, origin, event_id, event_type, subject_id, seq, status,
    attempt_at, ended_at)
  select uuidv7(), ${at.organizationId}, ${at.id}, ${origin}, e.id, 'payment.created', e.id, 1,
    ${origin === 'test' ? 'pending' : 'failed'}, ${origin === 'test' ? owner`business_now() + interval '1 hour'` : null},
    ${origin === 'test' ? null : owner`business_now()`}
  from (select uuidv7() as id from generate_series(1, ${count})) e returning id`

test('while as many tests wait as may, no other is taken on; a delivery that is asked for again and again waits once', async () => {
  const at = await subscribed(boss, nowhere)
  await written(at, 'test', WAITING_MAX)
  expect(refusal(await webhooks(boss, at.organizationId, 'POST', `/${at.id}/test`, {}))).toEqual([429, 'rate_limited'])
  const [failed] = await written(at, 'replay')
  const path = `/${at.id}/deliveries/${failed?.id}/replay`
  const answers = await Promise.all([1, 2, 3].map(() => webhooks(boss, at.organizationId, 'POST', path, {})))
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})

test('a replay ends now at the latest, and begins in the past', async () => {
  const at = await subscribed(boss, nowhere)
  const replay = (body: object) => webhooks(boss, at.organizationId, 'POST', `/${at.id}/replay`, body)
  for (const body of [{ from: '2999-01-01' }, { from: '2020-01-02', to: '2020-01-01' }]) {
    const refused = await replay(body)
    expect([refused.status, refused.body.error.details.errors[0].path]).toEqual([400, 'from'])
  }
  const made = await replay({ from: '0001-01-01', to: '9999-12-31' })
  const { now } = (await api('GET', '/sandbox/clock')).body // the service's clock, which other files move
  expect([made.status, Date.parse(made.body.until) <= Date.parse(now)]).toEqual([202, true])
  expect((await webhooks(boss, at.organizationId, 'GET', `/${at.id}/replays`)).body.data).toEqual([made.body])
})

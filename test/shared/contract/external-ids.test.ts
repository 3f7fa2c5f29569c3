/** External ids and metadata: every noun that has them is created, found, changed and refused by one form. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Route } from '../../../api/http/route.ts'
import { EXTERNAL_TABLES } from '../../../domain/external.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { api, join, organization, paymentBody, person } from '../../support/api.ts'
import { type Ids, bodyOf, callWith, world } from '../../support/contract/world.ts'
import { creditBody } from '../../support/credit-notes/credit-notes.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { quoteOf } from '../../support/payments/quotes.ts'

usePartners()
const { boss, ids } = await world()
const organizationId = ids['organization_id']!
const { token } = boss

/** Bodies of which several make something. */
const BODIES: Readonly<Record<string, () => Promise<object>>> = {
  createPayment: async () => paymentBody(ids['payment_contact_id']!, '1.00'),
  executePayment: async () => {
    const { quote_id } = await quoteOf(boss, ids['payment_contact_id']!, { amount: '1.00', currency: 'USD' })
    return { quote_id, payout_reason: 'services', statement_description: 'Invoice 1' }
  },
  createPaymentDestination: async () => ({ type: 'svc_id', svc_id: (await organization(boss)).svcId }),
  createCreditNote: async () => creditBody('1.00'),
}
const at: (route: Route) => Ids = ({ operationId }) =>
  operationId === 'createCreditNote' ? { ...ids, invoice_id: ids['charged_invoice_id']! } : ids

type Entries = Readonly<Record<string, any>>
const entriesOf = (schema: any): Entries => schema?.entries ?? schema?.options?.[0]?.entries ?? {}
const has = (schema: any) => 'external_id' in entriesOf(schema)
const itemOf = ({ returns }: Route): any => entriesOf(returns)['data']?.item

/** Answers that have an external id, with the operations that make and list them. */
const answers = new Set<any>(routes.flatMap((route) => [route.returns, itemOf(route)]).filter(has))
const creating = routes.filter((route) => route.replay && route.status === 201 && answers.has(route.returns))
const listing = ({ returns }: Route) => routes.find((route) => itemOf(route) === returns && has(route.query))
const changing = ({ returns }: Route) =>
  routes.find((route) => route.method === 'patch' && has(route.body) && route.returns === returns)

const create = async (route: Route, more: object, key?: string) => {
  const body = {
    ...(BODIES[route.operationId] ? await BODIES[route.operationId]!() : bodyOf(route, at(route))),
    ...more,
  }
  return { body, answer: await callWith(route, token, at(route), { body, ...(key && { key }) }) }
}

const find = async (route: Route, query: Readonly<Record<string, string>>, by = token): Promise<string[]> => {
  const path = listing(route)!.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => at(route)[name]!)
  const { status, body } = await api('GET', `${path}?${new URLSearchParams(query).toString()}`, { token: by })
  expect([status, body.error]).toEqual([200, undefined])
  return body.data.map(({ id }: { id: string }) => id)
}

test('each table with an external id is of a noun that is created and listed with it', async () => {
  const tables = await owner<{ table: string }[]>`
    select table_name as "table" from information_schema.columns
    where column_name in ('external_id', 'metadata') group by 1 having count(*) = 2 order by 1`
  expect(tables.map(({ table }) => table)).toEqual(Object.keys(EXTERNAL_TABLES).toSorted())
  expect(creating.filter((route) => !has(route.body) || !listing(route))).toEqual([])
  expect(new Set(creating.map(({ returns }) => returns)).size).toBe(tables.length)
})

describe.each(creating.map((route) => [route.operationId, route] as const))('%s', (_, route) => {
  test('keeps both; the id is taken once, also at once, and found by filters', async () => {
    const [external, key] = [`R-${randomUUID()} 🧾`, randomUUID()]
    const more = { external_id: external, metadata: { order: '7', größe: '🧾', empty: '', none: null } }
    const { body, answer } = await create(route, more, key)
    expect([answer.status, answer.body.error]).toEqual([201, undefined])
    const { id } = answer.body
    expect(answer.body).toMatchObject({ external_id: external, metadata: { order: '7', größe: '🧾' } })
    expect(Object.keys(answer.body.metadata)).toHaveLength(2)
    expect((await callWith(route, token, at(route), { body, key })).body.id).toBe(id)
    const taken = await create(route, { external_id: external })
    expect(taken.answer.status).toBe(409)
    expect(taken.answer.body.error).toMatchObject({
      type: 'external_id_taken',
      details: { external_id: external, id },
    })
    expect(await find(route, { external_id: external })).toEqual([id])
    expect(await find(route, { idempotency_key: key })).toEqual([id])
    expect(await find(route, { external_id: `${external}x` })).toEqual([])
    expect(await find(route, { idempotency_key: randomUUID() })).toEqual([])
    const again = { external_id: randomUUID() }
    const raced = await Promise.all([create(route, again), create(route, again), create(route, again)])
    expect(raced.map(({ answer: { status } }) => status).toSorted()).toEqual([201, 409, 409])
    const made = raced.find(({ answer: { status } }) => status === 201)!.answer.body.id
    const losers = raced.filter(({ answer: { status } }) => status === 409)
    expect(losers.map(({ answer: { body: told } }) => told.error.details.id)).toEqual([made, made])
  })

  const patch = changing(route)
  test.skipIf(!patch)('is changed by key, also where nothing else changes', async () => {
    const { answer } = await create(route, { external_id: randomUUID(), metadata: { a: '1', b: '2' } })
    expect([answer.status, answer.body.error]).toEqual([201, undefined])
    const name = /\{(\w+)\}$/.exec(patch!.path)![1]!
    const change = async (body: object) =>
      callWith(patch!, token, { ...ids, [name]: answer.body.id }, { body }).then((told) => told.body)
    expect(await change({ metadata: { a: null, c: '3' } })).toMatchObject({ metadata: { b: '2', c: '3' } })
    expect((await change({ metadata: { b: '' } })).metadata).toEqual({ c: '3' })
    expect((await change({})).metadata).toEqual({ c: '3' })
    expect((await change({ metadata: null, external_id: null })).external_id).toBeNull()
    const { metadata } = await change({
      metadata: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, 'v'])),
    })
    expect(Object.keys(metadata)).toHaveLength(20)
    expect((await change({ metadata: { more: 'v' } })).error.details.errors[0]).toMatchObject({
      path: 'metadata',
      code: 'too_many_keys',
    })
    const other = (await create(route, { external_id: randomUUID() })).answer.body
    const { error } = await change({ external_id: other.external_id })
    expect([error.type, error.details.id]).toEqual(['external_id_taken', other.id])
  })
})

test('what cannot be changed any more keeps its external id and metadata up to date', async () => {
  const path = `/invoices/${ids['charged_invoice_id']}`
  const patch = (body: object) => api('PATCH', path, { token, body })
  expect((await patch({ comments: 'Late' })).status).toBe(409)
  expect((await patch({ comments: 'Late', metadata: { a: '1' } })).status).toBe(409)
  expect((await patch({ metadata: { a: '1' } })).body).toMatchObject({ comments: null, metadata: { a: '1' } })
})

const batches = (of: string) => `/organizations/${of}/payment-batches`

test('another organization has ids of its own; a deleted thing frees its id', async () => {
  const stranger = await person()
  const { id: other } = await organization(stranger)
  const body = { name: 'June', external_id: randomUUID() }
  const first = await api('POST', batches(organizationId), { token, body })
  expect((await api('POST', batches(other), { token: stranger.token, body })).status).toBe(201)
  expect((await api('DELETE', `/payment-batches/${first.body.id}`, { token })).status).toBe(200)
  expect((await api('POST', batches(organizationId), { token, body })).status).toBe(201)
})

test('a member who does not see the holder is not told its id, and finds nothing by the key of another', async () => {
  const member = await person()
  await join(organizationId, member, 'member')
  const [body, key] = [{ name: 'June', external_id: randomUUID() }, randomUUID()]
  await api('POST', batches(organizationId), { token, body, key })
  const { body: told } = await api('POST', batches(organizationId), { token: member.token, body })
  expect(told.error).toMatchObject({ type: 'external_id_taken', details: { noun: 'payment_batch', id: null } })
  const found = await api('GET', `${batches(organizationId)}?idempotency_key=${key}`, { token: member.token })
  expect(found.body.data).toEqual([])
})

test('two destinations of one body with one id are refused', async () => {
  const destinations = await Promise.all(
    [1, 2].map(async () => ({ type: 'svc_id', svc_id: (await organization(boss)).svcId, external_id: 'twice' })),
  )
  const body = { name: 'Payee', type: 'business', destinations }
  const { status, body: told } = await api('POST', `/organizations/${organizationId}/payment-contacts`, { token, body })
  expect([status, told.error.type, told.error.details.id]).toEqual([409, 'external_id_taken', null])
})

test('the log says the external id, and never metadata', async () => {
  const body = { name: 'June', external_id: `log ${randomUUID()}`, metadata: { secret: `kept ${randomUUID()}` } }
  const { body: made } = await api('POST', batches(organizationId), { token, body })
  const events = await owner<{ payload: string }[]>`select payload::text from events where subject_id = ${made.id}`
  expect(events.map(({ payload }) => payload).join()).toContain(body.external_id)
  expect(events.map(({ payload }) => payload).join()).not.toContain('kept')
})

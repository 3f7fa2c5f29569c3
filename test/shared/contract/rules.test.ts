import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Route } from '../../../api/http/route.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { config } from '../../../platform/config.ts'
import { dumpSchema } from '../../../db/schema-dump.ts'
import { FLOWS } from '../../../domain/registries/flows.ts'
import { can } from '../../../domain/permissions.ts'
import * as workflows from '../../../workflows/index.ts'
import { api, join, organization, person } from '../../support/api.ts'
import { callWith, toldBy, world } from '../../support/contract/world.ts'
import { owner } from '../../support/database.ts'
import { delegateOf, tokenBy, tokenOf } from '../../support/identity/delegates.ts'
import { refusal } from '../../support/http/refusals.ts'
import { everyNth } from '../../support/model-runs.ts'

describe('each flow names exactly the states of its table', () => {
  test.each(FLOWS.map((flow) => [flow.table, flow] as const))('%s', async (table, flow) => {
    const [check] = await owner<{ definition: string }[]>`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = ${table}::regclass and contype = 'c' and conname = ${`${table}_status_check`}`
    const states = [...(check?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, state]) => state)
    expect(states.toSorted()).toEqual([...flow.states].toSorted())
    for (const event of Object.values(flow.events)) {
      for (const state of [...event.from, event.to]) expect(flow.states).toContain(state)
    }
  })
})

test('db/schema.sql is what the migrations make (npm run schema)', async () => {
  const url = process.env['MIGRATION_DATABASE_URL'] ?? ''
  expect(readFileSync('db/schema.sql', 'utf8')).toBe(await dumpSchema(url))
})

test('every workflow has recorded histories', () => {
  const recorded = readdirSync('test/histories')
  for (const name of Object.keys(workflows)) {
    const prefix = `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-`
    expect(
      recorded.some((file) => file.startsWith(prefix)),
      name,
    ).toBe(true)
  }
})

const { boss, svcId, ids } = await world()
const [outsider, member] = [await person(), await person()]
await join(ids['organization_id']!, member, 'member')
const agentToken = (
  await tokenBy({
    grant_type: 'client_credentials',
    client_secret: (await delegateOf(boss, ids['organization_id']!)).secret,
    resource: `${config.publicUrl}/mcp`,
  })
).body.access_token
const delegateToken = await tokenOf(await delegateOf(boss, ids['organization_id']!))
const tenantId = randomUUID()
await owner`insert into sandbox_accounting_tenants (id, name, base_currency) values (${tenantId}, 'Books', 'EUR')`
const real = { ...ids, svc_id: svcId, tenant_id: tenantId, n: '1', country_code: 'US', user_id: randomUUID() }

/** Digests each table's rows, without call counts and last uses of sessions. */
async function contents(): Promise<Record<string, unknown>> {
  const tables = await owner<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'
      and tablename not in ('rate_limits', 'worker_heartbeats', 'requests')`
  const digests = tables.map(async ({ name }) => {
    const [row] = await owner`
      select md5(string_agg(r::text, ' ' order by r::text)) as digest
      from ${owner(name)} t, lateral (select to_jsonb(t) - 'last_used_at') as content (r)`
    return [name, row?.['digest']] as const
  })
  return Object.fromEntries(await Promise.all(digests))
}
const before = await contents()

const named = (list: readonly Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const)
const guarded = routes.filter((route) => route.credential === 'session' || route.credential === 'session or key')

describe('every operation with a session, without one, or with a token for agents → not_authenticated', () => {
  test.each(named(guarded))('%s', async (_, route) => {
    for (const token of [undefined, 'nonsense', `ses_${'x'.repeat(43)}`, agentToken]) {
      const answer = await callWith(route, token, real)
      expect(refusal(answer)).toEqual([401, 'not_authenticated'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
})

describe('every operation × an API key → api_key_not_permitted, before anything is looked at; but one', () => {
  test.each(named(guarded))('%s', async (_, route) => {
    const answer = await api(route.method.toUpperCase(), route.path.replaceAll(/\{\w+\}/g, 'nonsense'), {
      token: `svc_test_${'a'.repeat(8)}_${'b'.repeat(43)}`,
      ...(route.body && { body: '{{{' }),
    })
    const expected =
      route.operationId === 'listOrganizationMultiCurrencyAccounts'
        ? [401, 'invalid_api_key']
        : [403, 'api_key_not_permitted']
    expect(refusal(answer)).toEqual(expected)
  })
})

describe('every operation without the mark × a delegate → delegate_not_permitted, before anything is looked at', () => {
  test.each(named(guarded.filter((route) => !route.delegate)))('%s', async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, 'nonsense')
    const answer = await api(route.method.toUpperCase(), route.root ? `/${path}` : path, {
      token: delegateToken,
      ...(route.body && { body: '{{{' }),
    })
    expect(refusal(answer)).toEqual([403, 'delegate_not_permitted'])
  })
})

/** Whole list of what delegates may change: each waits for people, is a draft, or is a note. A new one is put here by hand. */
const PREPARES = `
  addPaymentBatchBills answerQuestion attachBillFile attachPaymentBatchFile attachPaymentContactFile attachPaymentFile
  attachTransactionFile codeBill createBill createBillAttachmentUpload createBillUpload createBillingContact createCreditNote
  createExport createInvoice createInvoiceUpload createPayment createPaymentAttachmentUpload createPaymentBatch
  createPaymentBatchAttachmentUpload createPaymentBatchDocumentUpload createPaymentBatchRow createPaymentBatchUpload
  createPaymentContact createPaymentContactAttachmentUpload createPaymentDestination
  createTransactionAttachmentUpload deletePaymentBatchRow executePayment extractBill importPaymentBatchFile
  preflightBill preflightPayment requestBillPayment retryExport submitPaymentBatch updateBill updateCreditNote
  updateInvoice updatePayment updatePaymentBatchRow updateTransaction validatePaymentDestination`

test('what delegates may do needs no step-up; those that read change nothing, and those that prepare only this', () => {
  const [reads, prepares] = (['read', 'prepare'] as const).map((access) =>
    routes.filter((one) => one.delegate === access),
  )
  expect(reads!.length).toBeGreaterThan(60)
  expect(reads!.filter((route) => route.stepUp ?? route.shape !== 'query').map((route) => route.operationId)).toEqual(
    [],
  )
  expect(prepares!.filter((route) => route.stepUp).map((route) => route.operationId)).toEqual([])
  expect(prepares!.map((route) => route.operationId).sort()).toEqual(PREPARES.trim().split(/\s+/))
})

describe('every operation that prepares × a delegate that reads → delegate_not_permitted, before anything is looked at', () => {
  test.each(named(routes.filter((route) => route.delegate === 'prepare')))('%s', async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, 'nonsense')
    const answer = await api(route.method.toUpperCase(), path, { token: delegateToken, body: '{{{' })
    expect(refusal(answer)).toEqual([403, 'delegate_not_permitted'])
  })
})

describe('every operation of an organization × an outsider → the answer for an id that does not exist', () => {
  test.each(named(routes.filter((route) => route.owner)))('%s', async (_, route) => {
    const answer = await callWith(route, outsider.token, real)
    expect(refusal(answer)).toEqual([404, 'not_found'])
    expect(toldBy(answer)).toEqual(toldBy(await callWith(route, outsider.token, {})))
  })
})

const closed = routes.filter(
  (route) => route.owner && route.can && ![route.can].flat().some((one) => can({ role: 'member' }, one)),
)
const [concealed, open] = [closed.filter((route) => route.concealed), closed.filter((route) => !route.concealed)]

describe('every operation × a role without its permission → forbidden', () => {
  test.each(named(open))('%s', async (_, route) => {
    const answer = await callWith(route, member.token, real)
    expect(refusal(answer)).toEqual([403, 'forbidden'])
    expect(answer.body.error.details).toEqual({ permission: route.can })
  })
})

describe('every operation on what is concealed × a role without its permission → the answer for an id that does not exist', () => {
  test.each(named(concealed))('%s', async (_, route) => {
    const answer = await callWith(route, member.token, real)
    expect([...refusal(answer), answer.body.error.details]).toEqual([404, 'not_found', undefined])
  })
})

test('none of all that was refused has changed a row', async () => {
  expect(await contents()).toEqual(before)
})

test('every list clamps its limit, however large or small', async () => {
  const limited = routes.filter(({ query }) => query && v.is(query, { limit: '1' }) && !v.is(query, { limit: 'x' }))
  expect(limited.length).toBeGreaterThan(20)
  for (const [index, route] of limited.entries()) {
    for (const limit of everyNth(['-1', '101', '0', '9'.repeat(400)], 2, index)) {
      const answer = await callWith({ ...route, path: `${route.path}?limit=${limit}` }, boss.token, real)
      expect([answer.status, answer.body.error], `${route.path} ${limit}`).toEqual([200, undefined])
      expect(answer.body.data.length).toBeLessThanOrEqual(limit === '-1' || limit === '0' ? 1 : 100)
    }
  }
})

test('every list refuses a cursor that names none of its items: a made-up one, and a foreign one alike', async () => {
  type Item = { id?: string }
  const elsewhere = { ...real, organization_id: (await organization(boss)).id }
  const paged = routes.filter(({ query }) => query && v.is(query, {}) && !v.is(query, { cursor: '' }))
  let foreign = 0
  for (const route of paged) {
    const here = (query: string) => callWith({ ...route, path: route.path + query }, boss.token, real)
    const there = (query: string) =>
      callWith({ ...route, path: route.path + query }, (route.owner ? boss : outsider).token, elsewhere)
    const [own, other] = await Promise.all([here(''), there('')])
    const known: readonly Item[] = other.body.data ?? own.body.data ?? []
    const item = own.body.data?.find(({ id }: Item) => known.every((one) => one.id !== id))
    const refused = [await here(`?cursor=${randomUUID()}`), ...(item ? [await there(`?cursor=${item.id}`)] : [])]
    foreign += refused.length - 1
    for (const answer of refused) {
      expect(refusal(answer), route.path).toEqual([400, 'invalid_request'])
      expect(answer.body.error.details.errors, route.path).toMatchObject([{ path: 'cursor' }])
    }
  }
  expect([paged.length > 40, foreign > 20]).toEqual([true, true])
})

test('an unknown route is not found', async () => {
  expect(refusal(await api('GET', '/nothing'))).toEqual([404, 'route_not_found'])
})

test('each path takes its own methods and tells them of any other, also a fixed one beside a parameter', async () => {
  const paths = new Map<string, string[]>()
  for (const { root, path, method } of routes) {
    const url = `${root ? '/' : ''}${path}`
    paths.set(url, [...(paths.get(url) ?? []), method.toUpperCase()])
  }
  for (const [index, [path, allowed]] of [...paths].entries()) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !allowed.includes(one))
    for (const method of everyNth(others, 2, index)) {
      const answer = await api(method, path.replaceAll(/\{\w+\}/g, randomUUID()))
      expect(refusal(answer), `${method} ${path}`).toEqual([405, 'method_not_allowed'])
      expect(answer.headers.get('allow'), path).toBe(allowed.join(', '))
    }
  }
})

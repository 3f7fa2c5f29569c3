/** Attack by hostile calls of any form: no decision, no money, no rights. `npm run test:long` makes 10,000 of them. */
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { EXAMPLES } from '../../../api/openapi/document.ts'
import { allRoutes } from '../../../sandbox/routes.ts'
import { baseUrl, join, person } from '../../support/api.ts'
import { world } from '../../support/contract/world.ts'
import { owner } from '../../support/database.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { findingsAbout } from '../../support/ledger/service-findings.ts'
import { MODEL_TIMEOUT_MS, fullScale } from '../../support/model-runs.ts'

const CALLS = fullScale ? 10_000 : 600
const LANES = 8

/** Operations of people and programs: a stranger's are no matter of delegates. */
const routes = allRoutes.filter(({ credential }) => credential === 'session' || credential === 'session or key')

let at: Awaited<ReturnType<typeof world>>
let secret: string
let token: string
/** Keys that requests of people were made with: an agent may have read them in a log. */
const knownKeys: string[] = []

beforeAll(async () => {
  at = await world()
  const { boss, ids } = at
  const organizationId = ids['organization_id'] ?? ''
  await join(organizationId, await person({ authenticator: true }), 'owner')
  const delegate = await delegateOf(boss, organizationId, { kind: 'agent', access: 'prepare' })
  secret = delegate.secret
  token = await tokenOf(delegate)
  const claims = await owner<{ id: string }[]>`select id from idempotency_claims order by inserted_at desc limit 50`
  knownKeys.push(...claims.map(({ id }) => id), randomUUID())
})

/** Everything that only people may change, counted or hashed. */
async function belongings(): Promise<object> {
  const organizationId = at.ids['organization_id'] ?? ''
  const { userId } = at.boss
  const [row] = await owner`
    select
      (select count(*)::int from approval_decisions where organization_id = ${organizationId}) as decisions,
      (select md5(string_agg(status, ',' order by id)) from approvals
        where organization_id = ${organizationId} and delegate_id is null) as approvals,
      (select count(*)::int from ledger_entries e join ledger_accounts a on a.id = e.account_id
        where a.organization_id = ${organizationId}) as entries,
      (select md5(string_agg(concat_ws(' ', id, balance), ',' order by id)) from ledger_accounts
        where organization_id = ${organizationId}) as balances,
      (select md5(string_agg(concat_ws(' ', id, name, status), ',' order by id)) from organizations
        where id = ${organizationId}) as organization,
      (select md5(string_agg(concat_ws(' ', user_id, role), ',' order by user_id)) from members
        where organization_id = ${organizationId}) as members,
      (select md5(string_agg(i::text, ',' order by id)) from invitations i
        where organization_id = ${organizationId}) as invitations,
      (select count(*)::int from approval_policies where organization_id = ${organizationId}) as policies,
      (select md5(string_agg(concat_ws(' ', id, revoked_at), ',' order by id)) from api_keys
        where organization_id = ${organizationId}) as keys,
      (select count(*)::int from webhook_endpoints where organization_id = ${organizationId}) as endpoints,
      (select md5(string_agg(concat_ws(' ', id, access, ended_at), ',' order by id)) from delegates
        where organization_id = ${organizationId}) as delegates,
      (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
      (select count(*)::int from approval_credentials where user_id = ${userId}) as devices,
      (select count(*)::int from phone_numbers where user_id = ${userId}) as numbers,
      (select count(*)::int from sessions where user_id = ${userId} and delegate_id is null and ended_at is null) as sessions,
      (select count(*)::int from step_ups where user_id = ${userId}) as step_ups,
      (select count(*)::int from people p join authenticators a on a.user_id = p.id where p.id = ${userId}) as authenticators`
  return row ?? {}
}

type Hostile = {
  readonly route: number
  readonly bearer: string
  readonly headers: readonly string[]
  readonly key: number
  readonly shuffle: number
  readonly members: readonly string[]
}

const hostile: fc.Arbitrary<Hostile> = fc.record({
  route: fc.nat(),
  bearer: fc.constantFrom('token', 'token', 'token', 'secret', 'both', 'key', 'cookie', 'lower', 'basic'),
  headers: fc.subarray([
    'x-forwarded-for: 127.0.0.1',
    'forwarded: for=127.0.0.1',
    'x-http-method-override: POST',
    'x-original-url: /api/v1/me',
    'x-user-id: 1',
    'x-sandbox-token: sandbox',
    'origin: null',
    'x-step-up: 1',
  ]),
  key: fc.nat(),
  shuffle: fc.nat(),
  members: fc.subarray([
    'step_up_id',
    'acknowledge_duplicate',
    'acknowledge_bank_details',
    'acknowledge_payee_check',
    'decision',
    'user_id',
    'status',
    '__proto__',
  ]),
})

const VALUES: Readonly<Record<string, unknown>> = {
  acknowledge_duplicate: true,
  acknowledge_bank_details: true,
  acknowledge_payee_check: true,
  decision: 'approve',
  status: 'approved',
}

async function call({ route: place, bearer, headers, key, shuffle, members }: Hostile): Promise<Response> {
  const route = routes[place % routes.length]
  if (!route) throw new Error('no route')
  const { all, ids } = at
  const other = (name: string): string =>
    (shuffle % 3 === 0 ? all[(shuffle + name.length) % all.length] : ids[name]) ?? randomUUID()
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => other(name))
  const example = Object.entries(EXAMPLES[route.operationId]?.body ?? {}).map(([name, value]) => [
    name,
    ids[name] ?? value,
  ])
  const added = members.map((name) => [name, VALUES[name] ?? other(name)])
  const body = route.body ? { body: JSON.stringify(Object.fromEntries([...example, ...added])) } : {}
  const sent = new Headers(headers.map((line) => line.split(': ') as [string, string]))
  const bearers: Readonly<Record<string, () => void>> = {
    token: () => sent.set('authorization', `Bearer ${token}`),
    secret: () => sent.set('authorization', `Bearer ${secret}`),
    both: () => sent.set('authorization', `Bearer ${token}, Bearer ${secret}`),
    key: () => sent.set('authorization', `Bearer svc_${secret}`),
    cookie: () => sent.set('cookie', `session=${token}; __Host-session=${token}`),
    lower: () => sent.set('authorization', `bearer ${token}`),
    basic: () => sent.set('authorization', `Basic ${Buffer.from(`${token}:${secret}`).toString('base64')}`),
  }
  bearers[bearer]?.()
  if (route.body) sent.set('content-type', 'application/json')
  if (key % 2 === 0) sent.set('idempotency-key', knownKeys[key % knownKeys.length] ?? randomUUID())
  const root = route.root ? baseUrl : `${baseUrl}/api/v1`
  return fetch(`${root}${path}`, { method: route.method.toUpperCase(), headers: sent, ...body, redirect: 'manual' })
}

test(`${CALLS} hostile calls`, { timeout: MODEL_TIMEOUT_MS }, async () => {
  const before = await belongings()
  const seed = Date.now() % 2 ** 31
  const calls = fc.sample(hostile, { numRuns: CALLS, seed })
  const counts = new Map<number, number>()
  let next = 0
  const lane = async () => {
    for (let one = calls[next++]; one; one = calls[next++]) {
      const answer = await call(one)
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
      const isLive = answer.headers.get('content-type')?.startsWith('text/event-stream')
      const text = isLive ? ((await answer.body?.cancel()) ?? '') : await answer.text()
      expect(answer.status, `seed ${seed}: ${JSON.stringify(one)} → ${text.slice(0, 300)}`).toBeLessThan(500)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(CALLS)
  // many were refused for their form, and many were carried out
  expect(Math.min(counts.get(403) ?? 0, counts.get(401) ?? 0, counts.get(200) ?? 0)).toBeGreaterThan(CALLS / 50)
  expect(await belongings(), `seed ${seed}`).toEqual(before)
  const found = await findingsAbout(at.ids['organization_id']!)
  const own = found.filter(({ check }) => /decided_by_delegate|moved_without_person/.test(check))
  expect(own, `seed ${seed}`).toEqual([])
})

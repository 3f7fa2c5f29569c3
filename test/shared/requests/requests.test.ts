/** Log of requests: who called what in the last days, of one organization alone. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'
import { flushRequests, countDropped, noteRequest } from '../../../services/requests/buffer.ts'
import { purgeExpired } from '../../../services/maintenance/purge.ts'
import { read, sql } from '../../../db/postgres/sql.ts'
import { type TestPerson, api, createPayment, join, organization, payerAndPayee, person } from '../../support/api.ts'
import { bfs } from '../../support/cli/terminal.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { apiKey, use } from '../../support/organizations/api-keys.ts'
import { show } from '../../support/pages/addresses.ts'

type Logged = Record<string, unknown> & { id: string; request_id: string }

let boss: TestPerson
let id: string
let contactId: string
beforeAll(async () => {
  const made = await payerAndPayee()
  ;({ boss, contactId } = made)
  ;({ id } = made.payer)
})

const logPath = (query = '', of = id) => `/organizations/${of}/requests${query}`

async function listed(query = '', by = boss.token, of = id): Promise<Logged[]> {
  await flushRequests()
  const answer = await api('GET', logPath(query, of), { token: by })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}

/** Calls with an id of its own; answers what the log has of it. */
async function logged(call: (headers: { 'x-request-id': string }) => Promise<unknown>): Promise<Logged[]> {
  const requestId = randomUUID()
  await call({ 'x-request-id': requestId })
  return listed(`?request_id=${requestId}`)
}

test('a request is found by the id of its error: who called what, and what was answered', async () => {
  const refused = await api('GET', `/organizations/${id}/payments?statu=failed`, {
    token: boss.token,
    headers: { 'user-agent': `books/1.0 (\u00fcber) ${'x'.repeat(300)}` },
  })
  expect(refusal(refused)).toEqual([400, 'unknown_parameter'])
  await flushRequests()
  const requestId = refused.body.error.request_id
  const found = await api('GET', logPath(`/${requestId}`), { token: boss.token })
  expect(found.body).toEqual({
    id: expect.any(String),
    request_id: requestId,
    received_at: expect.stringMatching(/Z$/),
    credential_kind: 'session',
    credential_id: null,
    credential_name: null,
    user_id: boss.userId,
    operation: 'listPayments',
    method: 'GET',
    path: '/api/v1/organizations/{organization_id}/payments',
    status: 400,
    error_type: 'unknown_parameter',
    milliseconds: expect.any(Number),
    user_agent: expect.stringMatching(/^books\/1.0 \(.{0,2}ber\) x+$/),
  })
  expect(found.body.user_agent.length).toBeLessThanOrEqual(100)
  const [row] = await owner`select r::text as all from requests r where id = ${found.body.id}`
  expect(row?.['all']).not.toContain('statu=')
})

test('an API key and a delegate are named, whatever they ask for; a secret is nowhere', async () => {
  const [key, made] = [await apiKey(boss, id), await delegateOf(boss, id)]
  const token = await tokenOf(made)
  const other = await organization(boss, 'Other')
  const [byKey] = await logged((headers) => api('GET', '/me', { token: key.secret, headers }))
  expect(byKey).toMatchObject({
    credential_kind: 'api_key',
    credential_id: key.id,
    credential_name: 'Program',
    user_id: null,
    status: 403,
  })
  const elsewhere = { 'x-request-id': randomUUID() }
  expect((await api('GET', `/organizations/${other.id}/balances`, { token, headers: elsewhere })).status).toBe(404)
  const [byDelegate] = await listed(`?delegate_id=${made.id}`)
  expect(byDelegate).toMatchObject({
    credential_kind: 'delegate',
    credential_id: made.id,
    credential_name: 'Books',
    user_id: boss.userId,
    operation: 'listBalances',
    status: 404,
    request_id: elsewhere['x-request-id'],
  })
  expect(await listed('', boss.token, other.id)).toEqual([])
  const [all] = await owner`select string_agg(r::text, '') as all from requests r where organization_id = ${id}`
  for (const secret of [key.secret, made.secret, token, boss.token]) expect(all?.['all']).not.toContain(secret)
  await use(key.secret, id)
  expect((await listed(`?api_key_id=${key.id}`)).map(({ status }) => status)).toEqual([200, 403])
})

test('what names a thing, in the path or the body, is in the log of its organization', async () => {
  const payment = await createPayment(boss, contactId, '1.00')
  const [read] = await logged((headers) => api('GET', `/payments/${payment.id}`, { token: boss.token, headers }))
  expect(read).toMatchObject({ operation: 'getPayment', path: '/api/v1/payments/{payment_id}', status: 200 })
  const body = { payment_contact_id: contactId }
  const [quoted] = await logged((headers) => api('POST', '/payments/preflight', { token: boss.token, body, headers }))
  expect(quoted?.['status']).toBeGreaterThanOrEqual(400)
  expect(await logged((headers) => api('GET', '/me', { token: boss.token, headers }))).toEqual([])
})

describe('a stranger', () => {
  test('reads nothing of the log, and writes nothing into it', async () => {
    const stranger = await person()
    await organization(stranger, 'Theirs')
    const before = (await listed()).length
    for (const token of [stranger.token, 'ses_unknown', 'svc_test_abcdefgh_' + 'x'.repeat(43)])
      for (const path of [logPath(), `/organizations/${id}/payments`, `/organizations/${id}/requests/any`])
        expect((await api('GET', path, { token })).status).toBeGreaterThanOrEqual(400)
    expect(await listed()).toHaveLength(before)
  })

  test('finds no request by its id, nor by its cursor', async () => {
    const stranger = await person()
    const theirs = await organization(stranger, 'Theirs')
    const [mine] = await listed()
    const found = await api('GET', logPath(`/${mine!.request_id}`, theirs.id), { token: stranger.token })
    expect(refusal(found)).toEqual([404, 'not_found'])
    const page = await api('GET', logPath(`?cursor=${mine!.id}`, theirs.id), { token: stranger.token })
    expect(refusal(page)).toEqual([400, 'invalid_request'])
    // its own request above is flushed first: the tenant guard shows no row of another organization
    await flushRequests()
    const seen = await read<{ organization_id: string }>(
      theirs.id as OrganizationId,
      sql`select organization_id from requests`,
    )
    expect(new Set(seen.map((row) => row.organization_id))).toEqual(new Set([theirs.id]))
  })
})

test('members without the permission to manage keys do not read it; their own requests are in it', async () => {
  const member = await person()
  await join(id, member, 'member')
  const asked = await api('GET', logPath(), { token: member.token })
  expect(refusal(asked)).toEqual([403, 'forbidden'])
  expect(await listed(`?user_id=${member.userId}`)).toMatchObject([{ operation: 'listRequests', status: 403 }])
})

test('filters and pages: each request once, newest first', async () => {
  const requestId = `same.${randomUUID()}`
  const call = (path: string) => api('GET', path, { token: boss.token, headers: { 'x-request-id': requestId } })
  await call(`/organizations/${id}/payments?cursor=${randomUUID()}`)
  for (let times = 0; times < 4; times += 1) await call(`/organizations/${id}/payments`)
  const all = await listed(`?request_id=${requestId}`)
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400])
  const first = await api('GET', logPath(`?request_id=${requestId}&limit=3`), boss)
  const second = await api('GET', logPath(`?request_id=${requestId}&limit=3&cursor=${first.body.next_cursor}`), boss)
  expect([...first.body.data, ...second.body.data]).toEqual(all)
  expect([first.body.has_more, second.body.has_more]).toEqual([true, false])
  const one = await api('GET', logPath(`/${requestId}`), boss)
  expect(one.body).toMatchObject({ status: 400, error_type: 'invalid_request' }) // the refused one first
  for (const [filter, count] of [
    ['status_class=errors', 1],
    ['status_class=4xx', 1],
    ['status_class=2xx', 4],
    ['status=200', 4],
    ['error_type=invalid_request', 1],
    ['operation=listPayments', 5],
    ['operation=getPayment', 0],
    ['to=2020-01-01', 0],
  ] as const)
    expect(await listed(`?request_id=${requestId}&${filter}`), filter).toHaveLength(count)
  for (const filter of ['status=0', 'request_id=%00', 'operation=a%F0%9F%98%80', 'status_class=x'])
    expect((await api('GET', logPath(`?${filter}`), boss)).status, filter).toBe(400)
})

test('a page looks through 20,000 requests at most, and the next one goes on behind them', async () => {
  const made = await organization(boss, 'Busy')
  await owner`
    insert into requests (id, organization_id, request_id, operation, method, path, status, milliseconds, user_id, inserted_at)
    select uuidv7(), ${made.id}, 'r' || n, case when n = 20500 then 'getPayment' else 'listPayments' end, 'GET', '/', 200, 1,
      ${boss.userId}, business_now() - make_interval(secs => n) from generate_series(1, 21000) n`
  const path = logPath('?operation=getPayment', made.id)
  const first = await api('GET', path, boss)
  expect(first.body).toMatchObject({ data: [], has_more: true, next_cursor: expect.any(String) })
  const second = await api('GET', `${path}&cursor=${first.body.next_cursor}`, boss)
  expect(second.body).toMatchObject({ data: [{ request_id: 'r20500' }], has_more: false, next_cursor: null })
  await owner`delete from requests where organization_id = ${made.id}`
})

test('reading the log and pages for people leave only what was refused', async () => {
  const readAgain = await logged((headers) => api('GET', logPath(), { token: boss.token, headers }))
  expect(readAgain).toEqual([])
  const page = await show(`/o/${id}/programs/requests?status_class=errors`, { session: boss.token })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('unknown_parameter')])
  expect(await listed(`?request_id=${page.headers.get('x-request-id')}`)).toEqual([])
})

test('one organization takes a fifth of the buffer at most; the rest is dropped and counted', async () => {
  await flushRequests()
  const [template] = await listed()
  const before = countDropped()
  const noted = (at: number) =>
    noteRequest({
      id: randomUUID(),
      organization_id: id as OrganizationId,
      request_id: `flood-${at}`,
      operation: 'listPayments',
      method: 'GET',
      path: '/',
      status: 200,
      error_type: null,
      milliseconds: 1,
      user_id: null,
      api_key_id: null,
      delegate_id: null,
      scim_token_id: null,
      user_agent: null,
      inserted_at: String(template!['received_at']),
    })
  for (let at = 0; at < 1100; at += 1) noted(at)
  expect(countDropped() - before).toBe(100)
  await flushRequests()
  const [count] = await owner`select count(*)::int as count from requests where request_id like 'flood-%'`
  expect(count?.['count']).toBe(1000)
  await owner`delete from requests where request_id like 'flood-%'`
})

test('bfs logs shows the latest, those that failed, and the request of an error', async () => {
  const env = { BFS_TOKEN: boss.token, BFS_ORGANIZATION: id }
  const refused = await api('GET', `/organizations/${id}/payments?limit=x`, boss)
  await flushRequests()
  const errors = await bfs(['logs', '--errors'], { env, tty: true })
  expect([errors.code, errors.stdout.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(/Z {2}400 {2}\d+ ms {2}listPayments {2}invalid_request {2}session {2}/),
  ])
  const found = await bfs(['logs', '--request', refused.body.error.request_id], { env })
  expect(JSON.parse(found.stdout)).toMatchObject({ status: 400, error_type: 'invalid_request' })
  const ending = new AbortController()
  const followed: string[] = []
  const running = bfs(['logs', '--follow'], {
    env,
    signal: ending.signal,
    written: (line) => {
      followed.push(line)
      if (line.includes('follow-me')) ending.abort()
    },
  })
  await api('GET', `/organizations/${id}/payments`, { token: boss.token, headers: { 'x-request-id': 'follow-me' } })
  await flushRequests()
  await running
  expect(followed.filter((line) => line.includes('follow-me'))).toHaveLength(1)
})

test('after seven days a request is gone', async () => {
  const all = await listed()
  expect(all.length).toBeGreaterThan(0)
  await owner`update requests set inserted_at = inserted_at - interval '7 days' where organization_id = ${id}`
  expect(await listed()).toEqual([])
  await purgeExpired()
  const left =
    await owner`select from requests where organization_id = ${id} and id = any (${all.map((one) => one.id)})`
  expect(left).toHaveLength(0)
})

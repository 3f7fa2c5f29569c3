import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'

vi.hoisted(() =>
  Object.assign(process.env, {
    RATE_LIMIT_PER_MINUTE: '3',
    RATE_LIMIT_ORGANIZATION_PER_MINUTE: '4',
    RATE_LIMIT_ADDRESS_PER_MINUTE: '12',
    PICTURE_LIMIT_PER_HOUR: '1',
    EXPORT_LIMIT_PER_HOUR: '1',
    UPLOAD_LIMIT_PER_HOUR: '1',
    BILL_LIMIT_PER_HOUR: '1',
    EXTRACTION_LIMIT_PER_HOUR: '1',
    IMPORT_LIMIT_PER_HOUR: '1',
    CONSENT_LIMIT_PER_HOUR: '1',
    CLIENT_LIMIT_PER_HOUR: '1',
    PAGE_LIMIT_PER_MINUTE: '2',
    TRUSTED_PROXY_HOPS: '1',
    CORS_ORIGINS: 'https://app.example.com',
  }),
)
const { api, join, organization, person } = await import('../../support/api.ts')
const { FORM } = await import('../../support/http/forms.ts')
const { anyAddress } = await import('../../support/http/networks.ts')
const at = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const somewhere = () => at(anyAddress())

test('a credential that asks more often than it may is told to wait, and how long; others are not', async () => {
  const [one, other] = [await person(), await person()]
  for (const left of [2, 1, 0]) {
    const answer = await api('GET', '/me', { token: one.token, ...somewhere() })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('ratelimit-policy')).toBe('"credential";q=3;w=60')
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"credential";r=${left};t=[1-6]?[0-9]$`))
  }
  const refused = await api('GET', '/me', { token: one.token, ...somewhere() })
  const seconds = Number(refused.headers.get('retry-after'))
  const error = { type: 'rate_limited', details: { policy: 'credential', retry_after_seconds: seconds } }
  expect(refused).toMatchObject({ status: 429, body: { error } })
  expect(seconds).toBeGreaterThan(0)
  expect(refused.headers.get('ratelimit-policy')).toBe('"credential";q=3;w=60')
  expect(refused.headers.get('ratelimit')).toBe(`"credential";r=0;t=${seconds}`)
  expect((await api('GET', '/me', { token: other.token, ...somewhere() })).status).toBe(200)
})

test('an organization whose members together ask more often than they may is told to wait; strangers do not count', async () => {
  const [boss, colleague, stranger] = [await person(), await person(), await person()]
  const { id } = await organization(boss)
  await join(id, colleague, 'admin')
  const ask = (by: { token: string }) => api('GET', `/organizations/${id}`, { token: by.token, ...somewhere() })
  expect((await ask(stranger)).status).toBe(404)
  for (const member of [boss, boss, colleague, colleague]) expect((await ask(member)).status).toBe(200)
  const refused = await ask(colleague)
  expect([refused.status, refused.body.error.details.policy]).toEqual([429, 'organization'])
})

test('every answer to a credential tells its limit, whatever it is', async () => {
  const wrong = [
    ['GET', '/organizations?limit=abc', undefined, 400],
    ['POST', '/auth/totp/activate', '{', 400],
    ['POST', '/me/approval-credential', {}, 403],
    ['GET', `/payments/${randomUUID()}`, undefined, 404],
    ['POST', '/auth/totp/activate', { code: '1', messaging_code: '1' }, 409],
  ] as const
  for (const [method, path, body, status] of wrong) {
    const { token } = await person()
    const answer = await api(method, path, { token, body, ...somewhere() })
    expect([path, answer.status]).toEqual([path, status])
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"credential";q=3;w=60/)
    expect(answer.headers.get('ratelimit')).toMatch(/^"credential";r=2;t=\d+/)
  }
})

test('a network that asks more often than it may is told to wait, whoever asks from it, from any address of it', async () => {
  const { token } = await person()
  const here = somewhere()
  const inNetwork = (_: unknown, host: number) => at(`2001:db8:0:1:${host}::1`)
  for (const hosts of [Array.from({ length: 14 }, () => here), Array.from({ length: 14 }, inNetwork)]) {
    const answers = await Promise.all(hosts.map((host) => api('POST', '/auth/sign-out', host)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12)
  }
  const stopped = await api('GET', '/me', { token, ...here })
  const error = { type: 'rate_limited', details: { policy: 'address' } }
  expect(stopped).toMatchObject({ status: 429, body: { error } })
  expect(stopped.headers.get('ratelimit-policy')).toBe('"address";q=12;w=60')
  expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await api('GET', '/me', { token, ...somewhere() })).status).toBe(200)
})

test('a person uploads only so many pictures in an hour, whatever became of them', async () => {
  const [one, other] = [await person(), await person()]
  const upload = ({ token }: typeof one) =>
    api('POST', '/me/avatar', { token, body: FORM.body, headers: { ...FORM.headers, ...somewhere().headers } })
  expect((await upload(one)).status).toBe(415)
  expect(await upload(one)).toMatchObject({ status: 429, body: { error: { details: { policy: 'pictures' } } } })
  expect((await upload(other)).status).toBe(415)
})

test('a person asks only for so many exports in an hour; an order that is refused is none', async () => {
  const [one, other] = [await person(), await person()]
  const ask = async (by: typeof one, body: object) => {
    const { id } = await organization(by)
    return api('POST', `/organizations/${id}/exports`, { token: by.token, body, ...somewhere() })
  }
  const order = { type: 'expenses', format: 'csv', from: '2026-01-01', to: '2026-01-31' }
  expect([(await ask(one, {})).status, (await ask(one, order)).status]).toEqual([400, 201])
  expect(await ask(one, order)).toMatchObject({ status: 429, body: { error: { details: { policy: 'exports' } } } })
  expect((await ask(other, {})).status).toBe(400)
})

const CONNECTED = {
  organization_id: randomUUID(),
  client_id: 'bfs',
  redirect_uri: 'http://127.0.0.1:1/callback',
  code_challenge: 'x'.repeat(43),
  access: 'read',
  expires_in_days: 1,
}
const SLOT = { filename: 'file', byte_size: 9, content_type: 'text/csv' }
test.each([
  ['uploads', 'slots for bills', 'bills/upload', { ...SLOT, content_type: 'application/xml' }],
  ['uploads', 'slots for batches', '/payment-batches/{id}/upload', SLOT],
  ['bills', 'bills', 'bills', { amount: '1.00' }],
  ['extractions', 'bills that are read again', '/bills/{id}/extract', {}],
  ['imports', 'imports of batches', '/payment-batches/{id}/import', { file_id: randomUUID() }],
  ['clients', 'programs that are connected', '/me/authorizations', CONNECTED],
  ['consents', 'consents to an accounting program', 'integrations/accounting/connect', { provider: 'xero' }],
])(
  '%s: a person asks only for so many %s in an hour, and is told when to come again',
  async (policy, _, path, body) => {
    const [one, other] = [await person(), await person()]
    const ask = async (by: typeof one) => {
      const own = `/organizations/${(await organization(by)).id}`
      const post = (to: string, sent: object) => api('POST', to, { token: by.token, body: sent, ...somewhere() })
      const aBill = () => post(`${own}/bills`, { amount: '1.00' })
      const thing = path.startsWith('/bills') ? await aBill() : await post(`${own}/payment-batches`, { name: 'June' })
      const to = path.startsWith('/') ? path.replace('{id}', thing.body.id) : `${own}/${path}`
      return [await post(to, body), await post(to, body)] as const
    }
    const [first, refused] = await ask(one)
    expect(first.status).not.toBe(429)
    expect([refused.status, refused.body.error.details.policy]).toEqual([429, policy])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(other))[0].status).toBe(first.status)
  },
)

test('pages of invoices are counted by network, whichever they are and whatever of them; beyond it a page says so', async () => {
  const here = somewhere()
  const open = (path: string, from = here) => api('GET', `//i/${path}`, from)
  expect([(await open('one')).status, (await open('another/pdf')).status]).toEqual([404, 404])
  for (const path of ['one', 'third/xml']) {
    const refused = await open(path)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
    expect(refused.body).toContain('Bitte versuchen Sie es gleich noch einmal')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await open('one', somewhere())).status).toBe(404)
})

describe('a page of another origin that is known', () => {
  const [origin, address] = ['https://app.example.com', anyAddress()]
  const from = (token?: string) => ({ token, headers: { origin, 'x-forwarded-for': address } })
  const shownIn = (headers: Headers) =>
    ['access-control-allow-origin', 'cache-control', 'vary', 'x-content-type-options'].map((name) => headers.get(name))

  test('has answers cached as all others, and reads the refusal of its network', async () => {
    const { token } = await person()
    const kept = await api('GET', '/countries', from(token))
    const cached = 'private, max-age=86400, immutable'
    expect(shownIn(kept.headers)).toEqual([origin, cached, 'authorization, accept-encoding, Origin', 'nosniff'])
    const fresh = await api('GET', '/me', from(token))
    expect(shownIn(fresh.headers)).toEqual([origin, 'no-store', 'Origin', 'nosniff'])
    const answers = await Promise.all(Array.from({ length: 12 }, () => api('GET', '/me', from())))
    const refused = answers.find(({ status }) => status === 429)
    expect(refused && shownIn(refused.headers)).toEqual([origin, 'no-store', 'Origin', 'nosniff'])
    expect(refused?.headers.get('access-control-expose-headers')).toContain('retry-after')
    expect(refused?.headers.get('x-request-id')).toBe(refused?.body.error.request_id)
  })

  test('is asked for beforehand without being counted, and any other page gets no leave', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    const { status, headers } = await api('OPTIONS', '/me', { headers: { ...from().headers, ...asked } })
    expect([status, headers.get('access-control-allow-headers')]).toEqual([204, 'authorization'])
    const evil = { origin: 'https://evil.example', 'x-forwarded-for': anyAddress() }
    const other = await api('GET', '/me', { headers: evil })
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([401, null])
  })

  test.each([
    ['GET', '//.well-known/oauth-protected-resource/mcp', 200],
    ['GET', '//.well-known/oauth-authorization-server', 200],
    ['POST', '//oauth/token', 400],
    ['POST', '//mcp', 401],
  ])('finds out where a token for agents comes from: %s %s', async (method, path, status) => {
    const here = { 'x-forwarded-for': anyAddress() }
    const opened = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin')
    const asked = { 'access-control-request-method': method, 'access-control-request-headers': 'mcp-protocol-version' }
    const before = await api('OPTIONS', path, { headers: { ...here, ...asked, origin } })
    expect([before.status, opened(before)]).toEqual([204, origin])
    expect(before.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version')
    const answer = await api(method, path, { headers: { ...here, origin } })
    expect([answer.status, opened(answer)]).toEqual([status, origin])
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('www-authenticate')
    expect(opened(await api(method, path, { headers: { ...here, origin: 'https://evil.example' } }))).toBeNull()
  })
})

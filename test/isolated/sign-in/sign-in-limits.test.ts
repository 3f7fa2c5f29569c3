import { describe, expect, test, vi } from 'vitest'

vi.hoisted(() =>
  Object.assign(process.env, {
    TRUSTED_PROXY_HOPS: '1',
    SIGN_IN_LIMIT_PER_MINUTE: '3',
    SIGN_IN_ADDRESS_LIMIT_PER_MINUTE: '12',
    MAIL_LIMIT_PER_HOUR: '3',
  }),
)
const { afterAll } = await import('vitest')
const { api, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { mailsTo, me, newEmail } = await import('../../support/identity/identity.ts')
const { anyAddress, from, statuses } = await import('../../support/http/networks.ts')

/** A second instance of the service, from modules of its own: it shares servers, but no memory. */
async function startAnother(): Promise<{ url: string }> {
  vi.resetModules()
  const { startServer } = await import('../../../server.ts')
  const { flushSignals } = await import('../../../temporal/announce.ts')
  const { connection } = await import('../../../temporal/client.ts')
  const { sql } = await import('../../../db/postgres/sql.ts')
  const { port, stop } = await startServer()
  afterAll(async () => {
    await stop()
    await flushSignals()
    await Promise.all([connection.close(), sql.end({ timeout: 1 })])
  })
  return { url: `http://127.0.0.1:${port}` }
}
const second = await startAnother()

const WRONG = 'not the pass phrase of anybody'
const limited = (policy: string) => ({ status: 429, body: { error: { type: 'rate_limited', details: { policy } } } })

describe('sign-ins', () => {
  test('of one network to one account are counted by all processes together, also at once', async () => {
    const { email } = await person()
    const address = anyAddress()
    const [here, there] = [from(address), from(address, second.url)]
    const tried = await statuses(12, (index) => (index % 2 ? here : there)('/auth/sign-in', { email, password: WRONG }))
    expect(tried).toEqual({ 401: 3, 429: 9 })
    for (const ask of [here, there]) {
      expect(await ask('/auth/sign-in', { email, password: WRONG })).toMatchObject(limited('sign_in_network'))
    }
  })

  test('while limited, the right password is told to wait too, but not elsewhere, nor to another account', async () => {
    const [somebody, other] = [await person(), await person()]
    const ask = from(anyAddress())
    const right = { email: somebody.email, password: somebody.password }
    for (let i = 0; i < 3; i += 1) {
      expect((await ask('/auth/sign-in', { ...right, password: WRONG })).status).toBe(401)
    }
    expect(await ask('/auth/sign-in', right)).toMatchObject(limited('sign_in'))
    expect(await ask('/auth/sign-in', { ...right, email: `  ${right.email.toUpperCase()} ` })).toMatchObject(
      limited('sign_in'),
    )
    expect((await ask('/auth/sign-in', { email: other.email, password: other.password })).status).toBe(200)
    expect((await from(anyAddress())('/auth/sign-in', right)).status).toBe(200)
  })

  test('that are limited never touch who is signed in, from the same network too', async () => {
    const somebody = await person()
    const address = anyAddress()
    await statuses(5, () => from(address)('/auth/sign-in', { email: somebody.email, password: WRONG }))
    const headers = { 'x-forwarded-for': address }
    expect((await api('GET', '/me', { token: somebody.token, headers })).status).toBe(200)
    expect((await me(somebody.token)).status).toBe(200)
  })

  test('to an address that nobody has are counted and refused alike', async () => {
    const told = async (email: string) => {
      const ask = from(anyAddress())
      const answers = []
      for (let i = 0; i < 5; i += 1) {
        const { status, body, headers } = await ask('/auth/sign-in', { email, password: WRONG })
        const { request_id: _, ...error } = body.error
        const wait = error.details && { ...error.details, retry_after_seconds: 'some' }
        const left = headers.get('ratelimit')?.replaceAll(/t=\d+/g, 't=some')
        answers.push([status, { ...error, details: wait }, headers.get('ratelimit-policy'), left])
      }
      return answers
    }
    const known = await told((await person()).email)
    expect(known.map(([status]) => status)).toEqual([401, 401, 401, 429, 429])
    expect(await told(newEmail())).toEqual(known)
  })

  test('tell what is left of each policy, and when refused how long to wait: then the next one is let in', async () => {
    const somebody = await person()
    const ask = from(anyAddress())
    const body = { email: somebody.email, password: somebody.password }
    for (const left of [2, 1, 0]) {
      const { status, headers } = await ask('/auth/sign-in', body)
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe('"sign_in_network";q=12;w=60, "sign_in";q=3;w=60')
      expect(headers.get('ratelimit')).toMatch(
        new RegExp(`^"sign_in_network";r=${9 + left};t=\\d+, "sign_in";r=${left};t=\\d+$`),
      )
    }
    const seconds = Number((await ask('/auth/sign-in', body)).headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    await owner`update rate_limits set expire = expire - ${seconds * 1000}` // as if that time had passed
    expect((await ask('/auth/sign-in', body)).status).toBe(200)
  })
})

test('a network has one count for all ways in, whichever account they are for', async () => {
  const somebody = await person()
  const ask = from(anyAddress())
  expect(await statuses(12, () => ask('/auth/email/confirm', { token: 'made up' }))).toEqual({ 422: 12 })
  const body = { email: somebody.email, password: somebody.password }
  const reset = { token: 'made up', password: WRONG }
  for (const answer of [await ask('/auth/sign-in', body), await ask('/auth/password/reset', reset)])
    expect(answer).toMatchObject(limited('sign_in_network'))
  expect((await from(anyAddress())('/auth/sign-in', body)).status).toBe(200)
})

describe('mails to one recipient', () => {
  const forgot = (email: string) => from(anyAddress())('/auth/password/forgot', { email })

  test('are limited from everywhere together, and no more than that are sent', async () => {
    const { email } = await person()
    expect(await statuses(8, () => forgot(email))).toEqual({ 200: 3, 429: 5 })
    const signUp = await from(anyAddress())('/auth/sign-up', { email, password: 'another long pass phrase' })
    expect(signUp).toMatchObject(limited('mails'))
    expect(Number(signUp.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await mailsTo(email)).toHaveLength(3)
    expect((await forgot((await person()).email)).status).toBe(200)
  })

  test('are counted alike for an address that nobody has, and what is left is not told', async () => {
    const email = newEmail()
    for (let i = 0; i < 3; i += 1) {
      const { status, headers } = await forgot(email)
      expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"sign_in_network";q=12;w=60'])
    }
    expect(await forgot(email)).toMatchObject(limited('mails'))
  })

  test('are not used up by a sign-up that is refused for its password', async () => {
    const email = newEmail()
    const signUp = (password: string) => from(anyAddress())('/auth/sign-up', { email, password })
    expect(await statuses(5, () => signUp('too short'))).toEqual({ 422: 5 })
    expect((await signUp('another long pass phrase')).status).toBe(201)
  })

  test('are not used up by a network that has to wait', async () => {
    const { email } = await person()
    const ask = from(anyAddress())
    await statuses(12, () => ask('/auth/email/confirm', { token: 'made up' }))
    expect(await statuses(5, () => ask('/auth/password/forgot', { email }))).toEqual({ 429: 5 })
    expect((await forgot(email)).status).toBe(200)
  })
})

test('no address, email or token stands in the table, only hashes', async () => {
  const { email } = await person()
  const ask = from('192.0.2.55')
  await ask('/auth/sign-in', { email, password: WRONG })
  await ask('/auth/password/forgot', { email })
  await ask('/auth/mfa', { challenge_token: 'a token', code: '000000' })
  const rows = await owner<{ key: string }[]>`select key from rate_limits`
  const policies = new Set(rows.map(({ key }) => /^(\w+):[\w-]{43}$/.exec(key)?.[1]))
  expect(policies).toEqual(new Set(['sign_in_network', 'sign_in', 'mails', 'codes']))
})

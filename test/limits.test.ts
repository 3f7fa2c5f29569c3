import { expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { RATE_LIMIT_PER_MINUTE: '3', RATE_LIMIT_ADDRESS_PER_MINUTE: '12' }))
const { api, person } = await import('./support/api.ts')

test('a credential, then an address, that asks more often than it may is told to wait, and how long', async () => {
  const [one, other] = [await person(), await person()]
  for (const left of [2, 1, 0]) {
    const answer = await api('GET', '/me', { token: one.token })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('ratelimit-policy')).toBe('"credential";q=3;w=60')
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"credential";r=${left};t=[1-6]?[0-9]$`))
  }
  const refused = await api('GET', '/me', { token: one.token })
  expect(refused).toMatchObject({ status: 429, body: { error: { type: 'rate_limited' } } })
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.error.details.retry_after_seconds))
  expect(refused.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=/)
  expect((await api('GET', '/me', { token: other.token })).status).toBe(200)

  const rest = await Promise.all(Array.from({ length: 8 }, () => api('POST', '/auth/sign-out')))
  expect(rest.filter(({ status }) => status === 200)).toHaveLength(7)
  const stopped = await api('GET', '/me', { token: other.token })
  expect(stopped).toMatchObject({ status: 429, body: { error: { type: 'rate_limited' } } })
  expect(stopped.headers.get('ratelimit-policy')).toBe('"address";q=12;w=60')
  expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0)
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance, me } from '../../support/identity/identity.ts'

describe('session', () => {
  const SLACK_SECONDS = 20 // for the time of the test's own calls

  test('each use moves the end of the idle time; 30 minutes without one end the session', async () => {
    const [one, reader] = [await person(), await person()] // the session is cached for a second
    const uses = () => [me(one.token), api('GET', '/currencies', { token: reader.token })]
    for (let times = 0; times < 3; times++) {
      await advance(30 * 60 - SLACK_SECONDS)
      for (const { status } of await Promise.all(uses())) expect(status).toBe(200)
    }
    await advance(30 * 60)
    for (const { body } of await Promise.all(uses())) expect(body.error.type).toBe('not_authenticated')
  })

  test('that has ended reads reference data for a second at most, and nothing else', async () => {
    const { token } = await person()
    const read = async (path: string) => (await api('GET', path, { token })).status
    expect(await read('/currencies')).toBe(200)
    await api('POST', '/auth/sign-out', { token })
    expect(await read('/me')).toBe(401)
    await advance(1)
    expect(await read('/currencies')).toBe(401)
  })

  test('each read of reference data counts under the limit of its session', async () => {
    const { token } = await person()
    const left: number[] = []
    for (let reads = 0; reads < 3; reads++) {
      const { headers } = await api('GET', '/currencies', { token })
      left.push(Number(/"credential";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]))
    }
    expect(left).toEqual([0, 1, 2].map((more) => (left[0] ?? NaN) - more))
  })

  test('30 days after sign-in it ends, however much it is used', async () => {
    const { token, sessionId } = await person()
    await owner`update sessions set signed_in_at = business_now() - interval '30 days' + interval '20 seconds'
      where id = ${sessionId}`
    expect((await me(token)).status).toBe(200)
    await advance(SLACK_SECONDS)
    expect((await me(token)).status).toBe(401)
  })

  test('a request that is refused is a use too, and an ended session is not revived by one', async () => {
    const { token, sessionId } = await person()
    await advance(60)
    expect((await api('GET', `/step-up/${randomUUID()}`, { token })).status).toBe(404)
    const [used] = await owner`select last_used_at > business_now() - interval '20 seconds' as recent
      from sessions where id = ${sessionId}`
    expect(used).toEqual({ recent: true })
    await api('POST', '/auth/sign-out', { token })
    await advance(60)
    expect((await me(token)).status).toBe(401)
    const [ended] = await owner`select last_used_at > business_now() - interval '20 seconds' as recent
      from sessions where id = ${sessionId}`
    expect(ended).toEqual({ recent: false })
  })
})

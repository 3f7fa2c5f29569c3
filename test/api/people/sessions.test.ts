import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance, me } from '../../support/identity/identity.ts'

describe('session', () => {
  const SLACK_SECONDS = 20 // for the time that the calls of a test themselves take

  test('each use moves the end of the idle time; 30 minutes without one end the session', async () => {
    const { token } = await person()
    for (let uses = 0; uses < 3; uses++) {
      await advance(30 * 60 - SLACK_SECONDS)
      expect((await me(token)).status).toBe(200)
    }
    await advance(30 * 60)
    expect((await me(token)).body.error.type).toBe('not_authenticated')
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

  test.each([undefined, 'ses_', 'ses_made-up', `ses_${'x'.repeat(600)}`])('the bearer %s is nobody', async (token) => {
    const answer = await api('GET', '/me', token === undefined ? {} : { token })
    expect(answer).toMatchObject({ status: 401, body: { error: { type: 'not_authenticated' } } })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })
})

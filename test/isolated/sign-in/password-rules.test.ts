import { expect, test } from 'vitest'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance, signIn } from '../../support/identity/identity.ts'

const atFirst = await owner`select from people`

test('a password never expires', async () => {
  const somebody = await person()
  await advance(365 * 24 * 3600)
  expect((await signIn(somebody.email, somebody.password)).body.status).toBe('authenticated')
})

test('nobody is there before the first sign-up: there are no default accounts', async () => {
  expect(atFirst).toHaveLength(0)
  for (const email of ['root', 'admin', 'sa', 'admin@example.com', 'demo', 'test']) {
    for (const password of ['', email, 'admin', 'password', 'a long enough pass phrase'])
      expect((await signIn(email, password)).status).toBe(401)
  }
})

test('no operation takes a hint or the answer to a secret question', () => {
  // questions about requests for approval prove nobody's identity
  const others = routes.filter(({ path }) => !/\/questions(?:\/|$)/.test(path))
  const words = others.map(({ path, operationId, summary }) => `${path} ${operationId} ${summary}`).join('\n')
  expect(words).toContain('/auth/password/forgot')
  expect(words).not.toMatch(/hint|question|maiden/i)
})

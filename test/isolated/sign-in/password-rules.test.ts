import { randomBytes } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { OWN_WORDS } from '../../../db/sign-in/common-passwords.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance, confirm, newEmail, signIn, signUp, tokenTo } from '../../support/identity/identity.ts'

const atFirst = await owner`select from people`

const refusedAs = async (password: string, email = newEmail()): Promise<string | undefined> =>
  (await signUp(email, password)).body.error?.details?.reason

async function personWith(password: string) {
  const email = newEmail()
  expect((await signUp(email, password)).status).toBe(201)
  expect((await confirm(await tokenTo(email))).status).toBe(200)
  return email
}

describe('a password', () => {
  test.each([
    ['of small letters alone', 'abdkeozmqwhr'],
    ['of digits alone', '739182645091'],
    ['of signs and spaces', ' %& (/)= ?!. '],
    ['of letters of any script', 'длиннаяфраза'],
    ['of 64 characters', randomBytes(32).toString('hex')],
    ['of 1,024 characters', randomBytes(512).toString('hex')],
    ['of a common one and a word of their own', 'password zebra 7'],
    ['of a word of the service and others', 'bankers prefer umbrellas'],
  ])('%s is taken', async (_, password) => {
    const email = await personWith(password)
    expect((await signIn(email, password)).body.status).toBe('authenticated')
  })

  test('is compared whole and as it was given: no character is cut off, added or changed in case', async () => {
    const password = `Aa ${randomBytes(100).toString('hex')} z`
    const email = await personWith(password)
    const others = [password.slice(0, -1), `${password} `, password.toLowerCase(), password.slice(0, 72)]
    for (const other of [...others, ` ${password}`]) expect((await signIn(email, other)).status).toBe(401)
    expect((await signIn(email, password)).status).toBe(200)
  })

  test('never expires', async () => {
    const somebody = await person()
    await advance(365 * 24 * 3600)
    expect((await signIn(somebody.email, somebody.password)).body.status).toBe('authenticated')
  })

  test.each([
    'password1234',
    '2024!iloveyou!2024',
    'Qwerty-1234567',
    'dragondragondragon',
    '123456123456',
    'monkey!monkey!',
  ])('%s is a common one with trimmings, and refused', async (password) => {
    expect(await refusedAs(password)).toBe('common')
  })

  test.each(OWN_WORDS)('of the word %s and hardly another is refused', async (word) => {
    expect(await refusedAs(`my-${word}-2026`.padEnd(12, '!'))).toBe('common')
    expect(await refusedAs(`Business.${word}.Finance1`)).toBe('common')
  })

  test('made of its owner’s address is refused', async () => {
    expect(await refusedAs('Cornelia.1984!', 'cornelia.fisher-84@example.com')).toBe('common')
    expect(await refusedAs('FisherCornelia1', 'cornelia.fisher-85@example.com')).toBe('common')
    expect(await refusedAs('FisherCornelia1', newEmail())).toBeUndefined()
    const email = newEmail()
    expect(await refusedAs(email.toUpperCase(), email)).toBe('same_as_email')
  })
})

test('a stored password costs 19 MiB and two passes of argon2id, unless it is configured', async () => {
  const storedAs = async (memory: string, passes: string) => {
    vi.stubEnv('PASSWORD_HASH_MEMORY_KIB', memory)
    vi.stubEnv('PASSWORD_HASH_PASSES', passes)
    vi.resetModules()
    const { hashPassword, verifyPassword } = await import('../../../db/sign-in/passwords.ts')
    const stored = await hashPassword('a long enough pass phrase', '')
    expect(await verifyPassword(stored, 'a long enough pass phrase')).toBe(true)
    expect(await verifyPassword(null, 'nobody knows this one')).toBe(false)
    return stored
  }
  expect(await storedAs('', '')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await storedAs('64', '3')).toMatch(/^\$argon2id\$v=19\$m=64,t=3,p=1\$/)
})

test('nobody is there before the first sign-up: there are no default accounts', async () => {
  expect(atFirst).toHaveLength(0)
  for (const email of ['root', 'admin', 'sa', 'admin@example.com', 'demo', 'test']) {
    for (const password of ['', email, 'admin', 'password', 'a long enough pass phrase'])
      expect((await signIn(email, password)).status).toBe(401)
  }
})

test('no operation takes a hint or the answer to a secret question', () => {
  const words = routes.map(({ path, operationId, summary }) => `${path} ${operationId} ${summary}`).join('\n')
  expect(words).toContain('/auth/password/forgot')
  expect(words).not.toMatch(/hint|question|maiden/i)
})

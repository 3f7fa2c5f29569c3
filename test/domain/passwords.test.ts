/** Which passwords are taken, how they are compared, and what the stored ones cost. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { OWN_WORDS, isCommon } from '../../platform/common-passwords.ts'
import { parse } from '../../api/http/validation.ts'
import { hashPassword, passwordWeakness, verifyPassword } from '../../platform/passwords.ts'
import { SignIn, SignUp } from '../../domain/sign-in/sign-in.ts'

const weakness = (password: string, address = 'ada@example.com') => passwordWeakness(password, address)

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
  ])('%s is taken', (_, password) => {
    expect(weakness(password)).toBeNull()
  })

  test.each([
    ['short pass', 'too_short'],
    ['🔑'.repeat(11), 'too_short'],
    ['aaaaaaaaaaaaaaaa', 'repeated_character'],
  ])('the weak one %s is refused as %s', (password, reason) => {
    expect(weakness(password)).toBe(reason)
  })

  test('is compared whole and as it was given: no character is cut off, added or changed in case', async () => {
    const password = `Aa ${randomBytes(100).toString('hex')} z`
    for (const body of [SignIn, SignUp])
      expect(parse(body, { email: 'ada@example.com', password: ` ${password} ` }).password).toBe(` ${password} `)
    const stored = await hashPassword(password, '')
    const others = [
      password.slice(0, -1),
      `${password} `,
      password.toLowerCase(),
      password.slice(0, 72),
      ` ${password}`,
    ]
    for (const other of others) expect(await verifyPassword(stored, other)).toBe(false)
    expect(await verifyPassword(stored, password)).toBe(true)
  })

  test('that is among the 10,000 most used is refused; the list says where it comes from', () => {
    const text = readFileSync('domain/data/common-passwords.txt', 'utf8')
    const words = text.split('\n').filter((line) => line !== '' && !line.startsWith('#!'))
    expect(words.length).toBeGreaterThanOrEqual(10_000)
    expect(new Set(words).size).toBe(words.length)
    expect(text).toMatch(/^#! .*Sources:/ms)
    expect(['123456', 'password', 'QWERTY', ...words].filter((word) => !isCommon(word))).toEqual([])
  })

  test.each([
    'password1234',
    '2024!iloveyou!2024',
    'Qwerty-1234567',
    'qwertyuiop123',
    'Leavemealone',
    'dragondragondragon',
    '123456123456',
    '123456789987654321',
    'monkey!monkey!',
  ])('%s is a common one with trimmings, and refused', (password) => {
    expect(weakness(password)).toBe('common')
  })

  test.each(OWN_WORDS)('of the word %s and hardly another is refused', (word) => {
    expect(weakness(`my-${word}-2026`.padEnd(12, '!'))).toBe('common')
    expect(weakness(`Business.${word}.Finance1`)).toBe('common')
  })

  test('made of its owner’s address is refused', () => {
    expect(weakness('Cornelia.1984!', 'cornelia.fisher-84@example.com')).toBe('common')
    expect(weakness('FisherCornelia1', 'cornelia.fisher-85@example.com')).toBe('common')
    expect(weakness('FisherCornelia1')).toBeNull()
    expect(weakness('ADA@EXAMPLE.COM')).toBe('same_as_email')
  })
})

test('a stored password costs 19 MiB and two passes of argon2id, unless it is configured', async () => {
  const storedAs = async (memory: string, passes: string) => {
    vi.stubEnv('PASSWORD_HASH_MEMORY_KIB', memory)
    vi.stubEnv('PASSWORD_HASH_PASSES', passes)
    vi.resetModules()
    const passwords = await import('../../platform/passwords.ts')
    const stored = await passwords.hashPassword('a long enough pass phrase', '')
    expect(await passwords.verifyPassword(stored, 'a long enough pass phrase')).toBe(true)
    expect(await passwords.verifyPassword(null, 'nobody knows this one')).toBe(false)
    return stored
  }
  expect(await storedAs('', '')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await storedAs('64', '3')).toMatch(/^\$argon2id\$v=19\$m=64,t=3,p=1\$/)
})

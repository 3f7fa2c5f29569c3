import { randomBytes } from 'node:crypto'
import { generateSecret } from 'otplib'
import { expect, test, vi } from 'vitest'

const { development } = await vi.hoisted(async () => {
  vi.stubEnv('ENCRYPTION_KEYS', '')
  const { encrypt } = await import('../../../db/encryption.ts') // as before the rotation, with the key of development
  vi.resetModules()
  return { development: encrypt }
})
const rotated = `k2:${randomBytes(32).toString('base64')},dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=`
vi.stubEnv('ENCRYPTION_KEYS', rotated)
const { reencryptAuthenticators } = await import('../../../db/maintenance/key-rotation.ts')
const { person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { challenged, codesOf, mfa } = await import('../../support/identity.ts')

test('authenticators that an earlier key sealed are sealed with the first one, once, and their codes stay right', async () => {
  const secret = generateSecret()
  const people = await Promise.all(Array.from({ length: 5 }, () => person()))
  for (const { userId } of people) {
    await owner`insert into authenticators (user_id, secret) values (${userId}, ${development(Buffer.from(secret))})`
  }
  const keysUsed = async () => {
    const rows = await owner<{ key: string }[]>`
      select distinct convert_from(substring(secret from 2 for get_byte(secret, 0)), 'UTF8') as key from authenticators`
    return rows.map(({ key }) => key)
  }
  expect(await keysUsed()).toEqual(['dev1'])
  expect(await reencryptAuthenticators(2)).toBe(5)
  expect(await keysUsed()).toEqual(['k2'])
  expect(await reencryptAuthenticators(2)).toBe(0)
  for (const somebody of people) {
    const { body } = await mfa(await challenged(somebody), await codesOf(secret)())
    expect(body.status).toBe('authenticated')
  }
})

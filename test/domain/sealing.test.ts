import { randomBytes } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [first, second] = [key('k1'), key('k2')]

/** Loads platform/encryption.ts with these keys. */
async function withKeys(keys: string): Promise<typeof import('../../platform/encryption.ts')> {
  vi.resetModules()
  vi.stubEnv('ENCRYPTION_KEYS', keys)
  return import('../../platform/encryption.ts')
}
afterEach(() => vi.unstubAllEnvs())

const plain = Buffer.from('JBSWY3DPEHPK3PXP')
const idOf = (sealed: Buffer) => sealed.toString('latin1', 1, 1 + (sealed[0] ?? 0))

test('the first key seals; what an earlier one sealed opens as long as that key is configured, and not after', async () => {
  const old = (await withKeys(first)).encrypt(plain)
  const rotated = await withKeys(`${second},${first}`)
  const fresh = rotated.encrypt(plain)
  expect([idOf(old), idOf(fresh)]).toEqual(['k1', 'k2'])
  expect([rotated.decrypt(old), rotated.decrypt(fresh)]).toEqual([plain, plain])
  const later = await withKeys(second)
  expect(later.decrypt(fresh)).toEqual(plain)
  expect(() => later.decrypt(old)).toThrow('sealed with the key k1, which is not configured')
})

test('the same text is sealed differently each time, and one bit that changed is noticed', async () => {
  const { encrypt, decrypt } = await withKeys(first)
  const [one, two] = [encrypt(plain), encrypt(plain)]
  expect(one.equals(two)).toBe(false)
  for (let index = 0; index < one.length; index += 1) {
    const changed = Buffer.from(one)
    changed.writeUInt8((changed[index] ?? 0) ^ 1, index)
    expect(() => decrypt(changed)).toThrow(/./)
  }
})

test('what was cut off is noticed at every length: no part of a tag stands for the whole', async () => {
  const { encrypt, decrypt } = await withKeys(first)
  for (const sealed of [encrypt(plain), encrypt('')])
    for (let length = 1; length < sealed.length; length += 1)
      expect(() => decrypt(sealed.subarray(0, length)), `${length} bytes`).toThrow(/./)
})

const OTHERS = [`${first},k2:`, `${first} ${second}`, `${first},${key('k1')}`, first.slice(0, -1)]
test.each(['k1', 'k1:c2hvcnQ=', 'K1:x', ...OTHERS])('the service does not start with the keys %j', async (keys) =>
  expect(withKeys(keys)).rejects.toThrow('ENCRYPTION_KEYS'),
)

test('unset, it has a key for development', async () => {
  const { encrypt } = await withKeys('')
  expect(idOf(encrypt(plain))).toBe('dev1')
})

test('what was sealed for no row opens for none, and the error does not say what it is', async () => {
  const { decryptForRow, encrypt, encryptForRow } = await withKeys(first)
  expect(decryptForRow('a', encryptForRow('a', { secret: 1 }))).toEqual({ id: 'a', secret: 1 })
  for (const sealed of [encryptForRow('b', {}), encrypt(plain), encrypt('null'), encrypt('1')])
    expect(() => decryptForRow('a', sealed)).toThrow(/^sealed for another row than a$/)
})

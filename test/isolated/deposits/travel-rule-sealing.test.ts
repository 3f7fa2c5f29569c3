/** Sender details stay encrypted at rest and readable to the service across key rotation. */
import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'

const development = 'dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs='
const { before } = await vi.hoisted(async () => {
  vi.stubEnv('ENCRYPTION_KEYS', '')
  const secrets = await import('../../../platform/encryption.ts') // with the development key
  vi.resetModules()
  return { before: secrets }
})
vi.stubEnv('ENCRYPTION_KEYS', `k2:${randomBytes(32).toString('base64')},${development}`)
const { reencryptTravelRules } = await import('../../../services/maintenance/key-rotation.ts')
const { decrypt } = await import('../../../platform/encryption.ts')
const { owner } = await import('../../support/database.ts')
const { OTHER, answer, arriveCrypto, depositor } = await import('../../support/deposits/deposits.ts')

test('answers that an earlier key sealed are sealed with the first one, and answer a repeat as before', async () => {
  const { boss, id } = await depositor()
  const made = await Promise.all([arriveCrypto(id, '1000'), arriveCrypto(id, '2000'), arriveCrypto(id, '3000')])
  for (const one of made) expect((await answer(boss, one.id, OTHER)).status).toBe(200)
  const sealed = await owner<{ id: string; travel_rule: Buffer }[]>`select id, travel_rule from deposits`
  for (const row of sealed.slice(0, 2)) {
    await owner`update deposits set travel_rule = ${before.encrypt(decrypt(row.travel_rule))} where id = ${row.id}`
  }
  expect(await reencryptTravelRules(1)).toBe(2)
  expect(await reencryptTravelRules(1)).toBe(0)
  const keys = await owner`
    select distinct convert_from(substr(travel_rule, 2, get_byte(travel_rule, 0)), 'UTF8') as key from deposits`
  expect(keys).toEqual([{ key: 'k2' }])
  for (const one of made) expect((await answer(boss, one.id, OTHER)).status).toBe(200)
})

test('an answer opens for its own deposit only', async () => {
  const { boss, id } = await depositor()
  const [one, other] = [await arriveCrypto(id, '1000'), await arriveCrypto(id, '1000')]
  for (const made of [one, other]) await answer(boss, made.id, OTHER)
  await owner`update deposits set travel_rule = (select travel_rule from deposits where id = ${other.id}) where id = ${one.id}`
  expect((await answer(boss, one.id, OTHER)).status).toBe(500)
})

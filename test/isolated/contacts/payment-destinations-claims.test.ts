/** Idempotency claims and step-ups reveal nothing of a body, and match it while keys rotate. */
import { createHash, randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { canonicalJson } from '../../../domain/canonical.ts'
import type { SessionId, UserId } from '../../../domain/ids.ts'

const { before } = await vi.hoisted(async () => {
  vi.stubEnv('ENCRYPTION_KEYS', '')
  const claim = await import('../../../services/idempotency.ts') // claimed before the rotation, with the development key
  vi.resetModules()
  return { before: claim }
})
vi.stubEnv(
  'ENCRYPTION_KEYS',
  `k2:${randomBytes(32).toString('base64')},dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=`,
)
const { hashOf, sealHash, hashMatches } = await import('../../../services/idempotency.ts')
const { sql } = await import('../../../db/postgres/sql.ts')
const { releaseOf } = await import('../../../services/step-up/step-ups.ts')
const { api, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { BANK, WALLET, add, contactWith, destinationsPath } = await import('../../support/contacts/destinations.ts')

const claimed = async (id: string): Promise<string> =>
  (await owner`select body_hash from idempotency_claims where id = ${id}`)[0]?.['body_hash']

test('a claim does not tell the account to whoever knows everything else of the body', async () => {
  const { boss, contact } = await contactWith([])
  const made = await add(boss, contact, BANK, 'a key')
  const body = { params: { payment_contact_id: contact }, body: { ...BANK, default: false } }
  const guess = createHash('sha256').update(canonicalJson(body)).digest('hex')
  expect(await claimed(made.body.id)).toMatch(/^k2:[0-9a-f]{64}$/)
  expect(hashMatches(await claimed(made.body.id), guess)).toBe(true) // a right guess cannot be told from a wrong one
  expect(await claimed(made.body.id)).not.toContain(guess)
})

test('claims under an earlier key are known; the bare hash, or one under a key that is gone, is another body', async () => {
  const { boss, contact } = await contactWith([])
  const { id } = (await add(boss, contact, BANK, 'a key')).body
  const wallet = async (body: object) => (await add(boss, contact, body, 'a key')).body.error?.type ?? 'same'
  const bare = hashOf({ params: { payment_contact_id: contact }, body: { ...BANK, default: false } })
  const other = '00000000-0000-4000-8000-000000000001'
  await before.takeClaim(sql, { id: other, bodyHash: bare })
  expect(await claimed(other)).toMatch(/^dev1:/)
  for (const kept of [await claimed(other), await claimed(id)]) {
    await owner`update idempotency_claims set body_hash = ${kept} where id = ${id}`
    expect([await wallet(BANK), await wallet(WALLET)]).toEqual(['same', 'idempotency_key_reused'])
  }
  for (const kept of [bare, `gone:${'0'.repeat(64)}`]) {
    await owner`update idempotency_claims set body_hash = ${kept} where id = ${id}`
    expect(await wallet(BANK)).toBe('idempotency_key_reused')
  }
  expect(await api('GET', destinationsPath(contact), { token: boss.token })).toMatchObject({ body: { data: [{ id }] } })
})

test('a step-up does not tell the body either, and releases it whichever key it was kept under', async () => {
  const { token, sessionId, userId } = await person()
  const bodyHash = hashOf({ account: 'guessed' })
  const ids = { sessionId: sessionId as SessionId, userId: userId as UserId } // of rows that were just written
  const binding = { ...ids, mode: 'once', operation: 'POST /things', target: 'thing:1', bodyHash } as const
  const challenge = async () => {
    const release = await releaseOf(binding)
    return 'challenge' in release ? release.challenge.id : undefined
  }
  const kept = async (id: string): Promise<string> =>
    (await owner`select body_hash from step_ups where id = ${id}`)[0]?.['body_hash']
  const id = (await challenge()) ?? ''
  expect(await kept(id)).toMatch(/^k2:[0-9a-f]{64}$/)
  expect(await kept(id)).not.toContain(bodyHash)

  await owner`update step_ups set body_hash = ${before.sealHash(bodyHash)} where id = ${id}`
  expect(await challenge()).toBe(id)
  const other = await api('POST', `/step-up/${id}/fallback`, { token, body: { method: 'messaging_code' } })
  expect(await kept(other.body.id)).toBe(before.sealHash(bodyHash))
  await api('POST', `/sandbox/step-up/${other.body.id}/decide`, { body: { decision: 'allow' } })
  for (const hash of [await kept(other.body.id), sealHash(bodyHash)]) {
    await owner`update step_ups set body_hash = ${hash} where id = ${other.body.id}`
    expect(await releaseOf(binding)).toEqual({ released: other.body.id })
    expect(await releaseOf({ ...binding, bodyHash: hashOf('another') })).toHaveProperty('challenge')
  }
})

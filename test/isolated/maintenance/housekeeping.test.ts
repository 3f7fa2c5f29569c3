import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { purgeExpired } from '../../../services/maintenance/purge.ts'
import { organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { endow, oneOfEach } from '../../support/swaps.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** Everything of one person that expires within an hour. */
async function everythingOf(): Promise<string> {
  const { userId, sessionId } = await person()
  const [device] = await owner`select device_id from sessions where id = ${sessionId}`
  const deviceId: string = device?.['device_id']
  const hash = () => randomBytes(32)
  const soon = owner`business_now() + interval '1 hour'`
  await owner`insert into sign_ups (token_hash, email, password_hash, expires_at)
    values (${hash()}, ${userId}, '', ${soon})`
  await owner`insert into password_resets (token_hash, user_id, expires_at) values (${hash()}, ${userId}, ${soon})`
  await owner`insert into factor_resets (token_hash, user_id, effective_from, expires_at)
    values (${hash()}, ${userId}, business_now(), ${soon})`
  await owner`insert into sign_in_challenges (token_hash, user_id, expires_at) values (${hash()}, ${userId}, ${soon})`
  await owner`insert into webauthn_challenges (user_id, purpose, subject, challenge, expires_at)
    values (${userId}, 'registration', '', '', ${soon})`
  await owner`insert into messaging_codes (user_id, purpose, subject, code, expires_at)
    values (${userId}, 'step_up', '', '', ${soon})`
  await owner`insert into authenticator_setups (user_id, session_id, secret, expires_at)
    values (${userId}, ${sessionId}, '', ${soon})`
  await owner`insert into trust_tokens (token_hash, user_id, device_id, expires_at)
    values (${hash()}, ${userId}, ${deviceId}, ${soon})`
  await owner`insert into login_credentials (credential_hash, user_id, device_id, expires_at)
    values (${hash()}, ${userId}, ${deviceId}, ${soon})`
  await owner`insert into messages (recipient, channel, status, sealed)
    select ${userId}, 'email', s, '\\x00' from unnest(array['mailbox', 'queued', 'sent', 'failed', 'discarded']) s`
  return userId
}

const CODES = ['messaging_codes', 'sign_in_challenges', 'webauthn_challenges']
const KEPT_FOR_A_DAY = ['authenticator_setups', 'login_credentials', 'trust_tokens', ...CODES]
const KEPT_FOR_A_WEEK = ['factor_resets', 'password_resets', 'sign_ups']

/** The tables with rows of a person, and the states of messages to them. */
async function leftOf(userId: string): Promise<string[]> {
  const tables = await Promise.all(
    [...KEPT_FOR_A_DAY, ...KEPT_FOR_A_WEEK].map(async (table) => {
      const column = table === 'sign_ups' ? 'email' : 'user_id'
      return (await owner`select from ${owner(table)} where ${owner(column)}::text = ${userId}`).map(() => table)
    }),
  )
  const messages = await owner`select status from messages where recipient = ${userId}`
  return [...tables.flat(), ...messages.map((row) => row['status'] as string)].toSorted()
}

test('what expired is deleted after a day or a week, messages after 30 days, a mail that waits never; nothing before', async () => {
  const old = await everythingOf()
  const messages = ['discarded', 'failed', 'mailbox', 'queued', 'sent']
  const all = [...KEPT_FOR_A_DAY, ...KEPT_FOR_A_WEEK, ...messages].toSorted()
  await advance(HOUR + DAY - 60)
  await purgeExpired()
  expect(await leftOf(old)).toEqual(all)
  await advance(120)
  await purgeExpired()
  expect(await leftOf(old)).toEqual([...KEPT_FOR_A_WEEK, ...messages].toSorted())
  const young = await everythingOf()
  await advance(6 * DAY)
  await purgeExpired()
  expect(await leftOf(old)).toEqual(messages)
  expect(await leftOf(young)).toEqual([...KEPT_FOR_A_WEEK, ...messages].toSorted())
  await advance(23 * DAY)
  await purgeExpired()
  expect(await leftOf(old)).toEqual(['queued'])
  expect(await leftOf(young)).toEqual(messages)
  expect(await purgeExpired()).toBe(0)
})

test('however much there is, all of it goes in small batches, and several at once delete it once', async () => {
  const recipient = randomUUID()
  await owner`insert into messages (recipient, channel, sent_at, sealed)
    select ${recipient}, 'email', business_now() - interval '31 days', '\\x00' from generate_series(1, 25)`
  const deleted = await Promise.all([purgeExpired(10), purgeExpired(10), purgeExpired(10)])
  expect(await leftOf(recipient)).toEqual([])
  expect(deleted.reduce((sum, rows) => sum + rows)).toBe(25)
})

test('quotes of swaps that nobody used go 30 days after they expired; those of swaps stay', async () => {
  const boss = await person()
  const { id } = await organization(boss)
  await endow(id, '10.00', 'USD')
  const [{ quoteId: old }, { quoteId: recent }] = [await oneOfEach(boss, id), await oneOfEach(boss, id)]
  const quotes = () => owner<{ id: string; swap_id: string | null }[]>`
    select id, swap_id from swap_quotes where organization_id = ${id}`
  await owner`update swap_quotes set expires_at = business_now() - interval '30 days'
    where organization_id = ${id} and id <> ${recent}`
  const used = (await quotes()).flatMap((quote) => (quote.swap_id ? quote.id : []))
  const deleted = await Promise.all([purgeExpired(1), purgeExpired(1), purgeExpired(1)])
  expect(deleted.reduce((sum, rows) => sum + rows)).toBe(1)
  expect((await quotes()).map((quote) => quote.id).toSorted()).toEqual([...used, recent].toSorted())
  expect(used).not.toContain(old)
})

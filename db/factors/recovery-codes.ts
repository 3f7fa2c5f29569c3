/** Recovery codes: ten, each of which replaces the second factor at sign-in once. Stored as hashes. */
import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { notify } from '../messages/account-notices.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { by, recordSecurityEvent } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Transaction, type Fragment, first, sql, transaction } from '../sql.ts'

const CODES = 10
// Crockford's base32: no letter is taken for a digit. 24 characters are 120 bits, so a plain hash hides them (ASVS
// 6.5.2).
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHARACTERS = 24

const newCode = (): string => {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replaceAll(/(.{6})(?!$)/g, '$1-')
}

/**
 * As it was typed: case, spaces and hyphens do not count, and the letters that Crockford takes for digits are digits.
 */
function normal(entered: string): string {
  return entered.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/**
 * Creates ten codes, which only this answer shows; all earlier ones are void. Refuses `invalid_state` if the person has
 * neither an authenticator nor a passkey: there is nothing that the codes could replace.
 */
export function newRecoveryCodes(person: Person, origin: Origin): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  return transaction(async (tx) => {
    await lockOwnDevice(tx, person)
    await checkFactor(person.userId, tx)
    await tx`delete from recovery_codes where user_id = ${person.userId}`
    await tx`
      insert into recovery_codes (code_hash, user_id)
      select decode(hash, 'hex'), ${person.userId}
      from unnest(${codes.map((code) => tokenHash(normal(code)).toString('hex'))}::text[]) hash`
    await recordSecurityEvent(tx, { ...by(person, origin), type: 'recovery_codes.generated' })
    await notify(tx, person.userId, {
      subject: 'New recovery codes',
      body: 'New recovery codes were made for your account. Earlier ones no longer work.',
    })
    return codes
  })
}

/** Condition: the person has a factor that codes could replace. */
const hasSecondFactor = (userId: UserId): Fragment => sql`
  (exists (select from authenticators where user_id = ${userId})
    or exists (select from passkeys where user_id = ${userId} and removed_at is null))`

/** Refuses as the creation does, so that nobody gives a proof for codes that they cannot have. */
export async function checkFactor(userId: UserId, tx: postgres.Sql | Transaction = sql): Promise<void> {
  const [has] = await tx<{ factor: boolean }[]>`select ${hasSecondFactor(userId)} as factor`
  if (!has?.factor) refuse('invalid_state', { current: 'without_factor', allowed: [], reason: 'no_second_factor' })
}

/** Deletes the codes of a person without a factor that they could replace. The caller has locked the person. */
export async function dropIdleCodes(tx: Transaction, userId: UserId): Promise<void> {
  await tx`
    delete from recovery_codes where user_id = ${userId} and not ${hasSecondFactor(userId)}`
}

/** How many codes are left, and since when there are any. */
export async function countRecoveryCodes(userId: UserId): Promise<{ remaining: number; inserted_at: string | null }> {
  const row = await first(sql<{ remaining: number; inserted_at: string | null }[]>`
    select count(*) filter (where used_at is null)::int as remaining, max(inserted_at) as inserted_at
    from recovery_codes where user_id = ${userId}`)
  return row ?? { remaining: 0, inserted_at: null }
}

/** Uses up a recovery code: true once for one of the person's, also for concurrent tries. */
export async function takeRecoveryCode(
  tx: Transaction,
  userId: UserId,
  entered: string,
  origin: Origin,
): Promise<boolean> {
  const code = normal(entered)
  if (code.length !== CHARACTERS) return false
  const taken = await tx`
    update recovery_codes set used_at = business_now()
    where code_hash = ${tokenHash(code)} and user_id = ${userId} and used_at is null returning user_id`
  if (taken.length === 0) return false
  const [left] = await tx<{ count: number }[]>`
    select count(*)::int as count from recovery_codes where user_id = ${userId} and used_at is null`
  const remaining = left?.count ?? 0
  await recordSecurityEvent(tx, { type: 'recovery_code.used', userId, origin, details: { remaining } })
  await notify(tx, userId, {
    subject: 'A recovery code was used',
    body: `A recovery code was used to sign in to your account. ${remaining} of your codes are left.`,
  })
  return true
}

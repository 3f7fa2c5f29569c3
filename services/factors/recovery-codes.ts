/** Recovery codes: ten, each of which replaces the second factor at sign-in once. Stored as hashes. */
import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import type { Origin } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { RecoveryCodeCount } from '../../domain/sign-in/sign-in.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { notify } from '../messages/account-notices.ts'
import { type Command, by, recordSecurityEvent } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Fragment, type Transaction, sql } from '../../db/postgres/sql.ts'

const CODES = 10
// Crockford's base32 confuses no letter with a digit. 24 characters are 120 bits: a plain hash is enough (ASVS 6.5.2).
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHARACTERS = 24

const newCode = (): string => {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replaceAll(/(.{6})(?!$)/g, '$1-')
}

/** Drops case, spaces and hyphens of a typed code; the letters that Crockford takes for digits become digits. */
function normal(entered: string): string {
  return entered.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** Creates ten codes, which only this answer shows, and voids all earlier ones. */
export async function newRecoveryCodes({ tx, person, origin }: Command): Promise<{ codes: string[] }> {
  const codes = Array.from({ length: CODES }, newCode)
  await lockOwnDevice(tx, person)
  await requireSecondFactor(person.userId, tx)
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
  return { codes }
}

/** Builds the condition: the person has a factor that codes could replace. */
const hasSecondFactor = (userId: UserId): Fragment => sql`
  (exists (select from authenticators where user_id = ${userId})
    or exists (select from passkeys where user_id = ${userId} and removed_at is null))`

/** Refuses `invalid_state` for a person without a second factor. */
export async function requireSecondFactor(userId: UserId, tx: postgres.Sql | Transaction = sql): Promise<void> {
  const [has] = await tx<{ factor: boolean }[]>`select ${hasSecondFactor(userId)} as factor`
  if (!has?.factor) refuse('invalid_state', { current: 'without_factor', allowed: [], reason: 'no_second_factor' })
}

/** Deletes the codes of a person without a factor that they could replace. The caller has locked the person. */
export async function dropIdleCodes(tx: Transaction, userId: UserId): Promise<void> {
  await tx`delete from recovery_codes where user_id = ${userId} and not ${hasSecondFactor(userId)}`
}

export async function countRecoveryCodes(userId: UserId): Promise<RecoveryCodeCount> {
  const [row] = await sql<RecoveryCodeCount[]>`
    select count(*) filter (where used_at is null)::int as remaining, max(inserted_at) as inserted_at
    from recovery_codes where user_id = ${userId}`
  if (!row) throw new Error('an aggregate answers a row')
  return row
}

type CodeUse = { readonly userId: UserId; readonly entered: string; readonly origin: Origin }

/** Uses up a recovery code: true once for one of the person's, also for concurrent tries. */
export async function takeRecoveryCode(tx: Transaction, { userId, entered, origin }: CodeUse): Promise<boolean> {
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

/** Removes all factors, phone numbers too, and counts them. The caller has locked the person, and has written to them. */
export async function removeEveryFactor(tx: Transaction, userId: UserId) {
  const authenticators = await tx`delete from authenticators where user_id = ${userId} returning user_id`
  const passkeys = await tx`
    update passkeys set removed_at = business_now() where user_id = ${userId} and removed_at is null returning id`
  const codes = await tx`delete from recovery_codes where user_id = ${userId} returning used_at is null as unused`
  await tx`delete from authenticator_setups where user_id = ${userId}`
  const numbers = await tx`delete from phone_numbers where user_id = ${userId} returning confirmed_at`
  return {
    authenticators: authenticators.length,
    passkeys: passkeys.length,
    recovery_codes: codes.filter((row) => row['unused']).length,
    phone_numbers: numbers.filter((row) => row['confirmed_at'] !== null).length,
  }
}

/** Authenticator apps: time-based codes (RFC 6238: SHA-1, 30 seconds, 6 digits), each taken once. */
import { generateSecret, generateURI, verify } from 'otplib'
import type postgres from 'postgres'
import type { Person } from '../../domain/people/actor.ts'
import { type Refusal, refuse } from '../../domain/errors.ts'
import type { StepUpId, UserId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { CHALLENGE_MINUTES, type Setup, type SetupCodes } from '../../domain/sign-in/sign-in.ts'
import { COOLING_OFF_HOURS } from '../../domain/step-up/step-up.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'
import { notifyEverywhere } from '../messages/account-notices.ts'
import { requireMoreThanMailbox } from '../people/assurance.ts'
import { revokeDeviceTrust } from '../people/devices.ts'
import { type Command, type NewSecurityEvent, by, recordSecurityEvent } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Fragment, type Transaction, sql } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { type CodePurpose, codeRecipient, countWrongTry, sendCode, takeLimited, wrongCode } from './messaging-codes.ts'
import { dropIdleCodes } from './recovery-codes.ts'

const STEP_SECONDS = 30 // one step either side is accepted, for clocks that are a little off
const SECRET_BYTES = 20 // RFC 4226, section 4: 160 bits
const ISSUER = 'Business Finance Service'

/** Makes a secret for an app: shown once as base32 and as the URI of a QR code, stored `sealed`. */
export function newAuthenticator(email: string): Setup & { readonly sealed: Buffer } {
  const secret = generateSecret({ length: SECRET_BYTES })
  const uri = generateURI({ issuer: ISSUER, label: email, secret })
  return { uri, secret_encoded: secret, sealed: encrypt(Buffer.from(secret)) }
}

/** Gives a person an authenticator with a base32 secret, which is stored sealed; a second one is an error. */
export async function addAuthenticator(userId: UserId, secretBase32: string): Promise<void> {
  await sql`insert into authenticators (user_id, secret) values (${userId}, ${encrypt(Buffer.from(secretBase32))})`
}

/** Finds the time step of a code that is right for the sealed secret by the system's clock; null for any other. */
export async function stepOf(sealed: Buffer, code: string): Promise<number | null> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^[0-9]{6}$/.test(digits)) return null
  const secret = decrypt(sealed).toString()
  const result = await verify({ secret, token: digits, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Takes a code that is right now by the system's clock: true once, also for transactions at once. */
export async function consumeCode(tx: Transaction, userId: UserId, code: string): Promise<boolean> {
  const [authenticator] = await tx<{ secret: Buffer }[]>`select secret from authenticators where user_id = ${userId}`
  const step = authenticator ? await stepOf(authenticator.secret, code) : null
  if (step === null) return false
  const taken = await tx`
    update authenticators set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning user_id`
  return taken.length === 1
}

type NewAuthenticator = {
  readonly sealed: Buffer
  readonly step: number
  readonly by: Pick<NewSecurityEvent, 'sessionId' | 'deviceId' | 'origin'>
  /** False if a password alone adds it: then it signs in, and confirms operations from a day later on. */
  readonly proved: boolean
}

/** Adds the authenticator and takes its code; false if the person has one. The caller has locked the person. */
export async function enrol(tx: Transaction, userId: UserId, { proved, ...added }: NewAuthenticator): Promise<boolean> {
  const [inserted] = await tx<{ counts_from: string | null }[]>`
    insert into authenticators (user_id, secret, last_step, counts_from)
    values (${userId}, ${added.sealed}, ${added.step},
      ${proved ? null : sql`business_now() + make_interval(hours => ${COOLING_OFF_HOURS})`})
    on conflict do nothing returning counts_from`
  if (!inserted) return false
  await revokeDeviceTrust(tx, userId)
  await recordSecurityEvent(tx, { ...added.by, type: 'authenticator.added', userId })
  const { counts_from: from } = inserted
  await notifyEverywhere(tx, userId, {
    subject: 'An authenticator app was added',
    body: `An authenticator app was added to your account. From now on signing in asks for its code.${from ? ` It was added with the password alone, and confirms payments and changes only from ${minuteOf(from)} on: if that was not you, set a new password, and write to us at once.` : ''}`,
  })
  return true
}

/** Builds the condition: the person has an authenticator that confirms operations. */
export const authenticatorCounts = (userId: UserId): Fragment => sql`
  exists (select from authenticators where user_id = ${userId} and coalesce(counts_from <= business_now(), true))`

/** Tells if the person's authenticator confirms operations. */
export async function isCounting(tx: Transaction, userId: UserId): Promise<boolean> {
  const [state] = await tx<{ counts: boolean }[]>`select ${authenticatorCounts(userId)} as counts`
  return state?.counts ?? false
}

/** Refuses `totp_already_enabled` for a person who has an authenticator. */
export async function requireNoAuthenticator(userId: UserId, tx: postgres.Sql | Transaction = sql): Promise<void> {
  const [enabled] = await tx`select from authenticators where user_id = ${userId}`
  if (enabled) refuse('totp_already_enabled')
}

const setupOf = ({ userId, sessionId }: Person): CodePurpose => ({ userId, purpose: 'totp_setup', subject: sessionId })

/**
 * Creates the secret, sends the messaging code, and voids an earlier setup. Refuses `forbidden` to a session that has
 * proved nothing but the mailbox to which the code would go.
 */
export async function beginSetup(tx: Transaction, person: Person): Promise<Setup> {
  const { userId, sessionId } = person
  const [who] = await tx<{ email: string }[]>`select email from people where id = ${userId}`
  if (!who) throw new Error('a session without a person')
  await requireNoAuthenticator(userId, tx)
  const to = await codeRecipient(tx, userId)
  if (to.channel === 'email') await requireMoreThanMailbox(tx, sessionId)
  const { sealed, ...shown } = newAuthenticator(who.email)
  await tx`
    insert into authenticator_setups (user_id, session_id, secret, expires_at)
    values (${userId}, ${sessionId}, ${sealed}, business_now() + make_interval(mins => ${CHALLENGE_MINUTES}))
    on conflict (user_id) do update
    set session_id = excluded.session_id, secret = excluded.secret, expires_at = excluded.expires_at`
  await sendCode(tx, setupOf(person), to)
  return shown
}

/** Adds the authenticator by both codes. A wrong one is an answer, so that its try stays counted. */
export async function completeSetup(command: Command<{ readonly body: SetupCodes }>): Promise<Refusal | undefined> {
  const { tx, person, body, origin } = command
  await lockOwnDevice(tx, person)
  const [setup] = await tx<{ secret: Buffer }[]>`
    select secret from authenticator_setups
    where user_id = ${person.userId} and session_id = ${person.sessionId} and expires_at > business_now() for update`
  if (!setup) refuse('invalid_state', { current: 'none', allowed: ['setup'], reason: 'no_setup_under_way' })
  const step = await stepOf(setup.secret, body.code)
  if (step === null) return wrongCode(await countWrongTry(tx, setupOf(person)))
  const sent = await takeLimited(tx, setupOf(person), body.messaging_code)
  if (!sent.right) return wrongCode(sent.remaining)
  const added = await enrol(tx, person.userId, { sealed: setup.secret, step, by: by(person, origin), proved: true })
  if (!added) refuse('totp_already_enabled')
  await tx`delete from authenticator_setups where user_id = ${person.userId}`
  return undefined
}

type Removal = Command<{ readonly stepUpId: StepUpId | null }>

/** Removes the person's authenticator, with the recovery codes if no passkey is left. */
export async function removeAuthenticator({ tx, person, stepUpId, origin }: Removal): Promise<void> {
  const { userId } = person
  await lockOwnDevice(tx, person)
  await requireRemovable(userId, tx)
  await tx`delete from authenticators where user_id = ${userId}`
  await useStepUp(tx, person, stepUpId)
  await dropIdleCodes(tx, userId)
  await revokeDeviceTrust(tx, userId)
  await recordSecurityEvent(tx, { ...by(person, origin), type: 'authenticator.removed' })
  await notifyEverywhere(tx, userId, {
    subject: 'Your authenticator app was removed',
    body: 'The authenticator app was removed from your account. Signing in no longer asks for its code.',
  })
}

/** Builds the condition: an organization of the person requires an authenticator, and they have none. */
export const lacksAuthenticator = (userId: UserId): Fragment => sql`
  (not exists (select from authenticators where user_id = ${userId}) and authenticator_required(${userId}))`

/** Refuses as the removal does, also before a proof of identity is asked for. */
export async function requireRemovable(userId: UserId, tx: postgres.Sql | Transaction = sql): Promise<void> {
  const [state] = await tx<{ enabled: boolean; required: boolean }[]>`
    select exists (select from authenticators where user_id = ${userId}) as enabled,
      authenticator_required(${userId}) as required`
  if (!state?.enabled) refuse('not_found')
  if (state.required) refuse('invalid_state', { current: 'required', allowed: [], reason: 'required_by_organization' })
}

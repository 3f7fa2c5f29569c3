/** Authenticator apps: time-based codes (RFC 6238: SHA-1, 30 seconds, 6 digits), each taken once. */
import { generateSecret, generateURI, verify } from 'otplib'
import type postgres from 'postgres'
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { notify } from '../messages/account-notices.ts'
import { dropIdleCodes } from './recovery-codes.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'
import { type NewSecurityEvent, by, recordSecurityEvent } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Fragment, type Transaction, sql, transaction } from '../sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { revokeDeviceTrust } from '../people/device-trust.ts'

const STEP_SECONDS = 30 // one step either side is accepted, for clocks that are a little off
const SECRET_BYTES = 20 // RFC 4226, section 4: 160 bits
const ISSUER = 'Business Finance Service'

/** A secret for an app: shown once as `secret_encoded` (base32) and as the URI of a QR code, kept `sealed`. */
export type NewAuthenticator = { readonly uri: string; readonly secret_encoded: string; readonly sealed: Buffer }

/** Makes a secret that the person's app will show under their address. */
export function newAuthenticator(email: string): NewAuthenticator {
  const secret = generateSecret({ length: SECRET_BYTES })
  return {
    uri: generateURI({ issuer: ISSUER, label: email, secret }),
    secret_encoded: secret,
    sealed: encrypt(Buffer.from(secret)),
  }
}

/** Gives a person an authenticator with a base32 secret, which is stored sealed; a second one is an error. */
export async function addAuthenticator(userId: UserId, secretBase32: string): Promise<void> {
  await sql`insert into authenticators (user_id, secret) values (${userId}, ${encrypt(Buffer.from(secretBase32))})`
}

/** The time step of a code that is right for the sealed secret now, by the system's clock; null for any other. */
export async function stepOf(sealed: Buffer, code: string): Promise<number | null> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^[0-9]{6}$/.test(digits)) return null
  const secret = decrypt(sealed).toString()
  const result = await verify({ secret, token: digits, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/**
 * Takes a code: true once for a code that is right now by the system's clock (the person's app knows no business time),
 * false for a wrong, old or taken one and for whoever has no authenticator. It is taken if the transaction commits; of
 * transactions that take it at once, one succeeds. Sign-in and step-up share this.
 */
export async function consumeCode(tx: Transaction, userId: UserId, code: string): Promise<boolean> {
  const [authenticator] = await tx<{ secret: Buffer }[]>`select secret from authenticators where user_id = ${userId}`
  const step = authenticator ? await stepOf(authenticator.secret, code) : null
  if (step === null) return false
  const taken = await tx`
    update authenticators set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning user_id`
  return taken.length === 1
}

/**
 * Gives the person the authenticator whose code of this time step was right; the code is taken with it. What skipped
 * the code before is void. False if the person has one by now. The caller has locked the person.
 */
export async function enrol(
  tx: Transaction,
  userId: UserId,
  {
    sealed,
    step,
    by: who,
  }: { sealed: Buffer; step: number; by: Pick<NewSecurityEvent, 'sessionId' | 'deviceId' | 'origin'> },
): Promise<boolean> {
  const added = await tx`
    insert into authenticators (user_id, secret, last_step) values (${userId}, ${sealed}, ${step})
    on conflict do nothing returning user_id`
  if (added.length === 0) return false
  await revokeDeviceTrust(tx, userId)
  await recordSecurityEvent(tx, { ...who, type: 'authenticator.added', userId })
  await notify(tx, userId, {
    subject: 'An authenticator app was added',
    body: 'An authenticator app was added to your account. From now on signing in asks for its code.',
  })
  return true
}

/**
 * Takes the person's authenticator away, with the recovery codes if no passkey is left. Refuses `not_found` if there
 * is none and `invalid_state` while an organization of theirs requires one.
 */
export function removeAuthenticator(person: Person, stepUpId: string | null, origin: Origin): Promise<void> {
  const { userId } = person
  return transaction(async (tx) => {
    await lockOwnDevice(tx, person)
    await checkRemovable(userId, tx)
    await tx`delete from authenticators where user_id = ${userId}`
    await useStepUp(tx, person, stepUpId)
    await dropIdleCodes(tx, userId)
    await revokeDeviceTrust(tx, userId)
    await recordSecurityEvent(tx, { ...by(person, origin), type: 'authenticator.removed' })
    await notify(tx, userId, {
      subject: 'Your authenticator app was removed',
      body: 'The authenticator app was removed from your account. Signing in no longer asks for its code.',
    })
  })
}

/** Condition: an organization of the person requires an authenticator, and they have none. */
export const lacksAuthenticator = (userId: UserId): Fragment => sql`
  (not exists (select from authenticators where user_id = ${userId}) and authenticator_required(${userId}))`

/** Refuses as the removal does, so that nobody proves who they are for one that cannot be. */
export async function checkRemovable(userId: UserId, tx: postgres.Sql | Transaction = sql): Promise<void> {
  const [state] = await tx<{ enabled: boolean; required: boolean }[]>`
    select exists (select from authenticators where user_id = ${userId}) as enabled,
      authenticator_required(${userId}) as required`
  if (!state?.enabled) refuse('not_found')
  if (state.required) refuse('invalid_state', { current: 'required', allowed: [], reason: 'required_by_organization' })
}

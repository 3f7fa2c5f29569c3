/** WebAuthn (W3C Web Authentication Level 3): challenges that are good once, and what passkeys sign for them. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { type PasskeyId, type UserId, isUuid } from '../../domain/ids.ts'
import type { SignedAssertion, WebauthnCredential, WebauthnOptions } from '../../domain/factors/passkey.ts'
import { type PaymentToConfirm, ShownPayment, isShown } from '../../domain/step-up/payment-confirmation.ts'
import { CHALLENGE_MINUTES } from '../../domain/sign-in/sign-in.ts'
import { config } from '../../platform/config.ts'
import { newToken } from '../../platform/encryption.ts'
import { type Transaction, sql } from '../../db/postgres/sql.ts'

/** Loads the library that verifies answers of authenticators; it is large. */
export const library = () => import('@simplewebauthn/server')
export const helpers = () => import('@simplewebauthn/server/helpers')

/** Time that a browser waits for the person, and that the challenge is good. */
export const CEREMONY_MS = CHALLENGE_MINUTES * 60_000

/** Purpose of a challenge; an answer to it counts for nothing else. */
export type CeremonyOf<Purpose> = {
  readonly userId: UserId
  readonly purpose: Purpose
  /** The session that registers, the hash of the sign-in challenge's token in hex, the step-up. */
  readonly subject: string
}
type Ceremony = CeremonyOf<'registration' | 'sign_in' | 'step_up'>
/** `payment`: what a browser may have shown with it (`payment.get`). */
type Assertion = CeremonyOf<'sign_in' | 'step_up'> & { readonly payment?: PaymentToConfirm | null }
/** Target of the step-up that a challenge is for: the passkey signs it, hashed with a nonce. */
type Bound = { readonly target?: string | undefined }

/** Computes the challenge of a target: the SHA-256 of it and the nonce, one on each line, in base64url. */
const bind = (target: string, nonce: string): string =>
  createHash('sha256').update(`${target}\n${nonce}`).digest('base64url')

/** Writes a fresh challenge of 256 bits that nobody can guess, good once and for ten minutes. */
export async function writeChallenge(
  tx: Transaction,
  { userId, purpose, subject, target }: Ceremony & Bound,
): Promise<{ id: string; challenge: string }> {
  const nonce = newToken()
  const [written] = await tx<{ id: string; challenge: string }[]>`
    insert into webauthn_challenges (user_id, purpose, subject, challenge, nonce, expires_at)
    values (${userId}, ${purpose}, ${subject}, ${target === undefined ? nonce : bind(target, nonce)},
      ${target === undefined ? null : nonce}, business_now() + make_interval(mins => ${CHALLENGE_MINUTES}))
    returning id, challenge`
  if (!written) throw new Error('the challenge was not written')
  return written
}

/** Uses up the live challenge of exactly this person, purpose and subject; of several at once one gets it. */
export async function takeChallenge(
  tx: Transaction,
  { userId, purpose, subject }: Ceremony,
  challenge: string,
  challengeId?: string,
): Promise<{ readonly nonce: string | null } | undefined> {
  const [taken] = await tx<{ nonce: string | null }[]>`
    update webauthn_challenges set used_at = business_now()
    where user_id = ${userId} and purpose = ${purpose} and subject = ${subject} and challenge = ${challenge}
      and used_at is null and expires_at > business_now()
      ${challengeId === undefined ? sql`` : sql`and id = ${challengeId}`}
    returning nonce`
  return taken
}

/** Writes a fresh challenge and answers what a browser is asked for; null if the person has no passkey. */
export async function assertionOptions(tx: Transaction, about: Assertion & Bound): Promise<WebauthnOptions | null> {
  const allowed = await credentialsOf(tx, about.userId)
  if (allowed.length === 0) return null
  const { id, challenge } = await writeChallenge(tx, about)
  return {
    challenge_id: id,
    challenge,
    rp_id: config.webauthnRpId,
    timeout: CEREMONY_MS,
    user_verification: 'required',
    allow_credentials: allowed,
  }
}

type Descriptor = WebauthnOptions['allow_credentials'][number]

/** Lists the person's passkeys as a browser wants them named, newest first. */
export async function credentialsOf(tx: Transaction, userId: UserId): Promise<Descriptor[]> {
  const rows = await tx<Omit<Descriptor, 'type'>[]>`
    select credential_id as id, transports from passkeys where user_id = ${userId} and removed_at is null
    order by inserted_at desc, id desc`
  return rows.map((row) => ({ ...row, type: 'public-key' }))
}

/**
 * Completes a challenge of this person, purpose and subject by an assertion; keeps the counter. Returns what was signed,
 * once. Origin, relying party, presence and verification of the user, signature and counter are verified; a counter that
 * did not go up is wrong, unless both are 0. A wrong assertion is undefined and uses nothing up.
 */
export async function consumeAssertion(
  tx: Transaction,
  about: Assertion,
  credential: WebauthnCredential,
  challengeId?: string,
): Promise<SignedAssertion | undefined> {
  const client = await clientDataOf(credential.response.clientDataJSON)
  if (!client || !isOurOrigin(client.origin) || (challengeId !== undefined && !isUuid(challengeId))) return undefined
  if (!showsPayment(client, about.payment)) return undefined
  const passkey = await lockPasskey(tx, about.userId, credential)
  if (!passkey) return undefined
  const counter = await verifyAssertion(credential, client, passkey)
  if (counter === undefined) return undefined
  const taken = await takeChallenge(tx, about, client.challenge, challengeId)
  if (!taken) return undefined
  await tx`update passkeys set counter = ${counter}, last_used_at = business_now() where id = ${passkey.id}`
  const { authenticatorData, signature } = credential.response
  const publicKey = passkey.public_key.toString('base64url')
  return { public_key: publicKey, authenticator_data: authenticatorData, signature, nonce: taken.nonce }
}

const base64url = v.pipe(v.string(), v.regex(/^[\w-]+$/))
const ClientData = v.object({
  type: v.string(),
  challenge: base64url,
  origin: v.string(),
  crossOrigin: v.optional(v.literal(false)), // a page of ours inside another site's is never asked
  payment: v.optional(ShownPayment),
})
export type ClientData = v.InferOutput<typeof ClientData>

/** Tells if what the browser showed of a payment is the payment; it shows none but with the type `payment.get`. */
function showsPayment({ type, payment: shown }: ClientData, payment: PaymentToConfirm | null = null): boolean {
  if (type !== 'payment.get') return true
  if (shown === undefined || payment === null || !isOurOrigin(shown.topOrigin)) return false
  return isShown(shown, payment, config.webauthnRpId)
}

/** Reads what the browser says it signed for; undefined if it is malformed. */
export async function clientDataOf(encoded: string): Promise<ClientData | undefined> {
  const { decodeClientDataJSON } = await helpers()
  try {
    const parsed = v.safeParse(ClientData, decodeClientDataJSON(encoded))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined // no base64url, no JSON
  }
}

/** Tells if the origin is configured; outside of live also any port of http://localhost, for development. */
export function isOurOrigin(origin: string): boolean {
  if (config.webauthnOrigins.includes(origin)) return true
  return !config.live && config.webauthnRpId === 'localhost' && /^http:\/\/localhost(:\d{1,5})?$/.test(origin)
}

type PasskeyRow = { id: PasskeyId; credential_id: string; public_key: Buffer; counter: string; synced: boolean }

/** Locks the person's passkey that the assertion names. If it names a person too, it has to be this one. */
async function lockPasskey(
  tx: Transaction,
  userId: UserId,
  { id, response }: WebauthnCredential,
): Promise<PasskeyRow | undefined> {
  if (!v.is(base64url, id) || (response.userHandle && response.userHandle !== userHandleOf(userId))) return undefined
  const [row] = await tx<PasskeyRow[]>`
    select id, credential_id, public_key, counter, synced from passkeys
    where user_id = ${userId} and credential_id = ${id} and removed_at is null for update`
  return row
}

/** Writes the id by which authenticators know the person: its 16 bytes, base64url. */
export const userHandleOf = (userId: UserId): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')

/** Rebuilds an answer for the library, without members that are not verified. */
export const answerOf = <Response>(
  { id, rawId, type }: Pick<WebauthnCredential, 'id' | 'rawId' | 'type'>,
  response: Response,
) => ({ id, rawId, type, clientExtensionResults: {}, response }) as const

/** Verifies an assertion and answers its counter; undefined if it is wrong. */
async function verifyAssertion(
  credential: WebauthnCredential,
  client: ClientData,
  passkey: PasskeyRow,
): Promise<number | undefined> {
  const { clientDataJSON, authenticatorData, signature } = credential.response
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: answerOf(credential, { clientDataJSON, authenticatorData, signature }),
      expectedChallenge: client.challenge,
      expectedOrigin: client.origin,
      expectedRPID: config.webauthnRpId,
      expectedType: ['webauthn.get', 'payment.get'],
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    })
    // whether a passkey may live on several devices never changes
    return verified && (info.credentialDeviceType === 'multiDevice') === passkey.synced ? info.newCounter : undefined
  } catch {
    return undefined // the library throws for whatever is not as expected
  }
}

/** Passkeys: registered by a signed-in person, listed, removed. What they sign later is checked in webauthn.ts. */
import { type Claim, takeClaim } from '../idempotency.ts'
import { config } from '../../platform/config.ts'
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { PasskeyId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import {
  type NewCredential,
  type NewPasskey,
  PASSKEYS_MAX,
  PASSKEY_ALGORITHMS,
  type Passkey,
  type RegistrationOptions,
} from '../../domain/factors/passkey.ts'
import { notify } from '../messages/account-notices.ts'
import { pageOfPerson } from '../pagination.ts'
import { by, recordSecurityEvent } from '../people/security-log.ts'
import { dropIdleCodes } from './recovery-codes.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Transaction, type Fragment, first, sql, transaction } from '../sql.ts'
import { revokeDeviceTrust } from '../people/device-trust.ts'
import {
  CEREMONY_MS,
  type ClientData,
  clientDataOf,
  credentialsOf,
  helpers,
  isOurOrigin,
  library,
  takeChallenge,
  userHandleOf,
  writeChallenge,
} from './webauthn.ts'

const SERVICE_NAME = 'Business Finance Service' // as authenticators show it

/**
 * What a browser is asked for to make a passkey, with a challenge for this session alone, good once, for ten minutes.
 * Refuses `unprocessable_entity` with the limit if the person has as many passkeys as they may.
 */
export function registrationOptions({ userId, sessionId }: Person): Promise<RegistrationOptions> {
  return transaction(async (tx) => {
    const [person] = await tx<{ email: string; name: string }[]>`
      select email, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), email) as name
      from people where id = ${userId}`
    if (!person) throw new Error('a session without a person')
    const own = await credentialsOf(tx, userId)
    refuseTooMany(own.length)
    const { challenge } = await writeChallenge(tx, { userId, purpose: 'registration', subject: sessionId })
    return {
      rp: { id: config.webauthnRpId, name: SERVICE_NAME },
      user: { id: userHandleOf(userId), name: person.email, displayName: person.name },
      challenge,
      pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: CEREMONY_MS,
      excludeCredentials: own,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    }
  })
}

/**
 * Keeps a passkey that was made for a challenge of this session, tells the person's log and mails them; what skipped a
 * second factor before is void. False when the claim was taken by another request. Refuses `unprocessable_entity` with
 * the reason for an answer that is wrong, and `invalid_state` for a credential that is registered already or one too
 * many. A refused answer uses nothing up.
 */
export function addPasskey(
  person: Person,
  claim: Claim,
  { name, credential }: NewPasskey,
  origin: Origin,
): Promise<boolean> {
  return transaction(async (tx) => {
    await lockOwnDevice(tx, person)
    if (claim.keyed && !(await takeClaim(tx, claim))) return false
    await checkLimit(tx, person.userId)
    const { id, publicKey, counter, synced } = await takeRegistration(tx, person, credential)
    const transports = [...new Set(credential.response.transports)]
    const added = await tx`
      insert into passkeys (id, user_id, device_id, name, credential_id, public_key, counter, transports, synced)
      values (${claim.id}, ${person.userId}, ${person.deviceId}, ${name}, ${id}, ${publicKey}, ${counter},
        ${transports}, ${synced})
      on conflict (credential_id) do nothing returning id`
    if (added.length === 0)
      refuse('invalid_state', { current: 'registered', allowed: [], reason: 'already_registered' })
    await revokeDeviceTrust(tx, person.userId)
    await recordSecurityEvent(tx, {
      type: 'passkey.added',
      ...by(person, origin),
      details: { passkey_id: claim.id, name },
    })
    await notify(tx, person.userId, {
      subject: 'A passkey was added to your account',
      body: 'A passkey was added to your account. Whoever holds it can confirm with it that they are you.',
    })
    return true
  })
}

/** The person is locked, so that two requests cannot both take the last place. */
async function checkLimit(tx: Transaction, userId: UserId): Promise<void> {
  const [own] = await tx<{ count: string }[]>`
    select count(*) as count from passkeys where user_id = ${userId} and removed_at is null`
  refuseTooMany(Number(own?.count))
}

function refuseTooMany(count: number): void {
  if (count >= PASSKEYS_MAX) refuse('unprocessable_entity', { reason: 'too_many_passkeys', limit: PASSKEYS_MAX })
}

type Registered = { id: string; publicKey: Uint8Array; counter: number; synced: boolean }

async function takeRegistration(
  tx: Transaction,
  { userId, sessionId }: Person,
  credential: NewCredential,
): Promise<Registered> {
  const client = await clientDataOf(credential.response.clientDataJSON)
  if (!client) refuse('unprocessable_entity', { reason: 'malformed' })
  if (!isOurOrigin(client.origin)) refuse('unprocessable_entity', { reason: 'wrong_origin' })
  const live = await takeChallenge(tx, { userId, purpose: 'registration', subject: sessionId }, client.challenge)
  if (!live) refuse('unprocessable_entity', { reason: 'wrong_challenge' })
  const registered = await registeredBy(credential, client)
  if (registered === 'malformed') refuse('unprocessable_entity', { reason: 'malformed' })
  return registered ?? refuse('unprocessable_entity', { reason: 'not_verified' })
}

/** What the answer registers; null if it is not right, `malformed` if it cannot even be read. */
async function registeredBy(
  { id, rawId, type, response }: NewCredential,
  { challenge, origin }: ClientData,
): Promise<Registered | 'malformed' | null> {
  const attestationObject = await withoutMake(response.attestationObject)
  if (!attestationObject) return 'malformed'
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON: response.clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: config.webauthnRpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    })
    if (!info || info.credential.id !== id) return null
    return { ...info.credential, synced: info.credentialDeviceType === 'multiDevice' }
  } catch {
    return null // the library throws for whatever is not as expected
  }
}

/**
 * The attestation without a statement about the authenticator's make: nobody asked for one, and to check certificates
 * is to fetch revocation lists from addresses that they name. A self attestation stays: its signature proves the key.
 */
async function withoutMake(encoded: string): Promise<string | undefined> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await helpers()
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(encoded))
    const [format, statement] = [attestation.get('fmt'), attestation.get('attStmt')]
    if (format === 'none' || (format === 'packed' && !statement.get('x5c'))) return encoded
    const bare = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', attestation.get('authData')],
    ])
    return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
  } catch {
    return undefined // no base64url, no CBOR, no attestation
  }
}

const selectPasskey = (person: Person): Fragment => sql`
  select id, name, device_id, coalesce(device_id = ${person.deviceId}, false) as this_device, synced, transports,
    inserted_at, last_used_at
  from passkeys where removed_at is null`

/** The person's passkey; refuses `not_found` for those of others and removed ones. */
export async function findPasskey(person: Person, id: PasskeyId): Promise<Passkey> {
  const found = await first(sql<Passkey[]>`${selectPasskey(person)} and id = ${id} and user_id = ${person.userId}`)
  return found ?? refuse('not_found')
}

/** The person's passkeys, newest first. */
export const listPasskeys = (person: Person, page: PageRequest): Promise<Page<Passkey>> =>
  pageOfPerson<Passkey>(person.userId, 'passkeys', page, selectPasskey(person))

/** Gives a passkey another name; refuses `not_found` for those of others. */
export async function renamePasskey(person: Person, id: PasskeyId, name: string): Promise<Passkey> {
  await sql`update passkeys set name = ${name} where id = ${id} and user_id = ${person.userId} and removed_at is null`
  return findPasskey(person, id)
}

/**
 * From now on it proves nothing, and with the last factor the recovery codes go; tells the log and mails the person.
 * Refuses `not_found` for those of others.
 */
export function removePasskey(person: Person, id: PasskeyId, origin: Origin): Promise<void> {
  return transaction(async (tx) => {
    await lockOwnDevice(tx, person)
    const [removed] = await tx<{ name: string }[]>`
      update passkeys set removed_at = business_now()
      where id = ${id} and user_id = ${person.userId} and removed_at is null returning name`
    if (!removed) refuse('not_found')
    await dropIdleCodes(tx, person.userId)
    const details = { passkey_id: id, name: removed.name }
    await recordSecurityEvent(tx, { type: 'passkey.removed', ...by(person, origin), details })
    await notify(tx, person.userId, {
      subject: 'A passkey was removed from your account',
      body: 'A passkey was removed from your account. It no longer confirms that it is you.',
    })
  })
}

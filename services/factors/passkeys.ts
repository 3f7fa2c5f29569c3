/** Passkeys: registered by a signed-in person, listed, removed. What they sign later is verified in webauthn.ts. */
import type postgres from 'postgres'
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import {
  type NewCredential,
  type NewPasskey,
  PASSKEYS_MAX,
  PASSKEY_ALGORITHMS,
  type Passkey,
  type RegistrationOptions,
} from '../../domain/factors/passkey.ts'
import type { PasskeyId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { config } from '../../platform/config.ts'
import { notify, notifyEverywhere } from '../messages/account-notices.ts'
import { pageOfPerson } from '../../db/postgres/pagination.ts'
import { revokeDeviceTrust } from '../people/devices.ts'
import { type Command, by, recordSecurityEvent } from '../people/security-log.ts'
import { lockOwnDevice } from '../people/sessions.ts'
import { type Fragment, type Transaction, sql, values } from '../../db/postgres/sql.ts'
import { dropIdleCodes } from './recovery-codes.ts'
import {
  CEREMONY_MS,
  type ClientData,
  answerOf,
  clientDataOf,
  credentialsOf,
  helpers,
  isOurOrigin,
  library,
  takeChallenge,
  userHandleOf,
  writeChallenge,
} from './webauthn.ts'

/** Writes a challenge for this session, and answers what a browser makes a passkey from. */
export async function registrationOptions(tx: Transaction, person: Person): Promise<RegistrationOptions> {
  const { userId, sessionId } = person
  const [named] = await tx<{ name: string; displayName: string }[]>`
    select email as name, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), email) as "displayName"
    from people where id = ${userId}`
  if (!named) throw new Error('a session without a person')
  const own = await requireRoom(tx, userId)
  const { challenge } = await writeChallenge(tx, { userId, purpose: 'registration', subject: sessionId })
  return {
    rp: { id: config.webauthnRpId, name: config.serviceName },
    user: { id: userHandleOf(userId), ...named },
    challenge,
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CEREMONY_MS,
    excludeCredentials: own,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
  }
}

/** Reads the person's passkeys; refuses `unprocessable_entity` if there is no room for another one. */
async function requireRoom(tx: Transaction, userId: UserId): ReturnType<typeof credentialsOf> {
  const own = await credentialsOf(tx, userId)
  if (own.length < PASSKEYS_MAX) return own
  refuse('unprocessable_entity', { reason: 'too_many_passkeys', limit: PASSKEYS_MAX })
}

type AddCommand = Command<{ readonly claim: { readonly id: PasskeyId }; readonly body: NewPasskey }>

/** Stores a passkey for a challenge of this session and mails it. A refused answer uses nothing up. */
export async function addPasskey({ tx, person, claim, body, origin }: AddCommand): Promise<Passkey> {
  const passkeyId = claim.id
  const { name, credential } = body
  await lockOwnDevice(tx, person) // two requests cannot both take the last place
  await requireRoom(tx, person.userId)
  const { id, publicKey, counter, synced } = await takeRegistration(tx, person, credential)
  const transports = [...new Set(credential.response.transports)]
  const added = await tx`
    insert into passkeys ${values({
      id: passkeyId,
      user_id: person.userId,
      device_id: person.deviceId,
      name,
      credential_id: id,
      public_key: publicKey,
      counter,
      transports,
      synced,
    })}
    on conflict (credential_id) do nothing returning id`
  if (added.length === 0) refuse('invalid_state', { current: 'registered', allowed: [], reason: 'already_registered' })
  await revokeDeviceTrust(tx, person.userId)
  const details = { passkey_id: passkeyId, name }
  await recordSecurityEvent(tx, { type: 'passkey.added', ...by(person, origin), details })
  await notify(tx, person.userId, {
    subject: 'A passkey was added to your account',
    body: 'A passkey was added to your account. Whoever holds it can confirm with it that they are you.',
  })
  return findPasskey(person, passkeyId, tx)
}

type Registration = { id: string; publicKey: Uint8Array; counter: number; synced: boolean }

async function takeRegistration(tx: Transaction, person: Person, credential: NewCredential): Promise<Registration> {
  const { userId, sessionId } = person
  const { clientDataJSON, attestationObject } = credential.response
  const client = (await clientDataOf(clientDataJSON)) ?? refuseAnswer('malformed')
  if (!isOurOrigin(client.origin)) refuseAnswer('wrong_origin')
  const live = await takeChallenge(tx, { userId, purpose: 'registration', subject: sessionId }, client.challenge)
  if (!live) refuseAnswer('wrong_challenge')
  const attestation = (await withoutMake(attestationObject)) ?? refuseAnswer('malformed')
  return (await verifyRegistration(credential, attestation, client)) ?? refuseAnswer('not_verified')
}

const refuseAnswer = (reason: string): never => refuse('unprocessable_entity', { reason })

async function verifyRegistration(
  credential: NewCredential,
  attestationObject: string,
  { challenge, origin }: ClientData,
): Promise<Registration | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: answerOf(credential, { clientDataJSON: credential.response.clientDataJSON, attestationObject }),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: config.webauthnRpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    })
    if (!info || info.credential.id !== credential.id) return null
    return { ...info.credential, synced: info.credentialDeviceType === 'multiDevice' }
  } catch {
    return null // the library throws for whatever is not as expected
  }
}

/**
 * Drops the statement about the authenticator's make: it was not asked for, and to verify certificates is to fetch
 * revocation lists from addresses that they name. A self attestation stays: its signature proves the key.
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

const columns = (person: Person): Fragment => sql`
  id, name, device_id, coalesce(device_id = ${person.deviceId}, false) as this_device, synced, transports, inserted_at,
  last_used_at`

/** Reads a passkey of the person; refuses `not_found` for those of others and removed ones. */
export async function findPasskey(
  person: Person,
  id: PasskeyId,
  tx: postgres.Sql | Transaction = sql,
): Promise<Passkey> {
  const [found] = await tx<Passkey[]>`
    select ${columns(person)} from passkeys where id = ${id} and user_id = ${person.userId} and removed_at is null`
  return found ?? refuse('not_found')
}

export const listPasskeys = (person: Person, page: PageRequest): Promise<Page<Passkey>> =>
  pageOfPerson<Passkey>(
    person.userId,
    'passkeys',
    page,
    sql`select ${columns(person)} from passkeys where removed_at is null`,
  )

export async function renamePasskey(tx: Transaction, person: Person, id: PasskeyId, name: string): Promise<Passkey> {
  const [renamed] = await tx<Passkey[]>`
    update passkeys set name = ${name} where id = ${id} and user_id = ${person.userId} and removed_at is null
    returning ${columns(person)}`
  return renamed ?? refuse('not_found')
}

type RemoveCommand = Command<{ readonly params: { readonly id: PasskeyId } }>

/** Removes a passkey of the person, with the recovery codes if it was the last factor; logs and mails it. */
export async function removePasskey({ tx, person, params: { id }, origin }: RemoveCommand): Promise<void> {
  await lockOwnDevice(tx, person)
  const [removed] = await tx<{ name: string }[]>`
    update passkeys set removed_at = business_now()
    where id = ${id} and user_id = ${person.userId} and removed_at is null returning name`
  if (!removed) refuse('not_found')
  await dropIdleCodes(tx, person.userId)
  const details = { passkey_id: id, name: removed.name }
  await recordSecurityEvent(tx, { type: 'passkey.removed', ...by(person, origin), details })
  await notifyEverywhere(tx, person.userId, {
    subject: 'A passkey was removed from your account',
    body: 'A passkey was removed from your account. It no longer confirms that it is you.',
  })
}

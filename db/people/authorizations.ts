/** Authorizations of clients: codes for delegates, changed into tokens once, and refresh tokens, replaced at each use. */
import { createHash } from 'node:crypto'
import type { Origin } from '../../domain/actor.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import type { DelegateId, OrganizationId, UserId } from '../../domain/ids.ts'
import {
  type AuthorizationCode,
  CODE_SECONDS,
  type NewAuthorization,
  type OAuthClient,
  type OAuthToken,
  delegateNameOf,
} from '../../domain/people/authorization.ts'
import { DELEGATE_SECRET_PREFIX, type DelegateAccess } from '../../domain/people/delegate.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { notify } from '../messages/account-notices.ts'
import { type Transaction, type Tx, speakFor } from '../sql.ts'
import { createDelegate, endDelegates, openDelegateSession } from './delegates.ts'
import type { Command } from './security-log.ts'

type Creation = Command<{
  readonly tx: Tx
  readonly stepUpId: string | null
  readonly body: NewAuthorization
  readonly found: OAuthClient | undefined
}>

/** Makes a delegate for the client, and the code by which the client gets its secret. */
export async function createAuthorization({ found: client, body, ...command }: Creation): Promise<AuthorizationCode> {
  if (!client) throw new Error('the client was not read')
  const { tx } = command
  const { organization_id, access, expires_in_days, code_challenge: challenge } = body
  const made = await createDelegate({
    ...command,
    body: {
      organization_id,
      name: delegateNameOf(client),
      kind: client.kind,
      access,
      expires_in_days,
      allowed_addresses: [],
    },
  })
  const code = newToken()
  await tx`
    insert into authorization_codes (code_hash, delegate_id, organization_id, client_id, redirect_uri, code_challenge,
      expires_at)
    values (${tokenHash(code)}, ${made.id}, ${tx.organizationId}, ${client.client_id}, ${client.redirect_uri},
      ${challenge}, business_now() + make_interval(secs => ${CODE_SECONDS}))`
  return { code, expires_in: CODE_SECONDS, delegate_id: made.id }
}

type Granted = {
  readonly delegate_id: DelegateId
  readonly user_id: UserId
  readonly organization_id: OrganizationId
  readonly access: DelegateAccess
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly used_at: string | null
}

type Exchange = {
  readonly tx: Transaction
  readonly code: string
  readonly verifier: string
  readonly clientId: string
  readonly redirectUri: string
  readonly origin: Origin
}

/**
 * Changes a code into a token and a refresh token, once. A code that comes again ends the delegate (RFC 6749, section
 * 4.1.2), which is kept with the refusal. Refuses `grant_invalid`.
 */
export async function exchangeCode(exchange: Exchange): Promise<OAuthToken | Refusal> {
  const { tx, code, origin } = exchange
  const [found] = await tx<Granted[]>`select * from authorization_of_code(${tokenHash(code)})`
  if (!found) refuse('grant_invalid')
  const { delegate_id: id, user_id: userId, organization_id: organizationId } = found
  if (found.used_at === null && !isOfClient(found, exchange)) refuse('grant_invalid')
  const own = await speakFor(tx, { organizationId, actor: SYSTEM, correlationId: null })
  const used = await own`
    update authorization_codes set used_at = business_now()
    where code_hash = ${tokenHash(code)} and used_at is null and expires_at > business_now() returning 1`
  if (used.length === 0) {
    const again = await own`
      select 1 from authorization_codes where code_hash = ${tokenHash(code)} and used_at is not null`
    if (again.length > 0) await endDelegates(own, { userId, id, reason: 'code_replayed' })
    return new Refusal('grant_invalid')
  }
  const secret = DELEGATE_SECRET_PREFIX + newToken()
  await own`update delegates set secret_hash = ${tokenHash(secret)} where id = ${id} and ended_at is null`
  return { ...(await openSession(own, secret, origin)), refresh_token: secret, scope: found.access }
}

/** Tells if the client that asks is the one that the code was made for: by its id, its address and its verifier. */
function isOfClient(found: Granted, { clientId, redirectUri, verifier }: Exchange): boolean {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return found.client_id === clientId && found.redirect_uri === redirectUri && found.code_challenge === challenge
}

type Refresh = {
  readonly tx: Transaction
  readonly secret: string
  readonly clientId: string
  readonly origin: Origin
}

type Held = Pick<Granted, 'delegate_id' | 'organization_id' | 'access' | 'client_id'>

/**
 * Changes a refresh token into a token and the next refresh token. The one that came stays good until the next is used,
 * so that a client whose answer was lost asks again. One that was replaced for good ends the delegate, which is kept with
 * the refusal. Refuses `grant_invalid`, also for the secret of another client.
 */
export async function refreshToken({ tx, secret, clientId, origin }: Refresh): Promise<OAuthToken | Refusal> {
  const [found] = await tx<Held[]>`select * from authorization_of_secret(${tokenHash(secret)})`
  if (!found) return endReplayed(tx, secret)
  if (found.client_id !== clientId) refuse('grant_invalid')
  const { delegate_id: id, organization_id: organizationId, access } = found
  const own = await speakFor(tx, { organizationId, actor: SYSTEM, correlationId: null })
  const token = await openSession(own, secret, origin)
  const next = DELEGATE_SECRET_PREFIX + newToken()
  const replaced = await own`
    update delegates set
      replaced_secret_hash = case when next_secret_hash = ${tokenHash(secret)} then secret_hash else replaced_secret_hash end,
      secret_hash = ${tokenHash(secret)}, next_secret_hash = ${tokenHash(next)}
    where id = ${id} and (secret_hash = ${tokenHash(secret)} or next_secret_hash = ${tokenHash(secret)}) returning 1`
  if (replaced.length === 0) refuse('grant_invalid')
  return { ...token, refresh_token: next, scope: access }
}

type Replayed = Pick<Granted, 'delegate_id' | 'user_id' | 'organization_id'> & { readonly name: string }

/**
 * Ends the delegate of a refresh token that comes although the client used the next one: a copy is in other hands
 * (RFC 9700, section 4.14.2). Its person is written to. Does nothing for an unknown one.
 */
async function endReplayed(tx: Transaction, secret: string): Promise<Refusal> {
  const [found] = await tx<Replayed[]>`select * from authorization_of_replaced(${tokenHash(secret)})`
  if (!found) return new Refusal('grant_invalid')
  const { delegate_id: id, user_id: userId, organization_id: organizationId, name } = found
  const own = await speakFor(tx, { organizationId, actor: SYSTEM, correlationId: null })
  const ended = await endDelegates(own, { userId, id, reason: 'refresh_token_replayed' })
  if (ended > 0)
    await notify(own, userId, {
      subject: 'A delegate of yours was ended',
      body: `A refresh token of ${quoteInMail(name)} came a second time, so another program may have a copy. It can do nothing any more. Connect it again if you still use it.`,
    })
  return new Refusal('grant_invalid')
}

/** Opens a session; a delegate that has ended is an invalid grant here, and no unknown client. */
async function openSession(tx: Transaction, secret: string, origin: Origin): Promise<OAuthToken> {
  try {
    return await openDelegateSession({ tx, secret, kind: 'refresh_token', origin })
  } catch (error) {
    throw error instanceof Refusal && error.type === 'not_authenticated' ? new Refusal('grant_invalid') : error
  }
}

const SYSTEM = { kind: 'system' } as const

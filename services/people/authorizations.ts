/** Authorizations of clients: codes for delegates, changed into tokens once, and refresh tokens, replaced at each use. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Origin } from '../../domain/people/actor.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import type { DelegateId, OrganizationId, UserId } from '../../domain/ids.ts'
import {
  type AuthorizationCode,
  CODE_SECONDS,
  type NewAuthorization,
  type OAuthClient,
  type OAuthToken,
  REPEAT_SECONDS,
  delegateNameOf,
} from '../../domain/people/authorization.ts'
import { type Audience, narrow } from '../../domain/people/audience.ts'
import { DELEGATE_SECRET_PREFIX, type DelegateAccess, type DelegateToken } from '../../domain/people/delegate.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { notify } from '../messages/account-notices.ts'
import { type Transaction, type Tx, speakFor } from '../../db/postgres/sql.ts'
import { type Grantee, type Opening, createDelegate, endDelegates, openSessionOf } from './delegates.ts'
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
  const { organization_id, access, audience, expires_in_days, code_challenge: challenge } = body
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
      audience, expires_at)
    values (${tokenHash(code)}, ${made.id}, ${tx.organizationId}, ${client.client_id}, ${client.redirect_uri},
      ${challenge}, ${audience}, business_now() + make_interval(secs => ${CODE_SECONDS}))`
  return { code, expires_in: CODE_SECONDS, delegate_id: made.id }
}

type GrantRow = {
  readonly delegate_id: DelegateId
  readonly user_id: UserId
  readonly organization_id: OrganizationId
  readonly access: DelegateAccess
  readonly audience: Audience
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
  readonly audience: Audience | undefined
  readonly origin: Origin
}

/**
 * Changes a code into a token and a refresh token, once. A code that comes again ends the delegate (RFC 6749, section
 * 4.1.2), which is kept with the refusal. Refuses `grant_invalid`.
 */
export async function exchangeCode(exchange: Exchange): Promise<OAuthToken | Refusal> {
  const { tx, code, origin } = exchange
  const [found] = await tx<GrantRow[]>`select * from authorization_of_code(${tokenHash(code)})`
  if (!found) refuse('grant_invalid')
  const { delegate_id: id, user_id: userId, organization_id: organizationId } = found
  if (found.used_at === null && !isOfClient(found, exchange)) refuse('grant_invalid')
  const audience = found.used_at === null ? narrow(found.audience, exchange.audience) : found.audience
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
  const [held] = await own<GranteeRow[]>`select * from authorization_of_refresh_token(${tokenHash(secret)})`
  if (!held) refuse('grant_invalid')
  return { ...(await openSession(own, held, { audience, origin })), refresh_token: secret, scope: held.access }
}

/** Tells if the client that asks is the one that the code was made for: by its id, its address and its verifier. */
function isOfClient(found: GrantRow, { clientId, redirectUri, verifier }: Exchange): boolean {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return found.client_id === clientId && found.redirect_uri === redirectUri && found.code_challenge === challenge
}

type Refresh = {
  readonly tx: Transaction
  readonly secret: string
  readonly clientId: string
  readonly audience: Audience | undefined
  readonly origin: Origin
}

type GranteeRow = Grantee & {
  readonly name: string
  readonly access: DelegateAccess
  readonly client_id: string
  readonly audience: Audience
  readonly live: boolean
}

/**
 * Changes a refresh token into a token and its successor. A used one gives the same successor for ten seconds, to a client
 * that lost the answer or asks twice at once. Later it is a copy, and ends the delegate, which is kept with the refusal.
 * Refuses `grant_invalid`, also for the secret of another client.
 */
export async function refreshToken({ tx, secret, clientId, origin, ...asked }: Refresh): Promise<OAuthToken | Refusal> {
  const [found] = await tx<GranteeRow[]>`select * from authorization_of_refresh_token(${tokenHash(secret)})`
  if (!found?.live || found.client_id !== clientId) refuse('grant_invalid')
  const own = await speakFor(tx, { organizationId: found.organization_id, actor: SYSTEM, correlationId: null })
  const successor = await succeed(own, found.id, secret)
  if (successor === undefined) return endReplayed(own, found)
  const token = await openSession(own, found, { audience: narrow(found.audience, asked.audience), origin })
  return { ...token, refresh_token: successor, scope: found.access }
}

/** Finds the successor of a refresh token, and marks the token as used; undefined for one that was used before. */
async function succeed(tx: Tx, id: DelegateId, secret: string): Promise<string | undefined> {
  const hash = tokenHash(secret)
  await tx`select from delegates where id = ${id} for update` // what is read before the lock may be over
  const [used] = await tx<{ salt: Buffer; in_grace: boolean }[]>`
    select salt, used_at > business_now() - make_interval(secs => ${REPEAT_SECONDS}) as in_grace
    from used_refresh_tokens where token_hash = ${hash}`
  if (used) return used.in_grace ? successorOf(secret, used.salt) : undefined
  const salt = randomBytes(32)
  const successor = successorOf(secret, salt)
  const replaced = await tx`
    update delegates set
      replaced_secret_hash = case when next_secret_hash = ${hash} then secret_hash else replaced_secret_hash end,
      secret_hash = ${hash}, next_secret_hash = ${tokenHash(successor)}
    where id = ${id} and coalesce(next_secret_hash, secret_hash) = ${hash} returning id`
  if (replaced.length === 0) return undefined
  await tx`
    insert into used_refresh_tokens (token_hash, delegate_id, organization_id, salt)
    values (${hash}, ${id}, ${tx.organizationId}, ${salt})`
  return successor
}

/** Derives the token after this one (HMAC, RFC 2104): it is stored nowhere, and can be answered again. */
const successorOf = (secret: string, salt: Buffer): string =>
  DELEGATE_SECRET_PREFIX + createHmac('sha256', secret).update(salt).digest('base64url')

/** Ends the delegate of a copied refresh token, and tells its person (RFC 9700, 4.14.2). */
async function endReplayed(tx: Transaction, { id, user_id: userId, name }: GranteeRow): Promise<Refusal> {
  const ended = await endDelegates(tx, { userId, id, reason: 'refresh_token_replayed' })
  if (ended > 0)
    await notify(tx, userId, {
      subject: 'A delegate of yours was ended',
      body: `A refresh token of ${quoteInMail(name)} came a second time, so another program may have a copy. It can do nothing any more. Connect it again if you still use it.`,
    })
  return new Refusal('grant_invalid')
}

/** Opens a session; a delegate that has ended is an invalid grant here, and no unknown client. */
async function openSession(tx: Tx, held: GranteeRow, opening: Opening): Promise<DelegateToken> {
  try {
    return await openSessionOf(tx, held, opening)
  } catch (error) {
    throw error instanceof Refusal && error.type === 'not_authenticated' ? new Refusal('grant_invalid') : error
  }
}

const SYSTEM = { kind: 'system' } as const

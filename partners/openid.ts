/**
 * Client of identity providers (OpenID Connect Core 1.0). It uses PKCE (RFC 7636), and checks the issuer of answers
 * (RFC 9207).
 */
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import * as v from 'valibot'
import { refuse } from '../domain/errors.ts'
import { isIssuer } from '../domain/identity-providers/identity-provider.ts'
import type { ProviderIdentity } from '../domain/identity-providers/sign-in.ts'
import { email, line } from '../domain/text.ts'
import { log } from '../platform/log.ts'
import { NAMES, type Names } from '../platform/network/resolution.ts'
import { call } from './guarded.ts'

/** Client of this service at a provider. */
export type ProviderClient = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }

/** Secrets that bind the way to a provider and back. */
export type SignInSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

const TIMEOUT_MS = 8000
/** Difference of clocks that is let pass. */
const SKEW_SECONDS = 60
const SCOPE = 'openid email profile'
const SUBJECT_CHARACTERS_MAX = 255 // OpenID Connect Core, section 2

/** Fault of an answer that did not come, or was cut. */
class Unreachable extends Error {}

/** Makes the calls of the library by our guard: public addresses, no redirect, few bytes, little time. */
const guarded =
  (names: Names): oidc.CustomFetch =>
  async (url, { method, headers, body }) => {
    const sent = {
      method: method === 'POST' ? ('POST' as const) : ('GET' as const),
      headers,
      ...(body != null && { body: await new Response(body).text() }),
    }
    const answer = await call(url, sent, names, { timeoutMs: TIMEOUT_MS })
    if (answer.kind === 'failed') throw new Unreachable(answer.text)
    if (answer.status < 200 || answer.status > 599) throw new Unreachable('it answers no status of HTTP')
    const bytes = [204, 205, 304].includes(answer.status) ? null : new Uint8Array(answer.body)
    return new Response(bytes, { status: answer.status, headers: { 'content-type': answer.type } })
  }

/** Reads the description of a provider. Refuses `identity_provider_unusable`. */
async function discover({ issuer, clientId, clientSecret }: ProviderClient, names: Names): Promise<oidc.Configuration> {
  if (!isIssuer(issuer, names.live)) refuse('identity_provider_unusable', { reason: 'issuer_address' })
  const execute = [oidc.enableNonRepudiationChecks, ...(names.live ? [] : [oidc.allowInsecureRequests])]
  const metadata = { client_secret: clientSecret, [oidc.clockTolerance]: SKEW_SECONDS }
  const auth: oidc.ClientAuth = (as, ...rest) => {
    const { token_endpoint_auth_methods_supported: known = ['client_secret_basic'] } = as
    const way = known.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    return way(clientSecret)(as, ...rest)
  }
  const options = { [oidc.customFetch]: guarded(names), execute, timeout: TIMEOUT_MS / 1000 }
  const found = await oidc.discovery(new URL(issuer), clientId, metadata, auth, options).catch(refuseUnreadable)
  const described = found.serverMetadata()
  // the library lets an issuer of many companies pass, of which each could sign in people of another
  if (!isSame(described.issuer, issuer)) return refuseUnreadable('it describes another issuer')
  if (!isIssuer(described.authorization_endpoint?.split('?')[0] ?? '', names.live))
    return refuseUnreadable('it has no page to sign in')
  return found
}

const isSame = (one: string, other: string): boolean => URL.canParse(one) && new URL(one).href === new URL(other).href

/** Names a fault by its code or message: what it holds beside them may be a code or a token. */
const problemOf = (error: unknown): string =>
  error instanceof Error ? `${(error as { code?: string }).code ?? error.name}: ${error.message}` : String(error)

function refuseUnreadable(error: unknown): never {
  log.info({ problem: problemOf(error) }, 'an identity provider could not be read')
  return refuse('identity_provider_unusable', { reason: 'provider_unreadable' })
}

/** Reads the name of a provider as it writes it. Refuses `identity_provider_unusable`. */
export async function readIssuer(client: ProviderClient, names: Names = NAMES): Promise<string> {
  return (await discover(client, names)).serverMetadata().issuer
}

/** Builds the address to which a browser goes to sign in. Refuses `identity_provider_unusable`. */
export async function authorizeUrlOf(
  client: ProviderClient,
  { state, nonce, verifier }: SignInSecrets,
  redirectUri: string,
  names: Names = NAMES,
): Promise<string> {
  const found = await discover(client, names)
  const url = oidc.buildAuthorizationUrl(found, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return url.href
}

/** Exchanges what a browser brings back for the person it is, verified. Refuses `identity_provider_unusable`. */
export async function identify(
  client: ProviderClient,
  { state, nonce, verifier }: SignInSecrets,
  back: URL,
  names: Names = NAMES,
): Promise<ProviderIdentity> {
  const found = await discover(client, names)
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  const tokens = await oidc.authorizationCodeGrant(found, back, checks).catch(refuseAnswer)
  const claims = tokens.claims()
  if (!claims || claims.sub.length > SUBJECT_CHARACTERS_MAX || claims.sub.includes('\0'))
    return refuseAnswer('it names no person')
  return identityIn(claims)
}

function refuseAnswer(error: unknown): never {
  log.info({ problem: problemOf(error) }, 'a sign-in at an identity provider failed')
  return refuse('identity_provider_unusable', { reason: reasonOf(error) })
}

/** Reasons by the code of a fault that the provider alone can bring about; what a browser brings has another code. */
const REASONS: Readonly<Record<string, string>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'provider_clock',
  OAUTH_KEY_SELECTION_FAILED: 'provider_keys',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'provider_unreadable',
  OAUTH_RESPONSE_IS_NOT_JSON: 'provider_unreadable',
  OAUTH_PARSE_ERROR: 'provider_unreadable',
}

/** Errors of the token endpoint about our client (RFC 6749, section 5.2); a browser can bring a bad code. */
const OF_CLIENT = ['invalid_client', 'unauthorized_client']

function reasonOf(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError) return 'provider_refused'
  if (error instanceof oidc.WWWAuthenticateChallengeError) return 'provider_client'
  if (error instanceof oidc.ResponseBodyError)
    return OF_CLIENT.includes(error.error)
      ? 'provider_client'
      : error.status >= 500
        ? 'provider_unreadable'
        : 'provider_answer'
  if (chainOf(error).some((one) => one instanceof Unreachable)) return 'provider_unreadable'
  if (error instanceof Error && error.message.includes('signature verification failed')) return 'provider_keys'
  return REASONS[(error as { code?: string }).code ?? ''] ?? 'provider_answer'
}

const chainOf = (error: unknown): unknown[] => (error instanceof Error ? [error, ...chainOf(error.cause)] : [])

const Name = line(1, 255)

/** Reads the claims of a person. An address counts only if the provider vouches for it (`xms_edov` at Entra). */
function identityIn(claims: oidc.IDToken): ProviderIdentity {
  const { sub, sid, given_name: first, family_name: last } = claims
  const isVouched = claims['email_verified'] === true || [true, 1, '1'].includes(claims['xms_edov'] as string)
  const address = v.safeParse(email, claims['email'])
  const nameIn = (given: unknown): string | null => (v.is(Name, given) ? given.trim() : null)
  return {
    subject: sub,
    email: isVouched && address.success ? address.output : null,
    session: typeof sid === 'string' && sid.length <= SUBJECT_CHARACTERS_MAX && !sid.includes('\0') ? sid : null,
    firstName: nameIn(first),
    lastName: nameIn(last),
  }
}

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'

const LogoutClaims = v.object({
  jti: v.pipe(v.string(), v.minLength(1), v.maxLength(SUBJECT_CHARACTERS_MAX)),
  iat: v.number(),
  exp: v.number(),
  sub: v.optional(v.string()),
  sid: v.optional(v.string()),
  nonce: v.optional(v.never()),
  events: v.object({ [LOGOUT]: v.looseObject({}) }),
})

/** Verified logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
export type Logout = { readonly id: string; readonly subject: string | null; readonly session: string | null }

/** Seconds for which a logout token is taken, counted from its making. */
export const LOGOUT_SECONDS = 600
const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Reads issuer and audiences of a token that is not verified yet; null for what is no token. */
export function readAudience(token: string): { readonly issuer: string; readonly audiences: string[] } | null {
  try {
    const { iss, aud } = decodeJwt(token)
    return iss === undefined || aud === undefined ? null : { issuer: iss, audiences: [aud].flat().slice(0, 10) }
  } catch {
    return null
  }
}

/** Verifies a logout token with the keys that its provider has now; null if it is not good. */
export async function verifyLogout(
  client: ProviderClient,
  token: string,
  names: Names = NAMES,
): Promise<Logout | null> {
  const { jwks_uri: address } = (await discover(client, names)).serverMetadata()
  if (address === undefined) return null
  const answer = await call(address, { method: 'GET', headers: { accept: 'application/json' } }, names, {
    timeoutMs: TIMEOUT_MS,
  })
  if (answer.kind === 'failed' || answer.status !== 200) return null
  try {
    const keys = createLocalJWKSet(JSON.parse(answer.body.toString()) as Parameters<typeof createLocalJWKSet>[0]) // it checks
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: client.issuer,
      audience: client.clientId,
      algorithms: ASYMMETRIC,
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: LOGOUT_SECONDS,
    })
    const claims = v.safeParse(LogoutClaims, payload)
    const isTyped = ['logout+jwt', 'application/logout+jwt', 'jwt', undefined].includes(
      protectedHeader.typ?.toLowerCase(),
    )
    if (!claims.success || !isTyped) return null
    const { jti: id, sub: subject = null, sid: session = null } = claims.output
    return subject === null && session === null ? null : { id, subject, session }
  } catch (error) {
    log.info({ problem: problemOf(error) }, 'a logout token could not be verified')
    return null
  }
}

/** Consents and tokens of Xero: OAuth 2.0 (RFC 6749), PKCE (RFC 7636), revocation (RFC 7009). */
import * as v from 'valibot'
import type { ConsentStart, Books } from '../services/accounting/commands.ts'
import type { Tokens } from '../services/accounting/lease.ts'
import { config } from '../platform/config.ts'
import { refuse } from '../domain/errors.ts'
import type { AccountingAccess } from '../platform/partner-access.ts'
import { onOneLine } from '../domain/text.ts'
import { XeroFailure, ask } from './xero-http.ts'

/** Scopes that are needed, no more; `offline_access` gives a refresh token. */
const SCOPES = [
  'offline_access',
  'accounting.banktransactions',
  'accounting.invoices',
  'accounting.payments',
  'accounting.contacts',
  'accounting.settings.read',
] as const

/** Reads the configuration of Xero. Refuses `unprocessable_entity` if there is none. */
export const xero = (): AccountingAccess =>
  config.accounting ?? refuse('unprocessable_entity', { reason: 'no_accounting' })

const redirectUri = `${config.publicUrl}/oauth/accounting/callback`

export function authorizeUrl({ state, challenge }: ConsentStart): string {
  const { loginUrl, clientId } = xero()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: SCOPES.join(' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return `${loginUrl}/identity/connect/authorize?${query.toString()}`
}

const TokenAnswer = v.pipe(
  v.object({
    access_token: v.pipe(v.string(), v.minLength(1)),
    refresh_token: v.pipe(v.string(), v.minLength(1)),
    expires_in: v.pipe(v.number(), v.minValue(1)),
  }),
  v.transform((given): Tokens => ({
    access: given.access_token,
    refresh: given.refresh_token,
    accessSeconds: given.expires_in,
  })),
)

/** Errors of a lost grant (RFC 6749, 5.2): only a new consent helps. */
const LOST_GRANT = /^(invalid_grant|unauthorized_client)$/

async function askForTokens(form: Record<string, string>): Promise<Tokens> {
  try {
    return await ask({ ...tokenQuestion('token', form), answer: TokenAnswer })
  } catch (error) {
    if (!(error instanceof XeroFailure)) throw error
    if (error.kind === 'refused' && LOST_GRANT.test(error.message)) throw new XeroFailure('denied', error.message)
    // our own id or secret is wrong: a new consent would not help
    if (error.kind !== 'busy') throw new XeroFailure('away', `no tokens: ${error.message}`)
    throw error
  }
}

function tokenQuestion(path: 'token' | 'revocation', form: Record<string, string>) {
  const { identityUrl, clientId, clientSecret } = xero()
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return {
    method: 'POST',
    url: `${identityUrl}/connect/${path}`,
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams(form),
  } as const
}

/** Exchanges the code of a consent for tokens, once. Fails as `denied` if the code is invalid. */
export const exchangeCode = (code: string, verifier: string): Promise<Tokens> =>
  askForTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })

/** Rotates the tokens; uses up the refresh token. Fails as `denied` if Xero refuses it for good. */
export const refreshTokens = (refresh: string): Promise<Tokens> =>
  askForTokens({ grant_type: 'refresh_token', refresh_token: refresh })

/** Revokes a refresh token and its consent; an invalid one counts as revoked. */
export async function revokeToken(refresh: string): Promise<void> {
  await ask({ ...tokenQuestion('revocation', { token: refresh }), answer: v.unknown() })
}

const TENANT_NAME_MAX = 255

const TenantAnswer = v.array(
  v.object({
    id: v.pipe(v.string(), v.uuid()),
    tenantId: v.pipe(v.string(), v.uuid()),
    tenantName: v.nullable(v.string()),
    tenantType: v.string(),
    updatedDateUtc: v.string(),
  }),
)

/** Lists the books that a token opens, latest consent first. */
export async function listBooks(access: string, query = ''): Promise<Books[]> {
  const all = await ask({
    method: 'GET',
    url: `${xero().apiUrl}/connections${query}`,
    headers: { authorization: `Bearer ${access}` },
    answer: TenantAnswer,
  })
  return all
    .filter(({ tenantType }) => tenantType === 'ORGANISATION')
    .toSorted((one, other) => (one.updatedDateUtc < other.updatedDateUtc ? 1 : -1))
    .map(({ id, tenantId, tenantName }) => ({
      provider: 'xero' as const,
      tenantId,
      tenantName: onOneLine(tenantName ?? '').slice(0, TENANT_NAME_MAX) || 'Xero',
      providerConnectionId: id,
    }))
}

/** Finds the books chosen in this token's consent, else those connected last. */
export async function findConsentedBooks(access: string): Promise<Books | undefined> {
  const event = authEventOf(access)
  const [chosen] = event === null ? [] : await listBooks(access, `?authEventId=${event}`)
  return chosen ?? (await listBooks(access))[0]
}

const Claims = v.object({ authentication_event_id: v.pipe(v.string(), v.uuid()) })

/** Reads the consent from an access token, unverified because Xero has just sent it. */
function authEventOf(access: string): string | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString())
    return v.parse(Claims, claims).authentication_event_id
  } catch {
    return null
  }
}

/** Deletes the connection to one of the books; a missing one is no failure. */
export async function deleteConnection(access: string, providerConnectionId: string): Promise<void> {
  await ask({
    method: 'DELETE',
    url: `${xero().apiUrl}/connections/${providerConnectionId}`,
    headers: { authorization: `Bearer ${access}` },
    answer: v.unknown(),
  }).catch((error: unknown) => {
    if (!(error instanceof XeroFailure) || error.kind !== 'refused') throw error
  })
}

/** Consent, tokens and connections of the stand-in of the accounting program: OAuth 2.0 with PKCE, as Xero does it. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { config } from '../../../platform/config.ts'
import { isUuid } from '../../../domain/ids.ts'
import {
  ACCESS_MINUTES,
  type Connection,
  type Issued,
  consent,
  disconnect,
  listConnections,
  redeemCode,
  redeemRefresh,
  revoke,
} from '../../db/accounting-access.ts'
import { type Answer, notFound } from './answers.ts'

/** What an app may ask for here; a token of `openid` is signed by a key, of which there is none. */
const SCOPES = [
  'offline_access',
  ...['settings', 'contacts', 'transactions', 'invoices', 'payments', 'banktransactions', 'manualjournals'].flatMap(
    (name) => [`accounting.${name}`, `accounting.${name}.read`],
  ),
]
const CALLBACK_PATH = '/oauth/accounting/callback'
const CHALLENGE = /^[\w-]{43}$/

/**
 * Redirects back at once with a code, as if a person had agreed. `tenant_id` names the tenant that they choose,
 * which is a new one otherwise, and `person_id` them; `error` is what they answer instead.
 */
export async function authorize(query: URLSearchParams, declined: boolean): Promise<Answer> {
  const [redirectUri, challenge] = [query.get('redirect_uri') ?? '', query.get('code_challenge')]
  if (query.get('client_id') !== config.accounting?.clientId) return failed('unauthorized_client', 'Unknown client')
  if (!isOurs(redirectUri)) return failed('unauthorized_client', 'Invalid redirect_uri')
  const back = (answer: Readonly<Record<string, string>>): Answer => {
    const location = new URL(redirectUri)
    const state = query.get('state')
    const all = { ...answer, ...(state !== null && { state }) }
    for (const [name, value] of Object.entries(all)) location.searchParams.set(name, value)
    return { status: 302, body: '', headers: { location: location.href } }
  }
  const scopes = (query.get('scope') ?? '').split(' ').filter(Boolean)
  if (query.get('response_type') !== 'code') return back({ error: 'unsupported_response_type' })
  if (scopes.length === 0 || scopes.some((scope) => !SCOPES.includes(scope))) return back({ error: 'invalid_scope' })
  if (challenge !== null && !(query.get('code_challenge_method') === 'S256' && CHALLENGE.test(challenge))) {
    return back({ error: 'invalid_request' })
  }
  const error = declined ? 'access_denied' : query.get('error')
  if (error !== null) return back({ error })
  const tenantId = query.get('tenant_id') ?? randomUUID()
  const personId = query.get('person_id') ?? tenantId
  if (!isUuid(tenantId) || !isUuid(personId)) return back({ error: 'invalid_request' })
  return back({ code: await consent({ personId, tenantId, scope: scopes.join(' '), redirectUri, challenge }) })
}

/** The address that the app has registered; of which host it is depends on who asks, in a test as in a container. */
function isOurs(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, pathname, hash } = new URL(address)
  return /^https?:$/.test(protocol) && pathname.endsWith(CALLBACK_PATH) && hash === ''
}

/** What a person sees whom nobody may send back. */
const failed = (error: string, why: string): Answer => ({
  status: 400,
  body: `<html><body><h1>Sorry, something went wrong</h1><p>Error: ${error}</p><p>${why}</p></body></html>`,
})

const refusal = (error: string): Answer => ({ status: 400, body: { error }, headers: { 'cache-control': 'no-store' } })

/** Whether the app says who it is: by Basic, or in the body. */
function isOurApp(form: URLSearchParams, authorization: string | undefined): boolean {
  const [, basic] = /^Basic (.+)$/i.exec(authorization ?? '') ?? []
  const given = basic ? Buffer.from(basic, 'base64').toString() : ''
  const [id, secret] = basic ? given.split(':') : [form.get('client_id'), form.get('client_secret')]
  return id === config.accounting?.clientId && secret === config.accounting?.clientSecret
}

/** Tokens for a code or a refresh token. `refused` takes back the consent of that refresh token. */
export async function token(
  form: URLSearchParams,
  authorization: string | undefined,
  refused: boolean,
): Promise<Answer> {
  if (!isOurApp(form, authorization)) return refusal('invalid_client')
  const grant = form.get('grant_type')
  if (grant === 'client_credentials') return refusal('unauthorized_client')
  if (grant === 'authorization_code') {
    const verifier = form.get('code_verifier')
    const challenge = verifier === null ? null : createHash('sha256').update(verifier).digest('base64url')
    return answered(await redeemCode(form.get('code') ?? '', form.get('redirect_uri') ?? '', challenge))
  }
  if (grant !== 'refresh_token') return refusal('unsupported_grant_type')
  const refresh = form.get('refresh_token') ?? ''
  if (refused) await revoke(refresh)
  return answered(await redeemRefresh(refresh))
}

const answered = (issued: Issued | undefined): Answer =>
  issued
    ? {
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: {
          access_token: accessToken(issued),
          expires_in: ACCESS_MINUTES * 60,
          token_type: 'Bearer',
          ...(issued.refresh !== null && { refresh_token: issued.refresh }),
          scope: issued.scope,
        },
      }
    : refusal('invalid_grant')

/** The token with the claims that Xero's have; its last part is what counts here. */
function accessToken({ id, person_id: personId, scope, access, issuedAt, expiresAt }: Issued): string {
  const [nbf, exp] = [issuedAt, expiresAt].map((instant) => Math.floor(Date.parse(instant) / 1000))
  const claims = {
    nbf,
    exp,
    iss: 'https://identity.xero.com',
    aud: 'https://identity.xero.com/resources',
    client_id: config.accounting?.clientId,
    sub: personId.replaceAll('-', ''),
    auth_time: nbf,
    xero_userid: personId,
    global_session_id: randomBytes(16).toString('hex'),
    jti: randomBytes(16).toString('hex'),
    authentication_event_id: id,
    scope: scope.split(' '),
    amr: ['pwd'],
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [part({ alg: 'RS256', typ: 'JWT' }), part(claims), access].join('.')
}

/** Takes back all consents of the person whose refresh token it is; a token that nobody knows is answered alike. */
export async function revocation(form: URLSearchParams, authorization: string | undefined): Promise<Answer> {
  if (!isOurApp(form, authorization)) return refusal('invalid_client')
  await revoke(form.get('token') ?? '')
  return { status: 200, body: '' }
}

/** What the person of the token has connected, or only what that consent has. */
export const connections = async (personId: string, consentId: string | null): Promise<Answer> => ({
  status: 200,
  body: (await listConnections(personId))
    .filter((connection) => consentId === null || connection.consent_id === consentId)
    .map(shown),
})

const shown = (connection: Connection) => ({
  id: connection.id,
  authEventId: connection.consent_id,
  tenantId: connection.tenant_id,
  tenantType: 'ORGANISATION',
  tenantName: connection.tenant_name,
  createdDateUtc: connection.made_at.replace('Z', ''),
  updatedDateUtc: connection.updated_at.replace('Z', ''),
})

/** Takes back one connection; the token stays good for others. */
export const dropConnection = async (personId: string, id: string): Promise<Answer> =>
  isUuid(id) && (await disconnect(personId, id)) ? { status: 204, body: '' } : notFound

/** Where all of that is, for clients that look it up. */
export function discovery(): Answer {
  const issuer = config.accounting?.identityUrl ?? ''
  return {
    status: 200,
    body: {
      issuer,
      authorization_endpoint: `${config.accounting?.loginUrl}/identity/connect/authorize`,
      token_endpoint: `${issuer}/connect/token`,
      revocation_endpoint: `${issuer}/connect/revocation`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    },
  }
}

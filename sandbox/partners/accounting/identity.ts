/** Consent, tokens and connections of the stand-in of Xero: OAuth 2.0 with PKCE. */
import { createHash, randomUUID } from 'node:crypto'
import { config } from '../../../platform/config.ts'
import { isUuid } from '../../../domain/ids.ts'
import {
  ACCESS_MINUTES,
  type IssuedConsent,
  consent,
  disconnect,
  listConnections,
  redeemCode,
  redeemRefresh,
  revoke,
} from '../../db/accounting-access.ts'
import { type Answer, notFound } from './answers.ts'
import { BOOKS_SCOPES } from './books.ts'

const SCOPES = ['offline_access', 'accounting.contacts', ...BOOKS_SCOPES]
const CALLBACK_PATH = '/oauth/accounting/callback'
const CHALLENGE = /^[\w-]{43}$/

/** Redirects back with a code at once. `tenant_id` and `person_id` name the choice, `error` the refusal. */
export async function authorize(query: URLSearchParams, declined: boolean): Promise<Answer> {
  const [redirectUri, challenge] = [query.get('redirect_uri') ?? '', query.get('code_challenge')]
  if (query.get('client_id') !== config.accounting?.clientId) return errorPage('Unknown client')
  if (!isOurs(redirectUri)) return errorPage('Invalid redirect_uri')
  const back = (answer: Readonly<Record<string, string>>): Answer => {
    const location = new URL(redirectUri)
    const all = { ...answer, state: query.get('state') ?? '' }
    for (const [name, value] of Object.entries(all)) location.searchParams.set(name, value)
    return { status: 302, body: '', headers: { location: location.href } }
  }
  const scope = query.get('scope') ?? ''
  if (query.get('response_type') !== 'code') return back({ error: 'unsupported_response_type' })
  if (scope.split(' ').some((one) => !SCOPES.includes(one))) return back({ error: 'invalid_scope' })
  if (challenge !== null && !(query.get('code_challenge_method') === 'S256' && CHALLENGE.test(challenge))) {
    return back({ error: 'invalid_request' })
  }
  const error = declined ? 'access_denied' : query.get('error')
  if (error !== null) return back({ error })
  const tenantId = query.get('tenant_id') ?? randomUUID()
  const personId = query.get('person_id') ?? tenantId
  if (!isUuid(tenantId) || !isUuid(personId)) return back({ error: 'invalid_request' })
  return back({ code: await consent({ personId, tenantId, scope, redirectUri, challenge }) })
}

/** Tells whether the app has registered the address; the host differs between tests and containers. */
const isOurs = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && address.endsWith(CALLBACK_PATH)

/** The error page for the person: an unknown address gets no redirect. */
const errorPage = (why: string): Answer => ({ status: 400, body: `<html><body><p>${why}</p></body></html>` })

const refusal = (error: string): Answer => ({ status: 400, body: { error } })

function isOurApp(authorization = ''): boolean {
  const { clientId, clientSecret } = config.accounting ?? {}
  return authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

/** Answers tokens for a code or a refresh token. `refused` revokes the refresh token's consent first. */
export async function token(
  form: URLSearchParams,
  authorization: string | undefined,
  refused: boolean,
): Promise<Answer> {
  if (!isOurApp(authorization)) return refusal('invalid_client')
  const grant = form.get('grant_type')
  if (grant === 'authorization_code') {
    const verifier = form.get('code_verifier')
    const challenge = verifier === null ? null : createHash('sha256').update(verifier).digest('base64url')
    return tokenAnswer(await redeemCode(form.get('code') ?? '', form.get('redirect_uri') ?? '', challenge))
  }
  if (grant !== 'refresh_token') return refusal('unsupported_grant_type')
  const refresh = form.get('refresh_token') ?? ''
  if (refused) await revoke(refresh)
  return tokenAnswer(await redeemRefresh(refresh))
}

const tokenAnswer = (issued: IssuedConsent | undefined): Answer =>
  issued
    ? {
        status: 200,
        body: {
          access_token: accessToken(issued),
          expires_in: ACCESS_MINUTES * 60,
          token_type: 'Bearer',
          ...(issued.refresh !== null && { refresh_token: issued.refresh }),
          scope: issued.scope,
        },
      }
    : refusal('invalid_grant')

/** Writes an access token as a JWT with the one claim that we read; its last part is the secret. */
function accessToken({ id, access }: IssuedConsent): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [part({ alg: 'RS256', typ: 'JWT' }), part({ authentication_event_id: id }), access].join('.')
}

/** Revokes all consents of a refresh token's person; an unknown token gets the same answer. */
export async function revocation(form: URLSearchParams, authorization: string | undefined): Promise<Answer> {
  if (!isOurApp(authorization)) return refusal('invalid_client')
  await revoke(form.get('token') ?? '')
  return { status: 200, body: '' }
}

export async function connections(personId: string, consentId: string | null): Promise<Answer> {
  const all = await listConnections(personId)
  const body = all
    .filter((connection) => consentId === null || connection.consent_id === consentId)
    .map((connection) => ({
      id: connection.id,
      authEventId: connection.consent_id,
      tenantId: connection.tenant_id,
      tenantType: 'ORGANISATION',
      tenantName: connection.tenant_name,
      createdDateUtc: connection.made_at.replace('Z', ''),
      updatedDateUtc: connection.updated_at.replace('Z', ''),
    }))
  return { status: 200, body }
}

export const dropConnection = async (personId: string, id: string): Promise<Answer> =>
  isUuid(id) && (await disconnect(personId, id)) ? { status: 204, body: '' } : notFound

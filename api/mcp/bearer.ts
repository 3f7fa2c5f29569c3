/** Bearer of an agent: the own secret of a delegate, or the token of its restricted session; nothing else. */
import type { Hono } from 'hono'
import { findSecretKind } from '../../services/people/delegates.ts'
import { isAllowedNetwork } from '../../services/people/allowed-networks.ts'
import { authenticate } from '../../services/people/sessions.ts'
import { REFUSALS } from '../../domain/errors.ts'
import { isFor } from '../../domain/people/audience.ts'
import { DELEGATE_SECRET_PREFIX, type Restriction, isAllowedAddress } from '../../domain/people/delegate.ts'
import { config } from '../../platform/config.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { bearerOf } from '../http/caller.ts'
import { type Env, type Http, callInside } from '../http/http.ts'

type DelegateOrFault = { readonly token: string; readonly delegate: Restriction } | { readonly fault: string }

/** Delegate of a request, or why there is none; `isNone` if the request has no bearer at all. */
export type Identification = DelegateOrFault | { readonly fault: string; readonly isNone: true }

const NONE = 'A delegate has to be named: its secret or its token as a bearer.'
const MALFORMED = 'This is no bearer: a header can carry no such token.'

/** Identifies the delegate of a request; answers why not, in words for the person who set it up. */
export async function identifyDelegate(app: Hono<Env>, http: Http): Promise<Identification> {
  const bearer = bearerOf(http)
  const isOfBearer = /^Bearer\b/i.test(http.req.header('authorization') ?? '')
  if (!bearer) return isOfBearer ? { fault: MALFORMED } : { fault: NONE, isNone: true }
  if (/^svc_/i.test(bearer)) return { fault: 'API keys are not taken here. Make a delegate.' }
  if (bearer.startsWith(DELEGATE_SECRET_PREFIX)) return identifyBySecret(app, http, bearer)
  return (await identifyByToken(http, bearer)) ?? { fault: 'This token is unknown, or its session has ended.' }
}

async function identifyByToken(http: Http, token: string): Promise<DelegateOrFault | undefined> {
  const found = await authenticate(token, null)
  if (!found) return undefined
  const { delegate } = found.person
  if (!delegate) return { fault: "A person's own session is not taken here. Make a delegate." }
  if (!isFor(delegate.audience, 'mcp')) return { fault: 'This token is for the operations of the API alone.' }
  if (!isAllowedAddress(http.get('address'), delegate.allowedAddresses))
    return { fault: 'The delegate may not be used from this network address.' }
  if (!isAllowedNetwork('delegates', delegate.allowList, http.get('address')))
    return { fault: `${REFUSALS.ip_not_allowed[1]} It was ${http.get('address')}.` }
  return { token, delegate }
}

const REFRESH_TOKEN =
  'This is a refresh token. Change it into a token at /oauth/token (grant_type=refresh_token), and send that.'

const MCP = `${config.publicUrl}/mcp`
const SESSIONS_MAX = 1000 // a session more costs a token
/** Tokens of sessions that secrets were changed into, by the hash of the secret; each call authenticates its token. */
const sessions = new Map<string, string>()

async function identifyBySecret(app: Hono<Env>, http: Http, secret: string): Promise<DelegateOrFault> {
  const key = tokenHash(secret).toString('latin1')
  const known = sessions.get(key)
  // a secret that was replaced is refused at once, while the session of the delegate may go on
  const isGood = known !== undefined && (await findSecretKind(secret)) === 'own'
  const live = isGood ? await identifyByToken(http, known) : undefined
  if (live) return live
  sessions.delete(key)
  const opened = await openSession(app, http, secret)
  if ('fault' in opened) return (await findSecretKind(secret)) === 'refresh_token' ? { fault: REFRESH_TOKEN } : opened
  const oldest = sessions.keys().next()
  if (sessions.size >= SESSIONS_MAX && !oldest.done) sessions.delete(oldest.value)
  sessions.set(key, opened.token)
  return (await identifyByToken(http, opened.token)) ?? { fault: 'The delegate has just ended.' }
}

/** Changes the secret into a token as any client does, under the same limits. */
async function openSession(app: Hono<Env>, http: Http, secret: string): Promise<{ token: string } | { fault: string }> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_secret: secret, resource: MCP })
  const body = { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(form.toString()) }
  const response = await callInside(app, http, { method: 'POST', path: '/oauth/token', body })
  const answer = (await response.json()) as { access_token?: string; error_description?: string } // RFC 6749, 5
  if (answer.access_token !== undefined) return { token: answer.access_token }
  return { fault: answer.error_description ?? 'This secret is unknown, or the delegate has ended.' }
}

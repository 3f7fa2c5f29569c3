/** Authorization of a client by OAuth 2.1: its description, where it returns to, and the code that it gets. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { integer, line, model, onOneLine, uuid, describe } from '../text.ts'
import { AUDIENCES } from './audience.ts'
import {
  DELEGATE_ACCESS,
  DELEGATE_DAYS_MAX,
  DELEGATE_KINDS,
  DELEGATE_NAME_CHARACTERS_MAX,
  DelegateToken,
} from './delegate.ts'

export const CODE_SECONDS = 60
/** Seconds for which a used refresh token gives the same successor again. */
export const REPEAT_SECONDS = 10
export const DELEGATE_DAYS = 30 // unless the person says another number
const URL_MAX = 2048
const NAME_CHARACTERS_MAX = 60

/** S256 of RFC 7636: 32 bytes as base64url. */
const CHALLENGE = /^[\w-]{43}$/
/** Verifier of RFC 7636, section 4.1. */
export const VERIFIER = /^[\w.~-]{43,128}$/

/** Address or id: what a URL may be written with, and nothing that is not seen. */
const address = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]+$/, 'must be an address of ASCII characters'),
  v.maxLength(URL_MAX),
)

export const AskedClient = v.object({ client_id: address, redirect_uri: address })
export type AskedClient = v.InferOutput<typeof AskedClient>

/** Client as its description tells, for the person who is asked. */
export const OAuthClient = model('OAuthClient', {
  client_id: v.string(),
  name: describe(v.string(), 'Name that the client gives itself.'),
  host: describe(
    v.nullable(v.string()),
    'Host of its description, which the name cannot be checked against otherwise; null for our own.',
  ),
  kind: describe(v.picklist(DELEGATE_KINDS), 'A program that follows rules, or an agent that decides what to do next.'),
  redirect_uri: v.string(),
})
export type OAuthClient = v.InferOutput<typeof OAuthClient>

export const NewAuthorization = model('NewAuthorization', {
  organization_id: id<'organization'>(),
  client_id: address,
  redirect_uri: address,
  code_challenge: describe(
    v.pipe(v.string(), v.regex(CHALLENGE, 'must be the S256 of a verifier')),
    'S256 of the verifier (RFC 7636).',
  ),
  access: v.picklist(DELEGATE_ACCESS),
  audience: describe(
    v.optional(v.picklist(AUDIENCES), 'service'),
    'What its tokens are for: `api`, the operations; `mcp`, the endpoint of agents; or `service`, both (RFC 8707).',
  ),
  expires_in_days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(DELEGATE_DAYS_MAX)),
})
export type NewAuthorization = v.InferOutput<typeof NewAuthorization>

export const AuthorizationCode = model('AuthorizationCode', {
  code: describe(v.string(), 'Code that the client changes into a token, once.'),
  expires_in: describe(integer, 'Seconds until the code ends.'),
  delegate_id: describe(uuid, 'Id of the delegate.'),
})
export type AuthorizationCode = v.InferOutput<typeof AuthorizationCode>

/** Answer of the token endpoint (RFC 6749, section 5.1); the refresh token is the secret of the delegate. */
export const OAuthToken = model(
  'OAuthToken',
  {
    ...DelegateToken.entries,
    refresh_token: describe(
      v.optional(v.string()),
      'Secret by which the next token is got; it replaces the one before.',
    ),
    scope: describe(v.optional(v.picklist(DELEGATE_ACCESS)), 'What the delegate may do.'),
  },
  {
    access_token: 'Token of a session.',
    organization_id: 'Organization that the token is good for.',
    token_type: 'Always Bearer.',
    expires_in: 'Seconds until the token ends at the latest.',
  },
)
export type OAuthToken = v.InferOutput<typeof OAuthToken>

/** Error of the token endpoint (RFC 6749, section 5.2). */
export const OAuthError = model('OAuthError', {
  error: describe(
    v.picklist([
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'invalid_target',
      'unauthorized_client',
      'unsupported_grant_type',
      'temporarily_unavailable',
      'server_error',
    ]),
    'Kind of error (RFC 6749, section 5.2).',
  ),
  error_description: describe(v.string(), 'Explanation for people.'),
})
export type OAuthError = v.InferOutput<typeof OAuthError>

/** Client of the command line, which has no description on the web. */
export const COMMAND_LINE: Omit<OAuthClient, 'redirect_uri'> = {
  client_id: 'bfs',
  name: 'Command line (bfs)',
  host: null,
  kind: 'program',
}
export const COMMAND_LINE_REDIRECT = 'http://127.0.0.1/callback'

/** Description of a client, at the address that is its id. A member that is null is as one that is absent. */
export const ClientDocument = v.object({
  client_id: v.string(),
  client_name: v.nullish(v.string()),
  redirect_uris: v.pipe(v.array(v.string()), v.maxLength(100)),
  token_endpoint_auth_method: v.nullish(v.string()),
  token_endpoint_auth_methods_supported: v.nullish(v.array(v.string())),
})
export type ClientDocument = v.InferOutput<typeof ClientDocument>

/**
 * Tells if a client can do without a secret, as it has to here: PKCE binds its code. The method is the one that it
 * prefers, and the list has all that it can do (OpenID Connect Relying Party Metadata Choices 1.0).
 */
export const needsNoSecret = ({
  token_endpoint_auth_method: preferred,
  token_endpoint_auth_methods_supported: supported,
}: ClientDocument): boolean => (preferred ?? 'none') === 'none' || (supported ?? []).includes('none')

/** Shortens the name that a client gives itself to one line; null without any. */
export function nameIn({ client_name: given }: ClientDocument): string | null {
  const short = Array.from(onOneLine(given ?? ''))
    .slice(0, NAME_CHARACTERS_MAX)
    .join('')
  return v.is(line(1, NAME_CHARACTERS_MAX), short) ? short : null
}

/** Names the delegate of a client. Its own name is shortened for the host, which loses its beginning at most. */
export function delegateNameOf({ name, host }: Pick<OAuthClient, 'name' | 'host'>): string {
  if (host === null) return keepStart(name, DELEGATE_NAME_CHARACTERS_MAX)
  const known = keepEnd(host, DELEGATE_NAME_CHARACTERS_MAX - ' ()'.length - 1)
  return `${keepStart(name, DELEGATE_NAME_CHARACTERS_MAX - ' ()'.length - Array.from(known).length)} (${known})`
}

function keepStart(text: string, max: number): string {
  const characters = Array.from(text)
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

function keepEnd(text: string, max: number): string {
  const characters = Array.from(text)
  return characters.length <= max ? text : `…${characters.slice(1 - max).join('')}`
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.has(hostname)

/** Tells if a browser may be sent to this address: https, or a program on the same machine (RFC 8252, section 7.3). */
export function isReturnAddress(given: string): boolean {
  if (!URL.canParse(given) || given.includes('#')) return false
  const url = new URL(given)
  return (url.protocol === 'https:' || isLoopback(url)) && url.username === '' && url.password === ''
}

/** Tells if the address is one of those registered: the same text, but for the port on the same machine. */
export function isRegistered(given: string, registered: readonly string[]): boolean {
  if (!isReturnAddress(given)) return false
  return registered.some(
    (one) => one === given || (isReturnAddress(one) && isSameButPort(new URL(one), new URL(given))),
  )
}

const isSameButPort = (one: URL, other: URL): boolean =>
  isLoopback(one) &&
  isLoopback(other) &&
  one.hostname === other.hostname &&
  one.pathname === other.pathname &&
  one.search === other.search

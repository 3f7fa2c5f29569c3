/** OAuth 2.1: tokens of delegates for programs and agents, and what a client has to know of this service. */
import * as v from 'valibot'
import { exchangeCode, refreshToken } from '../../services/people/authorizations.ts'
import { openDelegateSession } from '../../services/people/delegates.ts'
import type { Transaction } from '../../db/postgres/sql.ts'
import type { Origin } from '../../domain/people/actor.ts'
import { REFUSALS, type Refusal, refuse } from '../../domain/errors.ts'
import { type Audience, audienceOf, refuseTarget } from '../../domain/people/audience.ts'
import { OAuthError, OAuthToken, VERIFIER } from '../../domain/people/authorization.ts'
import { DELEGATE_ACCESS } from '../../domain/people/delegate.ts'
import { model, describe } from '../../domain/text.ts'
import { config } from '../../platform/config.ts'
import { signInsPerNetwork } from '../http/limits.ts'
import { operations, raw } from '../http/operation.ts'
import type { Route } from '../http/route.ts'

const { command, query } = operations('Delegates')

const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials'] as const

/** Metadata of a protected resource (RFC 9728, section 2). */
const ResourceMetadata = model('ResourceMetadata', {
  resource: describe(v.string(), 'Address that tokens are taken at.'),
  resource_name: describe(v.string(), 'Name of the service.'),
  authorization_servers: describe(v.array(v.string()), 'Services that give tokens.'),
  scopes_supported: v.array(v.picklist(DELEGATE_ACCESS)),
  bearer_methods_supported: describe(v.array(v.literal('header')), 'Ways to send a token.'),
})

/** Metadata of an authorization server (RFC 8414, section 2). */
const ServerMetadata = model('ServerMetadata', {
  issuer: describe(v.string(), 'Identity of this service, as answers of the page name it.'),
  authorization_endpoint: describe(v.string(), 'Page on which a person connects a client.'),
  token_endpoint: describe(v.string(), 'Address of tokens.'),
  scopes_supported: v.array(v.picklist(DELEGATE_ACCESS)),
  response_types_supported: describe(v.array(v.literal('code')), 'What the page answers.'),
  response_modes_supported: describe(v.array(v.literal('query')), 'How the page answers.'),
  grant_types_supported: describe(v.array(v.picklist(GRANTS)), 'What is changed into a token.'),
  token_endpoint_auth_methods_supported: describe(
    v.array(v.picklist(['none', 'client_secret_post'])),
    'Ways of a client to say who it is.',
  ),
  code_challenge_methods_supported: describe(v.array(v.literal('S256')), 'Kinds of challenges.'),
  client_id_metadata_document_supported: describe(
    v.boolean(),
    'True: the id of a client is the address of its description.',
  ),
  authorization_response_iss_parameter_supported: describe(
    v.boolean(),
    'True: answers of the page name the issuer (RFC 9207).',
  ),
})

const text = (description: string) => describe(v.optional(v.string()), description)

/** Form that asks for a token (RFC 6749, sections 4.1.3, 4.4.2 and 6): `grant_type` tells what else it needs. */
const TokenForm = model('OAuthTokenForm', {
  grant_type: describe(v.picklist(GRANTS), 'What is changed into a token.'),
  code: text('Code of the page, for `authorization_code`.'),
  code_verifier: text('Verifier of the challenge that the page got (RFC 7636), for `authorization_code`.'),
  redirect_uri: text('Address that the browser came back to, for `authorization_code`.'),
  client_id: text('Id of the client, for `authorization_code` and `refresh_token`.'),
  refresh_token: text('Refresh token of the answer before, for `refresh_token`.'),
  client_secret: text('Own secret of the delegate, for `client_credentials`.'),
  resource: text('Address that the token is for (RFC 8707); absent: what was granted.'),
})

const { publicUrl } = config

async function describeResource(): Promise<v.InferOutput<typeof ResourceMetadata>> {
  return {
    resource: `${publicUrl}/mcp`,
    resource_name: 'Business Finance Service',
    authorization_servers: [publicUrl],
    scopes_supported: [...DELEGATE_ACCESS],
    bearer_methods_supported: ['header'],
  }
}

async function describeServer(): Promise<v.InferOutput<typeof ServerMetadata>> {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    scopes_supported: [...DELEGATE_ACCESS],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...GRANTS],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  }
}

const token: Route = command('post', '/oauth/token', 'createDelegateToken')
  .says(
    'Change a code or a secret into a token',
    'A form as OAuth 2.0 has it (RFC 6749): `grant_type=authorization_code` with `code`, `code_verifier`, `client_id` and ' +
      '`redirect_uri`; `refresh_token` with `refresh_token` and `client_id`; `client_credentials` with `client_secret`. The ' +
      'token is one of a session: it ends after 30 minutes without use, and after 8 hours. A refresh token is replaced by ' +
      'the one in the answer, and is good for no other grant; a used one gives the same answer for ten seconds, and later ' +
      'ends the delegate. ' +
      '`resource` names what the token ' +
      'is for (RFC 8707): `/mcp`, `/api/v1`, or both at the address of the service, and without one what was granted. ' +
      'Errors have the form of RFC 6749, section 5.2.',
  )
  .for('anyone')
  .atRoot()
  .limited(signInsPerNetwork)
  .takes(raw)
  .refuses('not_authenticated', 'grant_invalid', 'invalid_request', 'delegate_address_not_allowed', 'ip_not_allowed')
  .answers(OAuthToken)
  .does(({ tx, message, origin }) => changeGrant(tx, formIn(message.body), origin))

export const oauth: readonly Route[] = [
  { ...token, form: TokenForm, refusalForm: { schema: OAuthError, of: oauthErrorOf } },
  query('/.well-known/oauth-protected-resource', 'describeProtectedResource')
    .says('Describe what tokens are taken for (RFC 9728)')
    .for('anyone')
    .atRoot()
    .cached(true)
    .answers(ResourceMetadata)
    .does(describeResource),
  query('/.well-known/oauth-protected-resource/mcp', 'describeMcpResource')
    .says('Describe what tokens are taken for at `/mcp` (RFC 9728)')
    .for('anyone')
    .atRoot()
    .cached(true)
    .answers(ResourceMetadata)
    .does(describeResource),
  query('/.well-known/oauth-authorization-server', 'describeAuthorizationServer')
    .says('Describe how a client gets a token (RFC 8414)')
    .for('anyone')
    .atRoot()
    .cached(true)
    .answers(ServerMetadata)
    .does(describeServer),
]

type Form = { readonly get: (name: string) => string }

/** Reads a form; refuses `invalid_request` for a name that comes twice (RFC 6749, section 3.2). */
function formIn(body: Uint8Array): Form {
  const form = new URLSearchParams(new TextDecoder().decode(body))
  for (const name of new Set(form.keys()))
    if (form.getAll(name).length > 1) refuseField(name, 'must come once', 'repeated')
  return { get: (name) => form.get(name) ?? '' }
}

/** Changes what the form brings into a token; refuses `invalid_request` for another grant, or none. */
function changeGrant(tx: Transaction, form: Form, origin: Origin): Promise<OAuthToken | Refusal> {
  const audience = audienceIn(form)
  const clientId = form.get('client_id')
  switch (form.get('grant_type')) {
    case 'authorization_code': {
      const [code, verifier, redirectUri] = [form.get('code'), form.get('code_verifier'), form.get('redirect_uri')]
      if (!VERIFIER.test(verifier)) refuseField('code_verifier', 'must be a verifier of 43 to 128 characters', 'regex')
      return exchangeCode({ tx, code, verifier, clientId, redirectUri, audience, origin })
    }
    case 'refresh_token':
      return refreshToken({ tx, secret: form.get('refresh_token'), clientId, audience, origin })
    case 'client_credentials':
      return openDelegateSession({ tx, secret: form.get('client_secret'), audience: audience ?? 'service', origin })
    default:
      return refuseField('grant_type', `must be one of: ${GRANTS.join(', ')}`, 'unsupported')
  }
}

/** Reads what the token is asked for; undefined if nothing is named. Refuses a resource that is none of ours. */
function audienceIn(form: Form): Audience | undefined {
  const resource = form.get('resource')
  return resource === '' ? undefined : (audienceOf(resource, publicUrl) ?? refuseTarget())
}

const refuseField = (path: string, message: string, code: string): never =>
  refuse('invalid_request', { errors: [{ path, code, message }] })

/** Puts a refusal into the form of RFC 6749, section 5.2. */
function oauthErrorOf({ type, message, details }: Refusal): OAuthError {
  const [fault] = (details?.['errors'] ?? []) as readonly { path: string; code: string; message: string }[] // of refuseField
  const seen = type === 'ip_not_allowed' ? ` It was ${String(details?.['address'])}.` : ''
  const description = fault ? `${fault.path}: ${fault.message}` : message + seen
  return { error: ERRORS[fault?.code ?? ''] ?? codeFor(type), error_description: description }
}

/** Errors of a field by its code. */
const ERRORS: Readonly<Record<string, OAuthError['error']>> = {
  unsupported: 'unsupported_grant_type',
  target: 'invalid_target',
}

function codeFor(type: Refusal['type']): OAuthError['error'] {
  if (type === 'not_authenticated') return 'invalid_client'
  if (type === 'grant_invalid') return 'invalid_grant'
  if (type === 'delegate_address_not_allowed' || type === 'ip_not_allowed') return 'unauthorized_client'
  const [status] = REFUSALS[type]
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status === 500 ? 'server_error' : 'invalid_request'
}

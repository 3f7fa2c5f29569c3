/** Sign-in at the identity provider of an organization, links to people, and its logouts. */
import * as v from 'valibot'
import {
  LOGOUT_SECONDS,
  type Logout,
  authorizeUrlOf,
  identify,
  readAudience,
  verifyLogout,
} from '../../partners/openid.ts'
import { noteFailureOf, noteSuccess } from '../../services/identity-providers/failures.ts'
import { endByLogout, providersOfLogout } from '../../services/identity-providers/logouts.ts'
import type { OpenedProvider } from '../../services/identity-providers/providers.ts'
import { REDIRECT_URI } from '../../platform/openid-addresses.ts'
import {
  beginSignIn,
  completeSignIn,
  findOffer,
  linkOffered,
  prepareSignIn,
  takeReturn,
} from '../../services/identity-providers/sign-ins.ts'
import { type Refusal, refuse } from '../../domain/errors.ts'
import { type DeviceId, isUuid } from '../../domain/ids.ts'
import { requireOwnSession } from '../../domain/people/actor.ts'
import {
  IdentityLink,
  NewIdentityLink,
  NewProviderSignIn,
  ProviderCallback,
  ProviderSignIn,
  ProviderSignInAnswer,
} from '../../domain/identity-providers/sign-in.ts'
import { describe, model, quoteName } from '../../domain/text.ts'
import { signIns, signInsPerDomain, signInsPerNetwork } from '../http/limits.ts'
import { operations, raw } from '../http/operation.ts'
import type { Message, Route } from '../http/route.ts'

const { command } = operations('Company sign-in')

/** Body of a logout (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
const LogoutForm = model('ProviderLogoutForm', {
  logout_token: describe(v.string(), 'Signed token that names who or what is signed out.'),
})
const LogoutError = model('ProviderLogoutError', {
  error: describe(v.literal('invalid_request'), 'Always the same.'),
  error_description: describe(v.string(), 'Explanation for people.'),
})

const logout: Route = command('post', '/oidc/logout', 'endProviderSessions')
  .says(
    'End sessions that an identity provider names',
    'A form with a `logout_token` (OpenID Connect Back-Channel Logout 1.0). Each token is taken once; one that comes ' +
      'again ends nothing more.',
  )
  .for('anyone')
  .atRoot()
  .limited(signInsPerNetwork)
  .takes(raw)
  .refuses('invalid_request')
  .answers(v.object({}))
  .prepares(async ({ message }) => ({ verified: await verify(message) }))
  .does(async ({ tx, verified: { providers, logout: verified } }) => {
    for (const provider of providers) await endByLogout(tx, provider, verified, LOGOUT_SECONDS)
    return {}
  })

type VerifiedLogout = { readonly providers: readonly OpenedProvider[]; readonly logout: Logout }

/**
 * Finds the providers of a logout token: organizations may share a client of theirs. It is verified once, whatever their
 * number. Refuses `invalid_request`.
 */
async function verify({ body }: Message): Promise<VerifiedLogout> {
  const token = new URLSearchParams(new TextDecoder().decode(body)).get('logout_token') ?? ''
  const named = readAudience(token)
  const found = named ? await providersOfLogout(named.issuer, named.audiences) : []
  const [one] = found
  const verified = one && (await verifyLogout(one, token))
  if (verified) return { providers: found.filter(({ clientId }) => clientId === one.clientId), logout: verified }
  return refuse('invalid_request', {
    errors: [{ path: 'logout_token', code: 'invalid', message: 'is no good token of a connected provider' }],
  })
}

const errorOf = ({ message }: Refusal) => ({ error: 'invalid_request' as const, error_description: message })

export const providerSignIns: readonly Route[] = [
  command('post', '/auth/identity-provider/start', 'startProviderSignIn')
    .says(
      'Begin a sign-in at an identity provider',
      'For an address of a domain that an organization has proved. Open the answered page, and keep the token: the ' +
        'sign-in is completed with it, within ten minutes.',
    )
    .for('anyone')
    .takes(NewProviderSignIn)
    .limited(signInsPerNetwork, signIns, signInsPerDomain)
    .refuses('not_found', 'identity_provider_unusable')
    .answers(ProviderSignIn, 201)
    .prepares(async ({ body }) => {
      const begun = await prepareSignIn(body.email)
      const { provider, secrets } = begun
      return { begun, url: await noteFailureOf(provider, authorizeUrlOf(provider, secrets, REDIRECT_URI)) }
    })
    .does(({ tx, begun, url }) => beginSignIn(tx, begun, url)),
  command('post', '/auth/identity-provider/complete', 'completeProviderSignIn')
    .says(
      'Complete a sign-in at an identity provider',
      'The session sees that organization alone, and is no proof of identity: what needs one asks for a factor that the ' +
        'person has here. `link_required`: the provider names a person who is not linked yet.',
    )
    .for('anyone')
    .takes(ProviderCallback)
    .limited(signInsPerNetwork)
    .refuses('token_invalid', 'identity_provider_unusable')
    .answers(ProviderSignInAnswer)
    .prepares(async ({ body }) => {
      const url = new URL(REDIRECT_URI)
      url.search = body.callback
      const back = await takeReturn(url.searchParams.get('state') ?? '', body.attempt_token)
      const identity = await noteFailureOf(back.provider, identify(back.provider, back.secrets, url))
      await noteSuccess(back.provider)
      return { back, identity }
    })
    .does(({ tx, back, identity, body, origin, requestId }) => {
      const { device_id: device } = body
      const deviceId = isUuid(device) ? (device as DeviceId) : null // recordDevice() checks whose it is
      return completeSignIn({ tx, back, identity, deviceId, origin, requestId })
    }),
  command('post', '/me/identity-links', 'createIdentityLink')
    .says(
      'Link yourself with an identity provider',
      'In a session of your own, after a sign-in that answered `link_required`, with its token.',
    )
    .takes(NewIdentityLink)
    .refuses('token_invalid', 'not_found')
    .answers(IdentityLink, 201)
    .proved(
      'once',
      async ({ person, body }) => {
        requireOwnSession(person)
        const { organizationId, name } = await findOffer(body.attempt_token)
        const summary = `Let the identity provider of ${quoteName(name)} sign in as you`
        return { target: `organization:${organizationId}`, summary }
      },
      { weakens: true },
    )
    .does(linkOffered),
  { ...logout, form: LogoutForm, refusalForm: { schema: LogoutError, of: errorOf } },
]

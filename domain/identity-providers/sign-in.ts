/** Sign-in at the identity provider of an organization, and the link of a person. */
import * as v from 'valibot'
import { AuthenticatedSession, token } from '../sign-in/sign-in.ts'
import { model, describe, email, opaque, timestamp, uuid } from '../text.ts'

export const ATTEMPT_MINUTES = 10
const CALLBACK_CHARACTERS_MAX = 8192

export const NewProviderSignIn = model('NewProviderSignIn', { email })

export const ProviderSignIn = model('ProviderSignIn', {
  authorize_url: describe(v.pipe(v.string(), v.url()), 'Page of the provider, on which the person signs in.'),
  attempt_token: describe(v.string(), 'Token that completes this sign-in: it stays with the client that began it.'),
  organization_name: describe(v.string(), 'Name of the organization whose provider it is.'),
  expires_at: timestamp,
})
export type ProviderSignIn = v.InferOutput<typeof ProviderSignIn>

const attempt = describe(token, 'Token of the client that began the sign-in.')

export const ProviderCallback = model('ProviderCallback', {
  attempt_token: attempt,
  callback: describe(
    opaque(1, CALLBACK_CHARACTERS_MAX),
    'Query with which the provider sent the person back, as it came: `code=…&state=…`.',
  ),
  device_id: describe(v.nullish(opaque(0, 255)), 'Id of the device from an earlier sign-in; absent for a new device.'),
})
export type ProviderCallback = v.InferOutput<typeof ProviderCallback>

export const ProviderSignInAnswer = v.pipe(
  v.variant('status', [
    AuthenticatedSession,
    model('IdentityLinkRequired', {
      status: v.literal('link_required'),
      organization_id: uuid,
      organization_name: describe(v.string(), 'Name of the organization whose provider it is.'),
      expires_at: timestamp,
    }),
  ]),
  v.title('ProviderSignInAnswer'),
)
export type ProviderSignInAnswer = v.InferOutput<typeof ProviderSignInAnswer>

export const NewIdentityLink = model('NewIdentityLink', { attempt_token: attempt })

export const IdentityLink = model('IdentityLink', {
  id: uuid,
  organization_id: uuid,
  user_id: uuid,
  subject: describe(v.string(), 'Name of the person at the provider.'),
  inserted_at: timestamp,
})
export type IdentityLink = v.InferOutput<typeof IdentityLink>

/** Person as their provider names them, verified. */
export type ProviderIdentity = {
  readonly subject: string
  /** Address that the provider vouches for; null for any other. */
  readonly email: string | null
  readonly session: string | null
  readonly firstName: string | null
  readonly lastName: string | null
}

/** Credentials in the document: the schemes, and those that an operation takes. */
import type { DelegateAccess } from '../../domain/people/delegate.ts'
import type { Route } from '../http/route.ts'

type Json = { readonly [key: string]: unknown }

/** Security of an operation that says nothing else. */
export const SESSION: Json[] = [{ session: [] }]

/** Lists the credentials that an operation takes, each enough by itself. */
export function securityOf({ credential, delegate }: Route): Json[] {
  const ofDelegates = delegate ? [{ delegate: [delegate] }] : []
  switch (credential) {
    case 'none':
      return []
    case 'session':
      return [...SESSION, ...ofDelegates]
    case 'session or key':
      return [...SESSION, { apiKey: [] }, ...ofDelegates]
    case 'sandbox':
      return [{ sandbox: [] }, {}]
  }
}

/** OAuth 2.0 as `/.well-known/oauth-authorization-server` describes it; the scopes are `DELEGATE_ACCESS`. */
const delegateScheme = {
  type: 'oauth2',
  description:
    'The token of a program or an agent that a person connected on this page, with PKCE (S256) and the address of its ' +
    'description as `client_id`; or that has a secret from `createDelegate`. It reads and asks; people approve.',
  flows: {
    authorizationCode: {
      authorizationUrl: '/authorize',
      tokenUrl: '/oauth/token',
      refreshUrl: '/oauth/token',
      scopes: {
        read: 'Read what the person may read in one organization.',
        prepare: 'Read, make drafts, and ask for what people then approve.',
      } satisfies Readonly<Record<DelegateAccess, string>>,
    },
  },
}

const sandboxScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'x-sandbox-token',
  description: 'Needed if the environment sets SANDBOX_TOKEN.',
}

/** Lists the schemes of credentials, by the names that operations call them. */
export const securitySchemes = (hasSandbox: boolean): Json => ({
  session: { type: 'http', scheme: 'bearer', description: 'The session token of one person, from signing in.' },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_<env>_<lookup>_<secret>',
    description: 'An API key of an organization. Only operations that say so take one.',
  },
  delegate: delegateScheme,
  ...(hasSandbox && { sandbox: sandboxScheme }),
})

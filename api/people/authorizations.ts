/** Authorizations: a person connects a client, which gets a code for a delegate. The page `/authorize` asks for them. */
import { createAuthorization } from '../../services/people/authorizations.ts'
import { findOrganization } from '../../services/organizations/organizations.ts'
import { AskedClient, AuthorizationCode, NewAuthorization, OAuthClient } from '../../domain/people/authorization.ts'
import { summarizeGrant } from '../../domain/people/delegate.ts'
import { readClient } from '../../partners/client-documents.ts'
import { clients } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Delegates')

export const authorizations = [
  query('/me/authorizations/client', 'getAuthorizationClient')
    .says('Read who a client says it is, from the document at its id', 'The document is read at each call.')
    .filters(AskedClient)
    .limited(clients)
    .refuses('client_not_usable')
    .answers(OAuthClient)
    .does(({ query }) => readClient(query)),
  command('post', '/me/authorizations', 'createAuthorization')
    .says(
      'Connect a client: make a delegate and a code for it',
      'The code works once, for a minute, with the verifier of its challenge. A repeat makes another delegate.',
    )
    .keepsToCompany()
    .of('organization', { body: 'organization_id' })
    .takes(NewAuthorization)
    .limited(clients)
    .refuses('client_not_usable', 'delegate_limit_reached')
    .answers(AuthorizationCode, 201)
    .proved(
      'once',
      async ({ org, read, person, body }) => {
        const client = await readClient(body)
        const { access, expires_in_days: days } = body
        const { name: organization } = await findOrganization(read, person.userId)
        const summary = summarizeGrant({ name: client.name, host: client.host, access, days, organization })
        return { target: `organization:${org.organizationId}`, summary, found: client }
      },
      { weakens: true },
    )
    .does(createAuthorization),
]

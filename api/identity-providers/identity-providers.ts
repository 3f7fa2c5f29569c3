/** Identity provider of an organization, and the domains whose addresses sign in there. */
import * as v from 'valibot'
import { readIssuer } from '../../partners/openid.ts'
import { readTexts } from '../../platform/network/records.ts'
import { addDomain, proveDomain, readChallenge, removeDomain } from '../../services/identity-providers/domains.ts'
import {
  changeProvider,
  connectProvider,
  disconnectProvider,
  findProvider,
} from '../../services/identity-providers/providers.ts'
import { refuse } from '../../domain/errors.ts'
import {
  DomainParams,
  IdentityProvider,
  IdentityProviderChanges,
  NewIdentityProvider,
  NewProviderDomain,
} from '../../domain/identity-providers/identity-provider.ts'
import { model, quoteName } from '../../domain/text.ts'
import { clients } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Company sign-in')

const PROVIDER = '/organizations/{organization_id}/identity-provider'

export const identityProviders = [
  query(PROVIDER, 'getIdentityProvider')
    .says('Read the identity provider of an organization', 'With its domains, and the records that prove them.')
    .of('organization')
    .onlyOwner()
    .answers(IdentityProvider)
    .does(({ read }) => findProvider(read)),
  command('post', PROVIDER, 'connectIdentityProvider')
    .says(
      'Connect the identity provider of an organization',
      'OpenID Connect: its description is read below `issuer`. At the provider this service is a web application with ' +
        'the addresses of the answer.',
    )
    .of('organization')
    .onlyOwner()
    .takes(NewIdentityProvider)
    .limited(clients)
    .refuses('identity_provider_connected', 'identity_provider_unusable')
    .creates(IdentityProvider, ({ read }) => findProvider(read))
    .proved('once', async ({ org, body }) => ({
      target: `organization:${org.organizationId}`,
      summary: `Let members sign in at ${quoteName(body.issuer)}`,
    }))
    .prepares(async ({ body: { issuer, client_id: clientId, client_secret: clientSecret } }) => ({
      issuer: await readIssuer({ issuer, clientId, clientSecret }),
    }))
    .does(connectProvider),
  command('patch', PROVIDER, 'updateIdentityProvider')
    .says(
      'Change the identity provider',
      'Absent fields stay. Once it is required, members with an address of a proved domain see the organization only ' +
        'in sessions that began there; owners also in one that they signed in to by a passkey, of which all owners are ' +
        'written to.',
    )
    .of('organization')
    .onlyOwner()
    .takes(IdentityProviderChanges)
    .refuses('invalid_state')
    .answers(IdentityProvider)
    .proved('window')
    .does(changeProvider),
  command('delete', PROVIDER, 'disconnectIdentityProvider')
    .says(
      'Disconnect the identity provider',
      'Its sessions and links end, its domains are free, and members sign in with their own passwords.',
    )
    .of('organization')
    .onlyOwner()
    .answers(model('IdentityProviderDisconnected', { status: v.literal('disconnected') }))
    .proved('window')
    .does(async (context) => {
      await disconnectProvider(context)
      return { status: 'disconnected' as const }
    }),
  command('post', `${PROVIDER}/domains`, 'addIdentityProviderDomain')
    .says('Claim a domain', 'The answer names the TXT record that proves it.')
    .of('organization')
    .onlyOwner()
    .takes(NewProviderDomain)
    .refuses('domain_not_usable', 'domain_taken')
    .answers(IdentityProvider)
    .does(({ tx, body }) => addDomain(tx, body.domain)),
  command('post', `${PROVIDER}/domains/{domain}/verify`, 'verifyIdentityProviderDomain')
    .says('Look for the record of a domain', 'From then on its addresses find the provider at the sign-in.')
    .of('organization')
    .onlyOwner()
    .named(DomainParams)
    .takes(v.object({}))
    .limited(clients)
    .refuses('domain_not_proved', 'domain_taken')
    .answers(IdentityProvider)
    .prepares(async ({ read, params }) => {
      const { name, value } = await readChallenge(read, params.domain)
      const texts = await readTexts(name)
      return texts.includes(value) ? { challenge: value } : refuse('domain_not_proved', { record_name: name })
    })
    .does(({ tx, params, challenge }) => proveDomain(tx, params.domain, challenge)),
  command('delete', `${PROVIDER}/domains/{domain}`, 'removeIdentityProviderDomain')
    .says('Remove a domain', 'Its addresses sign in with their own passwords from then on.')
    .of('organization')
    .onlyOwner()
    .named(DomainParams)
    .answers(IdentityProvider)
    .proved('window')
    .does(({ tx, params }) => removeDomain(tx, params.domain)),
]

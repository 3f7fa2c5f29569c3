/** Events of the identity provider of an organization; never a secret, an address or a name of a person. */
import * as v from 'valibot'
import { eventTypes, says } from '../event-type.ts'
import { uuid } from '../text.ts'
import { PROVIDER_FAILURES } from './failures.ts'

const domain = v.object({ domain: v.string() })

export const providerEvents = eventTypes(
  { noun: 'identity_provider', table: 'identity_providers' },
  {
    connected: says('An owner connects the identity provider of the organization.', v.object({ issuer: v.string() })),
    updated: says(
      'An owner changes if members have to sign in at the identity provider, or its secret; an operator lets them in without.',
      v.object({ changed: v.array(v.string()), required: v.boolean(), reason: v.optional(v.string()) }),
    ),
    disconnected: says('An owner disconnects the identity provider: its sessions and links end.'),
    domain_proved: says('The organization proves a domain by its name servers.', domain),
    domain_removed: says('An owner removes a domain of the organization.', domain),
    member_linked: says('A member is linked with their name at the identity provider.', v.object({ user_id: uuid })),
    failed: says(
      'Sign-ins fail at the identity provider, for a reason of its own.',
      v.object({ reason: v.picklist(PROVIDER_FAILURES) }),
    ),
    restored: says('A sign-in at the identity provider goes well again.'),
    bypassed: says('An owner signs in by a passkey, past the identity provider.', v.object({ user_id: uuid })),
  },
)

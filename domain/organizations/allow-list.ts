/** IP allow-list of an organization: networks from which its credentials work. */
import * as v from 'valibot'
import { type NetworkFault, parseNetwork } from '../networks.ts'
import { describe, model, timestamp, uuid } from '../text.ts'

/** Kinds of credentials that a list may be for; what is resolved as one of them is checked as one. */
export const CREDENTIAL_KINDS = ['sessions', 'api_keys', 'delegates'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

export const NETWORKS_MAX = 100
const NETWORK_CHARACTERS_MAX = 64
/** Time in which a second owner can confirm that a list is lifted. */
export const LIFT_HOURS = 48
/** Time after which the only owner can confirm that alone. */
export const LIFT_WAIT_HOURS = 24

/** List as it is kept with its organization. */
export type AllowList = { readonly cidrs: readonly string[]; readonly applies_to: readonly CredentialKind[] }

const FAULTS: Readonly<Record<NetworkFault, string>> = {
  none: 'must be an address or a network, such as 203.0.113.0/24',
  host: 'must be a network without bits behind its length, such as 203.0.113.0/24, or an address alone',
  all: 'must not be every address: remove the list instead',
}

/** Network in its one spelling; an address is a network of its own. */
const Network = v.pipe(
  v.string(),
  v.maxLength(NETWORK_CHARACTERS_MAX),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseNetwork(dataset.value)
    if ('network' in parsed) return parsed.network
    addIssue({ message: FAULTS[parsed.fault] })
    return NEVER
  }),
)

const kinds = v.array(v.picklist(CREDENTIAL_KINDS))
const APPLIES_TO = 'Credentials that work from these networks alone.'

export const NewIpAllowList = model('NewIpAllowList', {
  cidrs: describe(
    v.pipe(v.array(Network), v.minLength(1), v.maxLength(NETWORKS_MAX)),
    'Networks (IPv4 or IPv6, CIDR) and addresses; IPv4 mapped to IPv6 counts as IPv4.',
  ),
  applies_to: describe(v.pipe(kinds, v.minLength(1), v.maxLength(CREDENTIAL_KINDS.length)), APPLIES_TO),
})
export type NewIpAllowList = v.InferOutput<typeof NewIpAllowList>

/** Request of an owner to lift a list. */
const IpAllowListLift = model('IpAllowListLift', {
  requested_by: describe(uuid, 'Owner who asked for it.'),
  requested_at: describe(timestamp, 'Instant when the owner asked.'),
  alone_from: describe(timestamp, 'Instant from which an only owner can confirm it alone.'),
  expires_at: describe(timestamp, 'Instant until which it can be confirmed.'),
})

export const IpAllowList = model('IpAllowList', {
  cidrs: describe(v.array(v.string()), 'Networks; empty: every address is good.'),
  applies_to: describe(kinds, APPLIES_TO),
  your_address: describe(v.string(), 'Address that this request came from.'),
  lift: describe(v.nullable(IpAllowListLift), 'Open request to lift the list; null for none.'),
})
export type IpAllowList = v.InferOutput<typeof IpAllowList>

/** Answer to an owner outside of the list, who is not shown it. */
export const IpAllowListLifting = model('IpAllowListLifting', {
  status: describe(v.picklist(['requested', 'lifted']), '`requested`: another owner has to confirm it.'),
  lift: describe(v.nullable(IpAllowListLift), 'Open request; null once the list is lifted.'),
})
export type IpAllowListLifting = v.InferOutput<typeof IpAllowListLifting>

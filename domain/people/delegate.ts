/** Delegates: what a person lets a program or an agent do in one organization, for a time. */
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { type DelegateId, type OrganizationId, type UserId, id } from '../ids.ts'
import { isWithin } from '../networks.ts'
import type { AllowList } from '../organizations/allow-list.ts'
import type { Audience } from './audience.ts'
import { integer, line, model, nullableText, quoteName, timestamp, uuid, describe } from '../text.ts'

export const DELEGATES_MAX = 20 // live ones of a person in an organization
export const DELEGATE_DAYS_MAX = 90
export const DELEGATE_SESSION_HOURS = 8
/** Longest time for which the secret before the latest works. */
export const PREVIOUS_DELEGATE_SECRET_HOURS = 24
/** Earliest warning before the end of a delegate. */
export const DELEGATE_WARNING_DAYS = 7
export const DELEGATE_SECRET_PREFIX = 'dlg_'
export const DELEGATE_NAME_CHARACTERS_MAX = 100
const ADDRESSES_MAX = 20

export const DELEGATE_KINDS = ['program', 'agent'] as const
/** `prepare` also asks for what people then approve; it contains `read`. */
export const DELEGATE_ACCESS = ['read', 'prepare'] as const
export type DelegateAccess = (typeof DELEGATE_ACCESS)[number]

/** Says in words what a delegate with this access may do. */
export const abilityOf = (access: DelegateAccess): string =>
  access === 'read' ? 'read' : 'read, and ask for payments that people approve,'

type Grant = {
  readonly name: string
  /** Host of the description of a client, which the name cannot be checked against otherwise. */
  readonly host?: string | null
  readonly access: DelegateAccess
  readonly days: number
  readonly organization: string
}

/** Says in one sentence what a person grants by their proof: to whom, what, for how long, and where. */
export function summarizeGrant({ name, host, access, days, organization }: Grant): string {
  const who = host ? `${quoteName(name)} of ${host}` : quoteName(name)
  return `Let ${who} ${abilityOf(access)} in your name for ${days} days in the organization ${quoteName(organization)}`
}

/** Says in one sentence what a person confirms by another secret: for whom, and until when. */
export const summarizeRotation = ({
  name,
  days,
  organization,
}: Omit<Grant, 'days' | 'access' | 'host'> & { readonly days: number | undefined }): string =>
  `Give ${quoteName(name)} another secret${days === undefined ? '' : ` for ${days} days`} in the organization ${quoteName(organization)}`

export const DELEGATE_ENDS = [
  'ended_by_person',
  'ended_by_owner',
  'left',
  'password_changed',
  'password_reset',
  'factors_reset',
  'authenticator_required',
  'ended_by_operator',
  'code_replayed',
  'code_expired',
  'refresh_token_replayed',
] as const
export type DelegateEnd = (typeof DELEGATE_ENDS)[number]

const isNetwork = (text: string): boolean => ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
const network = v.pipe(v.string(), v.check(isNetwork, 'must be an address or a network, such as 203.0.113.0/24'))

export const NewDelegate = model('NewDelegate', {
  organization_id: id<'organization'>(),
  name: line(1, DELEGATE_NAME_CHARACTERS_MAX),
  kind: describe(v.picklist(DELEGATE_KINDS), 'A program that follows rules, or an agent that decides what to do next.'),
  access: v.picklist(DELEGATE_ACCESS),
  expires_in_days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(DELEGATE_DAYS_MAX)),
  allowed_addresses: v.optional(v.pipe(v.array(network), v.maxLength(ADDRESSES_MAX)), []),
})
export type NewDelegate = v.InferOutput<typeof NewDelegate>

/** A delegate as its person and the owners see it, without its secret. */
export const Delegate = model('Delegate', {
  id: uuid,
  organization_id: uuid,
  user_id: uuid,
  name: v.string(),
  kind: describe(v.picklist(DELEGATE_KINDS), 'A program that follows rules, or an agent that decides what to do next.'),
  access: v.picklist(DELEGATE_ACCESS),
  allowed_addresses: v.array(v.string()),
  expires_at: timestamp,
  last_used_at: v.nullable(timestamp),
  last_used_address: nullableText,
  rotated_at: describe(v.nullable(timestamp), 'Instant of the latest secret; null: the first.'),
  previous_secret_expires_at: describe(
    v.nullable(timestamp),
    'The secret before the latest works until then, or until the latest is used.',
  ),
  ended_at: v.nullable(timestamp),
  end_reason: v.nullable(v.picklist(DELEGATE_ENDS)),
  inserted_at: timestamp,
})
export type Delegate = v.InferOutput<typeof Delegate>

export const DelegateWithSecret = model(
  'DelegateWithSecret',
  { ...Delegate.entries, secret: v.string() },
  { kind: 'A program that follows rules, or an agent that decides what to do next.' },
)
export type DelegateWithSecret = v.InferOutput<typeof DelegateWithSecret>

export const DelegateRotation = model('DelegateRotation', {
  expires_in_days: describe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(DELEGATE_DAYS_MAX))),
    'Days from now until its end; absent: the end stays.',
  ),
})
export type DelegateRotation = v.InferOutput<typeof DelegateRotation>

/** Token of a restricted session, as OAuth 2.0 names its members (RFC 6749, section 5.1). */
export const DelegateToken = model('DelegateToken', {
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: integer,
  organization_id: uuid,
})
export type DelegateToken = v.InferOutput<typeof DelegateToken>

/** Restriction of a session that belongs to a delegate. */
export type Restriction = {
  readonly id: DelegateId
  readonly name: string
  readonly kind: (typeof DELEGATE_KINDS)[number]
  readonly access: DelegateAccess
  readonly audience: Audience
  readonly organizationId: OrganizationId
  readonly allowedAddresses: readonly string[]
  /** Networks of its organization. */
  readonly allowList: AllowList | null
}

/** Delegate that prepared what a person asks for, with that delegate's own person. */
export type Preparer = Pick<Restriction, 'id' | 'name'> & { readonly userId: UserId }

/** Tells if the address is one of these, or in one of their networks; without any, each is. */
export const isAllowedAddress = (address: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 || isWithin(address, allowed)

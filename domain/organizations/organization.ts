/** Organizations, and the rules of their service IDs. */
import * as v from 'valibot'
import { Country } from '../country.ts'
import { PERMISSIONS } from '../permissions.ts'
import { TimeZone } from './time-zone.ts'
import { model, email, line, maybe, nullableText, text, uuid, describe } from '../text.ts'

const HANDLE = /^[a-z0-9][a-z0-9_-]{1,28}[a-z0-9]$/

/** A service ID: 3 to 30 characters, lower case. It addresses; it is never a trust signal. */
export const Handle = v.pipe(
  v.string(),
  v.regex(HANDLE, 'must be 3 to 30 of a-z, 0-9, _ and -, and begin and end with a letter or digit'),
)

/** Names that could pass for the service or for an office of it. */
const RESERVED_HANDLES: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api approvals balance bank billing compliance contact deposits docs finance
  fraud handles help helpdesk hostmaster info kyb kyc legal me notifications null official operator organization
  organizations owner payment payments payouts postmaster privacy refunds root sandbox security service settings staff
  status support svc system team test treasury trust undefined verified verify webhooks webmaster www`.split(/\s+/),
)

export const isReserved = (handle: string): boolean => RESERVED_HANDLES.has(handle)

/** Two letters, ISO 3166-1 alpha-2. */
export const CountryCode = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'must be two capital letters'))

export const NewOrganization = model('NewOrganization', {
  name: line(1, 255),
  country_code: maybe(Country),
  card_name: maybe(line(1, 255)),
  company_address: maybe(text(1, 1000)),
  contact_email: maybe(email),
  invoice_name: maybe(line(1, 255)),
  invoice_notes: maybe(text(1, 5000)),
  referral_code: maybe(line(1, 255)),
  registered_entity: maybe(v.boolean()),
  tax_id: maybe(line(1, 255)),
  time_zone: describe(maybe(TimeZone), 'IANA name of the zone in which its days begin; UTC if absent.'),
})
export type NewOrganization = v.InferOutput<typeof NewOrganization>

const { referral_code: _, time_zone: __, name, ...changeable } = NewOrganization.entries

export const OrganizationChanges = model('OrganizationChanges', { name: v.optional(name), ...changeable })
export type OrganizationChanges = v.InferOutput<typeof OrganizationChanges>

export const ClaimHandle = model('ClaimHandle', { svc_id: Handle })

/** An organization as its members see it; the URL of a logo that was never set is empty. */
export const Organization = model('Organization', {
  id: uuid,
  name: v.string(),
  card_name: nullableText,
  company_address: nullableText,
  contact_email: nullableText,
  country_code: nullableText,
  invoice_name: nullableText,
  invoice_notes: nullableText,
  referral_code: nullableText,
  tax_id: nullableText,
  svc_id: v.nullable(Handle),
  is_primary: describe(v.boolean(), 'True for the organization that the person opens first.'),
  logo: describe(
    model('Logo', { url: describe(v.string(), 'Address of the picture; empty if there is none.') }),
    'Logo of the organization.',
  ),
  permissions: describe(v.array(v.picklist(PERMISSIONS)), 'Permissions of the caller in the organization.'),
  registered_entity: v.nullable(v.boolean()),
  role: v.picklist(['owner', 'admin', 'member']),
  time_zone: v.string(),
})
export type Organization = v.InferOutput<typeof Organization>

export const HandleOwner = model('HandleOwner', { svc_id: Handle, display_name: v.string() })

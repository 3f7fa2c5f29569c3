/** A member: a person in an organization, with a role. */
import * as v from 'valibot'
import { type OrganizationId, id } from '../ids.ts'
import { PageQuery } from '../pagination.ts'
import { ROLES, type Role } from '../permissions.ts'
import { nullableText, text, timestamp, uuid } from '../text.ts'

/** What a person is in one organization: role, and the state of the organization. */
export type Membership = { readonly organizationId: OrganizationId; readonly role: Role; readonly status: string }

/**
 * A member as every operation answers it; `id` is the person's, the `user_id` of the paths. `totp_enabled` is null for
 * who does not manage members: others need not know whose account one password opens.
 */
export const Member = v.object({
  id: uuid,
  email: v.string(),
  name: nullableText,
  role: v.picklist(ROLES),
  joined_at: timestamp,
  totp_enabled: v.nullable(v.boolean()),
})
export type Member = v.InferOutput<typeof Member>

/** Filters of GET …/members: `q` is part of the name or address, in any case; blank it filters nothing. */
export const MemberFilters = v.object({
  ...PageQuery,
  role: v.optional(v.picklist(ROLES)),
  q: v.optional(v.pipe(text(0, 255), v.trim())),
})
export type MemberFilters = v.InferOutput<typeof MemberFilters>

/** Body of PATCH …/members/{user_id}. */
export const RoleChange = v.object({ role: v.picklist(ROLES) })

/** Body of POST …/transfer-ownership. */
export const Transfer = v.object({ user_id: id<'user'>() })

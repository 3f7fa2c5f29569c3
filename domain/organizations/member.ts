/** A member: a person in an organization, with a role. */
import * as v from 'valibot'
import { type OrganizationId, id } from '../ids.ts'
import { PageQuery } from '../pagination.ts'
import { ROLES, type Role, type Capacity } from '../permissions.ts'
import { model, nullableText, text, timestamp, uuid, describe } from '../text.ts'

/** Role of a person in an organization, and its status. `principals`: members whose substitute they are now. */
export type Membership = {
  readonly organizationId: OrganizationId
  readonly role: Role
  readonly status: string
  readonly principals?: readonly Capacity[]
}

/** `id` is the person's, the `user_id` of the paths. `totp_enabled` is null for callers who do not manage members. */
export const Member = model('Member', {
  id: uuid,
  email: v.string(),
  name: nullableText,
  role: v.picklist(ROLES),
  joined_at: describe(timestamp, 'Instant when the person joined.'),
  totp_enabled: describe(
    v.nullable(v.boolean()),
    'True if an authenticator app is set up; null for callers who may not know.',
  ),
})
export type Member = v.InferOutput<typeof Member>

const IDS_MAX = 100
/** One id or several, each once. */
const userIds = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.metadata({ jsonSchema: { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: IDS_MAX } }),
  v.transform((given) => (typeof given === 'string' ? [given] : given)),
  v.array(uuid),
  v.maxLength(IDS_MAX),
)

/** `q` is part of the name or address, in any case; blank it filters nothing. */
export const MemberFilters = v.object({
  ...PageQuery,
  role: v.optional(v.picklist(ROLES)),
  q: v.optional(v.pipe(text(0, 255), v.trim())),
  user_ids: v.optional(userIds),
})
export type MemberFilters = v.InferOutput<typeof MemberFilters>

export const RoleChange = model('MemberRoleChange', { role: v.picklist(ROLES) })

export const Transfer = model('OwnershipTransfer', { user_id: id<'user'>() })

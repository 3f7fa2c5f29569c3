/** A member: a person in an organization, with a role. */
import * as v from 'valibot'
import { type OrganizationId, id } from '../ids.ts'
import { PageQuery } from '../pagination.ts'
import type { AllowList } from './allow-list.ts'
import { type Capacity, PERMISSIONS, PRESET_NAMES, ROLES, type Standing } from '../permissions.ts'
import { model, maybe, nullableText, object, text, timestamp, uuid, describe } from '../text.ts'

/** Role of a person in an organization, and its status. `principals`: members whose substitute they are now. */
export type Membership = Standing & {
  readonly organizationId: OrganizationId
  readonly status: string
  readonly principals?: readonly Capacity[]
  readonly allowList?: AllowList
}

const permissions = v.array(v.picklist(PERMISSIONS))

/** `id` is the person's, the `user_id` of the paths. `totp_enabled` is null for callers who do not manage members. */
export const Member = model('Member', {
  id: uuid,
  email: v.string(),
  name: nullableText,
  role: v.picklist(ROLES),
  permissions_removed: describe(permissions, 'Permissions that were taken from the member.'),
  preset: describe(v.nullable(v.picklist(PRESET_NAMES)), 'Name of the set that was taken; null for none of them.'),
  permissions: describe(permissions, 'Permissions that the member has: those of the role, without those taken.'),
  joined_at: describe(timestamp, 'Instant when the person joined.'),
  managed_by_scim: describe(v.boolean(), 'True if the identity provider manages the member (SCIM).'),
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

/** Body of PATCH …/members/{user_id}: what is absent stays. */
export const MemberChange = v.pipe(
  object({
    role: v.optional(v.picklist(ROLES)),
    permissions_removed: describe(
      v.optional(v.pipe(permissions, v.maxLength(PERMISSIONS.length))),
      'Permissions to take from the member, in place of those taken before; empty gives all back.',
    ),
    preset: describe(
      maybe(v.picklist(PRESET_NAMES)),
      'Set of permissions to take: `reader` sees and changes nothing, `accountant` also codes and exports, `preparer` asks and never decides. Null gives all back.',
    ),
  }),
  v.forward(
    v.check((change) => Object.values(change).some((value) => value !== undefined), 'names_nothing'),
    ['role'],
  ),
  v.forward(
    v.check(
      ({ permissions_removed: removed, preset }) => removed === undefined || preset === undefined,
      'beside_preset',
    ),
    ['permissions_removed'],
  ),
  v.title('MemberChange'),
)
export type MemberChange = v.InferOutput<typeof MemberChange>

export const Transfer = model('OwnershipTransfer', { user_id: id<'user'>() })

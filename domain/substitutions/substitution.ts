/** Substitutions: who reviews approvals for a member while they are away. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { PageQuery, endsWithin, flag, moment } from '../pagination.ts'
import { model, nullableText, remark, timestamp, uuid, describe, object } from '../text.ts'

export const SUBSTITUTION_DAYS_MAX = 90
export const SUBSTITUTIONS_MAX = 20 // planned and active ones of a principal in an organization

const REASON_CHARACTERS_MAX = 500

/** Body of POST …/substitutions. Without `user_id` the caller is the principal. A `from` in the past counts as now. */
export const NewSubstitution = v.pipe(
  object({
    user_id: describe(
      v.optional(v.nullable(id<'user'>())),
      'Id of the member who is away; absent or null: the caller.',
    ),
    substitute_id: id<'user'>(),
    from: describe(moment, 'Instant from which the substitute decides; one in the past counts as now.'),
    until: describe(moment, 'Instant until which the substitute decides, exclusive: at most 90 days after `from`.'),
    reason: remark(REASON_CHARACTERS_MAX),
  }),
  endsWithin('until', SUBSTITUTION_DAYS_MAX),
  v.title('NewSubstitution'),
)
export type NewSubstitution = v.InferOutput<typeof NewSubstitution>

export const SUBSTITUTION_STATUSES = ['planned', 'active', 'ended'] as const
export const SUBSTITUTION_ENDS = ['ended', 'member_left'] as const
export type SubstitutionEnd = (typeof SUBSTITUTION_ENDS)[number]

/**
 * Substitution: `substitute_id` reviews approvals in the role of `user_id`. `ended_at` is null if it ended at `until`;
 * `ended_by` is the person who ended it, or who removed the member.
 */
export const Substitution = model('Substitution', {
  id: uuid,
  organization_id: uuid,
  user_id: describe(uuid, 'Id of the member who is away, the principal.'),
  user_name: describe(nullableText, 'Name of the member who is away.'),
  substitute_id: uuid,
  substitute_name: describe(nullableText, 'Name of the substitute.'),
  from: describe(timestamp, 'Instant from which the substitute decides.'),
  until: describe(timestamp, 'Instant until which the substitute decides, exclusive.'),
  reason: nullableText,
  status: describe(v.picklist(SUBSTITUTION_STATUSES), 'State of the substitution, by time.'),
  created_by: describe(uuid, 'Id of the person who named the substitute.'),
  created_at: timestamp,
  ended_at: describe(
    v.nullable(timestamp),
    'Instant when a person ended it, or one of both left; null if it ends at `until`.',
  ),
  ended_by: describe(v.nullable(uuid), 'Id of the person who ended it, or who removed the member.'),
  end_reason: describe(v.nullable(v.picklist(SUBSTITUTION_ENDS)), 'Why it ended before its time; null if it did not.'),
})
export type Substitution = v.InferOutput<typeof Substitution>

/** Filters: `active` chooses those in force now, or all others. */
export const SubstitutionFilters = v.object({
  ...PageQuery,
  active: v.optional(flag),
  user_id: v.optional(id<'user'>()),
  substitute_id: v.optional(id<'user'>()),
})
export type SubstitutionFilters = v.InferOutput<typeof SubstitutionFilters>

/** Substitutions: who reviews approvals for a member while they are away. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { millisecondsOf } from '../instants.ts'
import { PageQuery, flag, instant } from '../pagination.ts'
import { model, nullableText, remark, timestamp, uuid } from '../text.ts'

export const SUBSTITUTION_DAYS_MAX = 90
export const SUBSTITUTIONS_MAX = 20 // planned and active ones of a principal in an organization

const DAY_MS = 86_400_000
const REASON_CHARACTERS_MAX = 500

/** Instant in whole milliseconds, so that it is compared here as it is kept. */
const moment = v.pipe(
  instant,
  v.transform((text) => new Date(millisecondsOf(text)).toISOString()),
)

type Span = { readonly from: string; readonly until: string }
const lengthOf = ({ from, until }: Span): number => Date.parse(until) - Date.parse(from)

/** Body of POST …/substitutions. Without `user_id` the caller is the principal. A `from` in the past counts as now. */
export const NewSubstitution = v.pipe(
  v.object({
    user_id: v.optional(v.nullable(id<'user'>())),
    substitute_id: id<'user'>(),
    from: moment,
    until: moment,
    reason: remark(REASON_CHARACTERS_MAX),
  }),
  v.forward(
    v.check((span) => lengthOf(span) > 0, 'not_after_from'),
    ['until'],
  ),
  v.forward(
    v.check((span) => lengthOf(span) <= SUBSTITUTION_DAYS_MAX * DAY_MS, `too_far:${SUBSTITUTION_DAYS_MAX}`),
    ['until'],
  ),
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
  user_id: uuid,
  user_name: nullableText,
  substitute_id: uuid,
  substitute_name: nullableText,
  from: timestamp,
  until: timestamp,
  reason: nullableText,
  status: v.picklist(SUBSTITUTION_STATUSES),
  created_by: uuid,
  created_at: timestamp,
  ended_at: v.nullable(timestamp),
  ended_by: v.nullable(uuid),
  end_reason: v.nullable(v.picklist(SUBSTITUTION_ENDS)),
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

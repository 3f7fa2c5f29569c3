/** Calendar periods of limits, and limits as they are answered. */
import * as v from 'valibot'
import { AnswerMoney, model, nullableText, timestamp } from './text.ts'

export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

export const PER = ['person', 'payee', 'organization'] as const
export type Per = (typeof PER)[number]

/** Members that make a rule of the policy a limit. A hard one refuses what reaches it. */
export const limitMembers = {
  period: v.optional(v.picklist(PERIODS)),
  per: v.optional(v.picklist(PER)),
  hard: v.optional(v.boolean()),
}

/** Day of the oldest rate that counted, and the currencies that have none: a limit counts as reached by those. */
const rates = {
  rate_date: nullableText,
  without_rate: v.array(v.string()),
}

/** Limit that was reached by a request: it asked for the steps of its rule. `total` is with this request. */
export const ReachedLimit = model('ReachedLimit', {
  period: v.picklist(PERIODS),
  per: v.picklist(PER),
  limit: AnswerMoney,
  total: AnswerMoney,
  ...rates,
})
export type ReachedLimit = v.InferOutput<typeof ReachedLimit>

/** Limit as it stands before a request, and if the request reaches it. */
export const LimitStanding = model('LimitStanding', {
  period: v.picklist(PERIODS),
  per: v.picklist(PER),
  limit: AnswerMoney,
  used: AnswerMoney,
  left: AnswerMoney,
  hard: v.boolean(),
  reached: v.boolean(),
  resets_at: timestamp,
  ...rates,
})
export type LimitStanding = v.InferOutput<typeof LimitStanding>

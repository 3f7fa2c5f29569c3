/** Calendar periods of limits, and limits as they are answered. */
import * as v from 'valibot'
import { AnswerMoney, model, nullableText, timestamp, describe } from './text.ts'

export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

export const PER = ['person', 'payee', 'organization'] as const
export type Per = (typeof PER)[number]

/** Members that make a rule of the policy a limit. A hard one refuses what reaches it. */
export const limitMembers = {
  period: describe(
    v.optional(v.picklist(PERIODS)),
    'Makes the rule a limit: `amount_from` is compared with the sum of the calendar period, in the time zone of the ' +
      'settings; weeks begin on Monday.',
  ),
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
  period: describe(v.picklist(PERIODS), 'Calendar period over which requests add up.'),
  per: v.picklist(PER),
  limit: AnswerMoney,
  total: describe(AnswerMoney, 'Sum of the period with this request.'),
  ...rates,
})
export type ReachedLimit = v.InferOutput<typeof ReachedLimit>

/** Limit as it stands before a request, and if the request reaches it. */
export const LimitStanding = model('LimitStanding', {
  period: describe(v.picklist(PERIODS), 'Calendar period over which requests add up.'),
  per: v.picklist(PER),
  limit: AnswerMoney,
  used: describe(
    AnswerMoney,
    'Sum of what was requested in the period before; what ended without payment is not in it.',
  ),
  left: describe(AnswerMoney, 'Difference to the limit: less than that may be asked for before it is reached.'),
  hard: v.boolean(),
  reached: describe(v.boolean(), 'True if this request reaches the limit.'),
  resets_at: describe(timestamp, 'Instant at which the next period begins.'),
  ...rates,
})
export type LimitStanding = v.InferOutput<typeof LimitStanding>

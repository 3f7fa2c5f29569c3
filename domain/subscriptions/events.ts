import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { subscriptionFlow } from './flow.ts'
import { AnswerMoney, integer, model, timestamp, uuid } from '../text.ts'

const date = v.pipe(v.string(), v.isoDate())
/** Offer in force from `effective_date` on, the paid month, and the charge of now. */
const change = model(
  'PlanChange',
  {
    offer_id: uuid,
    previous_offer_id: v.nullable(uuid),
    effective_date: date,
    month: v.object({ from: date, until: date }),
    charged: AnswerMoney,
    transaction_id: v.nullable(uuid),
  },
  {
    previous_offer_id: 'Offer before it.',
    effective_date: 'Day from which it is in force.',
    month: 'Month that is paid.',
    charged: 'Amount of now.',
  },
)

export const subscriptionEvents = eventTypes(subscriptionFlow, {
  created: says('A person subscribes to a plan.', change),
  upgraded: says('A person chooses a dearer plan, from now on.', change),
  recommitted: says('A person keeps a plan that was to end or to change.', change),
  downgrade_scheduled: says('A person chooses a cheaper plan, from the next month on.', change),
  change_scheduled: says('A person chooses another plan of the same price, from the next month on.', change),
  renewed: says('The next month of a subscription is paid.', change),
  renewal_failed: says(
    'The next month cannot be paid; it is tried again at the time that is named, if any.',
    v.object({
      reason: v.literal('insufficient_funds'),
      required: AnswerMoney,
      attempt: integer,
      next_attempt_at: v.nullable(timestamp),
    }),
  ),
  renewal_held: says('The next month waits: no money of the organization moves at present.'),
  end_scheduled: says('A person ends a subscription with its month.', v.object({ effective_date: date })),
  scheduled_change_cancelled: says(
    'A person drops the change or the end that was scheduled.',
    v.object({ offer_id: uuid, dropped_offer_id: v.nullable(uuid) }),
  ),
})

export const subscriptionMoves = moveTypes(subscriptionFlow, {
  expire: says(
    'A subscription is over.',
    v.object({ reason: v.picklist(['ended', 'renewal_failed', 'organization_banned', 'organization_deleted']) }),
  ),
})

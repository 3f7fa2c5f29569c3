/** Events of adjustments. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { adjustmentFlow } from './flow.ts'
import { nullableText } from '../text.ts'

/** The two statuses, and the credit of each account in one currency. */
const booking = v.object({
  own_status: nullableText,
  partner_status: nullableText,
  partner_amount: nullableText,
  currency: v.string(),
  clearing: v.string(),
  receivable: v.string(),
  available: v.string(),
  payable: v.string(),
})

export const adjustmentEvents = eventTypes(adjustmentFlow, {
  proposed: says('An operator proposes a booking.', booking),
})

export const adjustmentMoves = moveTypes(adjustmentFlow, {
  confirm: says('Another operator confirms a booking: it is booked.', booking),
  withdraw: says('An operator takes a proposal back.'),
})

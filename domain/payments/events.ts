/** Events of payments. They never hold notes or coordinates. */
import * as v from 'valibot'
import { Labels } from '../coding/label.ts'
import { attachmentEvents } from '../attachments/events.ts'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { EXTERNAL_MEMBERS, ExternalInEvent } from '../external.ts'
import { paymentFlow } from './flow.ts'
import { MONEY_PARTNERS } from '../partner.ts'
import { PAYEE_RESULTS } from '../payee-checks/payee-check.ts'
import { RAILS } from '../rails.ts'
import { AnswerMoney, integer, model, nullableText, uuid } from '../text.ts'

/** Update that moved the payment; null if no partner did. */
const word = {
  partner: v.picklist(MONEY_PARTNERS),
  connection: v.optional(v.string()),
  version: integer,
  reference: nullableText,
}
const update = v.nullable(
  model('PartnerUpdate', word, { version: 'Grows with each update.', partner: 'Kind of the partner.' }),
)

const failed = says(
  'A payment fails; money that was held for it is available again.',
  v.nullable(v.object({ ...v.partial(v.object(word)).entries, reason: v.optional(v.string()) })),
)
const cancelled = says('A payment ends before it is paid, and its money is available again.', update)

export const paymentEvents = eventTypes(paymentFlow, {
  created: says(
    'A person orders a payment, or a batch does for one of its rows.',
    v.object({
      rail: v.picklist(RAILS),
      quote_id: v.nullable(uuid),
      payment_batch_id: v.nullable(uuid),
      deducting: AnswerMoney,
      landing: AnswerMoney,
      fee: AnswerMoney,
      rate: nullableText,
      ...ExternalInEvent,
    }),
  ),
  updated: says(
    'A person changes notes, tag, labels, external id or metadata of a payment.',
    v.object({
      changed: v.array(v.picklist(['internal_notes', 'labels', 'tag', ...EXTERNAL_MEMBERS])),
      ...ExternalInEvent,
      tag: v.optional(nullableText),
      labels: v.optional(Labels),
    }),
  ),
  payee_checked: says(
    'The bank is asked again about the payee of a payment; another answer than before may end it.',
    v.object({ payee_check_id: uuid, result: v.picklist(PAYEE_RESULTS), ends: v.boolean() }),
  ),
  ...attachmentEvents('a payment'),
  adjusted: says('Two operators book what a partner says of a payment.', v.object({ adjustment_id: uuid })),
})

export const paymentMoves = moveTypes(paymentFlow, {
  submit: says('A payment is approved, and its day has come; its money is held, and it is to be paid.'),
  schedule: says('A payment is approved, and waits for its day; no money is held before.'),
  unschedule: says('A person ends a payment that waits for its day; it is cancelled.'),
  withdraw: cancelled,
  accept: says('The partner takes a payment on, or the service itself does.', update),
  hold: says('A payment waits until a person at the partner, or an operator, has looked.', update),
  fall_back: says('The partner refuses an instant payment; it is ordered again as a standard one.', update),
  release: says('A payment that was held goes on.', update),
  cancel: says('A person asks for the cancellation of a payment.'),
  confirm_cancel: cancelled,
  broadcast: says('A payment cannot be cancelled any more: it is on the blockchain.', update),
  miss: failed,
  fail: failed,
  settle: says('A payment is paid, and its money has left.', update),
  reverse: says(
    'The partner returns a payment that was paid; what came back is available again, without the fee.',
    v.nullable(v.object({ ...word, returned: v.optional(AnswerMoney), charges: v.optional(AnswerMoney) })),
  ),
})

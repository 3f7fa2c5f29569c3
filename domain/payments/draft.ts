/** Draft of a payment: what was asked for, as bodies to send again, for example after it was sent back. */
import * as v from 'valibot'
import { AnswerMoney, describe, model, nullableText, uuid } from '../text.ts'
import { Labels } from '../coding/label.ts'
import { TAGS } from '../contacts/contact.ts'
import { SIDES } from './quote.ts'
import { PaceEntries } from './speed.ts'
import { day } from '../pagination.ts'

export const PaymentDraft = model('PaymentDraft', {
  bill_id: describe(v.nullable(uuid), 'Id of the bill that it paid, at which it is asked for again; null without one.'),
  quote: describe(
    v.nullable(
      model('PaymentDraftQuote', {
        payment_contact_id: uuid,
        destination_id: uuid,
        amount: describe(AnswerMoney, 'Amount of the side that was fixed.'),
        side: describe(v.picklist(SIDES), 'Side that `amount` fixes: `deducting` or `landing`.'),
        tag: v.nullable(v.picklist(TAGS)),
        ...PaceEntries,
      }),
    ),
    'Body of POST /payments/preflight; null if it was paid without a quote.',
  ),
  payment: describe(
    model('PaymentDraftOrder', {
      payment_contact_id: uuid,
      amount: describe(AnswerMoney, 'Amount that arrives.'),
      payout_reason: v.string(),
      statement_description: v.string(),
      internal_notes: nullableText,
      labels: Labels,
      execute_on: v.nullable(day),
      former_approval_id: describe(v.nullable(uuid), 'Id of its request if that was sent back; else null.'),
    }),
    'Body of POST /payments, or with the id of a new quote that of POST /payments/execute.',
  ),
})
export type PaymentDraft = v.InferOutput<typeof PaymentDraft>

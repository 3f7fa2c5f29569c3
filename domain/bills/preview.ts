/** Preview of a bill's payment: what a request would do now. */
import * as v from 'valibot'
import { PayeeCheck } from '../payee-checks/payee-check.ts'
import { QuoteFee, QuoteNotice } from '../payments/quote.ts'
import { Schedule } from '../payments/schedule.ts'
import { AnswerMoney, describe, integer, model, nullableText, timestamp, uuid } from '../text.ts'

/** Members of a request by which a person says that they know of a doubt. */
export const ACKNOWLEDGEMENTS = [
  'acknowledge_missing_number',
  'acknowledge_duplicate',
  'acknowledge_bank_details',
  'acknowledge_payee_check',
] as const
export type Acknowledgement = (typeof ACKNOWLEDGEMENTS)[number]

/** Answer of POST /bills/{bill_id}/preflight. Without a payment, its members are null or empty. */
export const PaymentPreview = model('BillPaymentPreview', {
  payment_contact_id: describe(v.nullable(uuid), 'Contact that is paid; null: none yet.'),
  payee: describe(nullableText, 'Name of the contact, also of one that the request makes.'),
  account: describe(nullableText, 'IBAN or number of the account that is paid.'),
  waits_for_contact: describe(v.boolean(), 'True if the contact has to be approved before.'),
  landing: v.nullable(AnswerMoney),
  deducting: v.nullable(AnswerMoney),
  fees: v.array(QuoteFee),
  estimated_arrival: describe(v.nullable(timestamp), 'Instant at which it arrives, as estimated.'),
  schedule: describe(v.nullable(Schedule), 'Day on which it is paid; null: once it is approved.'),
  approvers_needed: describe(v.nullable(integer), 'Number of people who must approve.'),
  payee_check: v.nullable(PayeeCheck),
  acknowledgements: describe(v.array(v.picklist(ACKNOWLEDGEMENTS)), 'Members of the request that have to be true.'),
  warnings: v.array(QuoteNotice),
  blocked_by: describe(v.array(QuoteNotice), 'Refusal of the request; empty if none.'),
  missing: describe(v.array(v.string()), 'Fields of the bill that are missing.'),
})
export type PaymentPreview = v.InferOutput<typeof PaymentPreview>

/** The approval of a payment contact, or of a change of where it is paid. */
import * as v from 'valibot'
import type { Action } from '../approval-action.ts'
import { contactFlow } from './flow.ts'
import { PayeeCheckInSubject } from '../payee-checks/payee-check.ts'
import { PayeeAddress } from '../destinations/payee-address.ts'
import { model, nullableText, timestamp, uuid, describe } from '../text.ts'

/** `account` is the end of a bank account; `address` and `memo` of a wallet are whole, as payments show them. */
const DestinationInSubject = model('PaymentContactViewDestination', {
  id: uuid,
  type: v.string(),
  label: nullableText,
  svc_id: nullableText,
  account: describe(nullableText, 'End of the bank account; the destination has the rest.'),
  account_holder_name: describe(nullableText, 'Name of the holder of a bank account; else null.'),
  country_code: describe(nullableText, 'Country of a bank account; else null.'),
  currency: describe(nullableText, 'Currency or coin that it is paid in.'),
  network: describe(nullableText, 'Network of a wallet; else null.'),
  address: describe(nullableText, 'Whole address of a wallet; else null.'),
  memo: describe(nullableText, 'Memo of a wallet; else null.'),
  default: describe(v.boolean(), 'True if payments go to it now.'),
  new: describe(v.boolean(), 'True if it is asked for with this approval.'),
  becomes_default: v.boolean(),
  payee_address: v.nullable(PayeeAddress),
  payee_check: describe(
    v.nullable(PayeeCheckInSubject),
    'Answer of the bank before it was asked for; null if it was not asked.',
  ),
})

/** Another payee whose name looks the same, as it was when the approval was asked for. */
const Alike = model('PaymentContactAlike', { payment_contact_id: uuid, name: v.string() })
export type Alike = v.InferOutput<typeof Alike>

const ContactSubject = model('PaymentContactTarget', {
  type: v.literal('payment_contact'),
  payment_contact: describe(
    model('PaymentContactView', {
      id: uuid,
      name: v.string(),
      becomes_name: nullableText,
      type: v.string(),
      email: nullableText,
      tag: nullableText,
      payee_address: v.nullable(PayeeAddress),
      status: v.string(),
      created_at: timestamp,
      deleted_at: v.nullable(timestamp),
      looks_like: describe(
        v.array(Alike),
        'Other payees whose name looks the same, at most five, as they were when it was asked for.',
      ),
      destinations: v.array(DestinationInSubject),
    }),
    'Payment contact.',
  ),
})

export const paymentContact = {
  type: 'payment_contact',
  title: 'Approve a payment contact',
  permissions: ['payment_contacts.create'],
  hasAmount: false,
  waitsByDefault: false,
  targets: ['payment_contact'],
  flow: contactFlow,
  subjects: [ContactSubject],
} as const satisfies Action

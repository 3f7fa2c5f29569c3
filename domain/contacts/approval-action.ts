/** The approval of a payment contact, or of a change of where it is paid. */
import * as v from 'valibot'
import type { Action } from '../approvals/action.ts'
import { contactFlow } from '../flows/contact.ts'
import { PayeeAddress } from './payee-address.ts'
import { model, nullableText, timestamp, uuid } from '../text.ts'

const ContactSubject = model('PaymentContactTarget', {
  type: v.literal('payment_contact'),
  payment_contact: model('PaymentContactView', {
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
    destinations: v.array(
      model('PaymentContactViewDestination', {
        id: uuid,
        type: v.string(),
        label: nullableText,
        svc_id: nullableText,
        account: nullableText,
        default: v.boolean(),
        new: v.boolean(),
        becomes_default: v.boolean(),
        payee_address: v.nullable(PayeeAddress),
      }),
    ),
  }),
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

/** The approval of a payment contact, or of a change of where it is paid. */
import * as v from 'valibot'
import type { Action } from '../approval-action.ts'
import { contactFlow } from './flow.ts'
import { PayeeCheckInSubject } from '../payee-checks/payee-check.ts'
import { PayeeAddress } from '../destinations/payee-address.ts'
import { model, nullableText, timestamp, uuid } from '../text.ts'

/** `account` is the end of a bank account; `address` and `memo` of a wallet are whole, as payments show them. */
const DestinationInSubject = model('PaymentContactViewDestination', {
  id: uuid,
  type: v.string(),
  label: nullableText,
  svc_id: nullableText,
  account: nullableText,
  account_holder_name: nullableText,
  country_code: nullableText,
  currency: nullableText,
  network: nullableText,
  address: nullableText,
  memo: nullableText,
  default: v.boolean(),
  new: v.boolean(),
  becomes_default: v.boolean(),
  payee_address: v.nullable(PayeeAddress),
  payee_check: v.nullable(PayeeCheckInSubject),
})

/** Another payee whose name looks the same, as it was when the approval was asked for. */
const Alike = model('PaymentContactAlike', { payment_contact_id: uuid, name: v.string() })
export type Alike = v.InferOutput<typeof Alike>

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
    looks_like: v.array(Alike),
    destinations: v.array(DestinationInSubject),
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

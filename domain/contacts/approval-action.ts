/** The approval of a payment contact, or of a change of where it is paid. */
import * as v from 'valibot'
import type { Action } from '../approvals/action.ts'
import { contactFlow } from '../flows/contact.ts'
import { nullableText, timestamp, uuid } from '../text.ts'

const ContactSubject = v.object({
  type: v.literal('payment_contact'),
  payment_contact: v.object({
    id: uuid,
    name: v.string(),
    /** Its name as soon as this approval is given; null if it keeps its own. */
    becomes_name: nullableText,
    type: v.string(),
    email: nullableText,
    tag: nullableText,
    status: v.string(),
    created_at: timestamp,
    deleted_at: v.nullable(timestamp),
    destinations: v.array(
      v.object({
        id: uuid,
        type: v.string(),
        label: nullableText,
        svc_id: nullableText,
        account: nullableText,
        /** Paid at now. */
        default: v.boolean(),
        /** Asked for with this approval. */
        new: v.boolean(),
        /** Paid at as soon as this approval is given. */
        becomes_default: v.boolean(),
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

/** Events of payment contacts and destinations, without bank details and addresses. */
import * as v from 'valibot'
import { attachmentEvents } from '../attachments/events.ts'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { EXTERNAL_MEMBERS, ExternalInEvent } from '../external.ts'
import { contactFlow } from './flow.ts'
import { uuid } from '../text.ts'
import { PaymentContact } from './contact.ts'
import { DESTINATION_TYPES } from '../destinations/destination.ts'

const destination = {
  id: uuid,
  type: v.picklist(DESTINATION_TYPES),
  svc_id: v.optional(v.string()),
  ...ExternalInEvent,
}
const ofContact = v.object({ payment_contact_id: uuid })

export const contactEvents = eventTypes(contactFlow, {
  created: says(
    'A person adds a payment contact, or a batch names somebody in its file alone.',
    v.object({
      name: v.string(),
      type: PaymentContact.entries.type,
      destinations: v.array(v.object(destination)),
      ...ExternalInEvent,
    }),
  ),
  updated: says(
    'A person changes a payment contact at once.',
    v.object({
      changed: v.array(v.picklist(['name', 'email', 'tag', 'payee_address', 'coding', ...EXTERNAL_MEMBERS])),
      name: v.optional(v.string()),
      ...ExternalInEvent,
    }),
  ),
  ...attachmentEvents('a payment contact'),
})

export const contactMoves = moveTypes(contactFlow, {
  approve: says(
    'A payment contact is approved, or a change of one; with its name if that changes.',
    v.nullable(v.object({ name: v.string() })),
  ),
  refuse: says('A new payment contact is not approved.'),
  change: says('A person asks for a change of a payment contact that has to be approved.'),
  keep: says('A change of a payment contact is not approved: it stays as it was.'),
  remove: says('A person deletes a payment contact.'),
})

export const destinationEvents = eventTypes(
  { noun: 'payment_destination', table: 'payment_destinations' },
  {
    created: says(
      'A person adds a destination of a payment contact.',
      v.object({ ...ofContact.entries, ...destination }),
    ),
    updated: says(
      'A person changes the label, external id or metadata of a destination.',
      v.object({ changed: v.array(v.picklist(['label', ...EXTERNAL_MEMBERS])), ...ExternalInEvent }),
    ),
    made_default: says('A destination becomes the one that its contact is paid at.', ofContact),
    confirmed_by_callback: says('A person records that the payee confirmed the account when called.', ofContact),
    deleted: says('A person deletes a destination.', ofContact),
  },
)

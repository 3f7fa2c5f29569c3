/** Log events of bills. Bank details and addresses appear by name only, an account by its end. */
import * as v from 'valibot'
import { attachmentEvents } from '../attachments/events.ts'
import { eventTypes, finds, moveTypes, says } from '../event-type.ts'
import { ExternalInEvent, EXTERNAL_MEMBERS } from '../external.ts'
import { PAYMENT_STATUSES } from '../payments/flow.ts'
import { billFlow } from './flow.ts'
import { nullableText, uuid } from '../text.ts'
import { ADDRESS_FIELDS, BANK_DETAILS, BILL_FIELDS, STATED_FIELDS } from './fields.ts'

const said = v.optional(nullableText)
const bankDetails = v.array(v.picklist(BANK_DETAILS))
const typed = {
  ...(Object.fromEntries(STATED_FIELDS.map((name) => [name, said])) as Record<
    (typeof STATED_FIELDS)[number],
    typeof said
  >),
  not_payable: said,
  bank_details: v.optional(bankDetails),
  payee_address: v.optional(v.array(v.picklist(ADDRESS_FIELDS))),
}

export const billEvents = eventTypes(billFlow, {
  created: says(
    'A bill is added: a person brings a file or types it, or a mail brings it.',
    v.object({
      file_id: v.optional(uuid),
      filename: v.optional(v.string()),
      sha256: v.optional(v.string()),
      inbound_mail_id: v.optional(uuid),
      ...typed,
      ...ExternalInEvent,
    }),
  ),
  updated: says(
    'A person types fields of a bill (null empties one), its external id or metadata.',
    v.object({ ...typed, changed: v.optional(v.array(v.picklist(EXTERNAL_MEMBERS))), ...ExternalInEvent }),
  ),
  bank_details_changed: says(
    'A person changes the account that a bill is paid to.',
    v.object({ fields: bankDetails, before: nullableText, after: nullableText }),
  ),
  ...attachmentEvents('a bill'),
  coded: says('A person codes lines of a bill; it names their numbers.', v.object({ lines: v.array(v.number()) })),
  read: finds('A reader finds fields in the file of a bill.'),
  duplicate_found: finds('Another bill is found that may be the same.'),
  bank_details_differ: finds('A bill names an account that its supplier did not have before.'),
})

export const billMoves = moveTypes(billFlow, {
  read: says('The file of a bill is read.', v.object({ fields: v.array(v.picklist(BILL_FIELDS)) })),
  give_up: says('The file of a bill cannot be read.', v.object({ reason: v.string() })),
  extract: says('A person has the file of a bill read again.'),
  request_payment: says(
    'A person asks for the payment of a bill, or a row of an approved batch pays it.',
    v.object({
      payment_id: uuid,
      payment_batch_id: v.optional(uuid),
      acknowledged_duplicate: v.optional(v.literal(true)),
      acknowledged_missing_number: v.optional(v.literal(true)),
      acknowledged_bank_details: v.optional(v.literal(true)),
      acknowledged_payee_check: v.optional(v.literal(true)),
    }),
  ),
  payment_ended: says(
    'The payment of a bill ends without having paid it; the bill can be paid again.',
    v.object({ payment_id: uuid, status: v.picklist(PAYMENT_STATUSES) }),
  ),
  cancel: says('A person puts a bill away that nobody pays.'),
})

/** Event types of invoices: none names a recipient. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { ExternalInEvent } from '../external.ts'
import { invoiceFlow } from './flow.ts'
import { integer, nullableText, timestamp, uuid } from '../text.ts'

const draft = {
  billing_contact_id: v.nullable(uuid),
  currency: v.string(),
  due_date: nullableText,
  total: v.string(),
  ...ExternalInEvent,
}
const file = v.object({ sha256: v.string(), byte_size: integer })
const allocation = { allocation_id: uuid, transaction_id: uuid, amount: v.string(), currency: v.string() }
const mails = v.object({ mails: integer })
const mail = v.object({ mail_id: uuid, kind: v.picklist(['invoice', 'reminder', 'resend']), tries: integer })
const reopened = says(
  'What paid an invoice is taken back: it is open again.',
  v.object({ due_amount: v.string(), currency: v.string() }),
)

export const invoiceEvents = eventTypes(invoiceFlow, {
  created: says('A person begins an invoice.', v.object(draft)),
  updated: says(
    'A person changes the draft of an invoice, or the external id or metadata of any.',
    v.object({ changed: v.array(v.string()), ...draft }),
  ),
  deleted: says('A person deletes the draft of an invoice.'),
  written: says('The files of an invoice are there.', v.object({ pdf: file, xml: v.nullable(file) })),
  link_revoked: says('A person revokes the public page of an invoice.'),
  mailed: says('An invoice is mailed to the customer.', mails),
  resent: says('A person has an invoice mailed again.', mails),
  reminded: says(
    'A customer is reminded, so many days after the due date; negative ones are before it.',
    v.object({ ...mails.entries, day: v.nullable(integer) }),
  ),
  mail_delivered: says('A mail of an invoice is handed over.', mail),
  mail_failed: says('A mail of an invoice cannot be handed over.', mail),
  allocated: says(
    'A transaction pays an invoice, or a part of it; `matched` says by what it was found.',
    v.object({ ...allocation, matched: v.optional(v.string()), same_amount: v.optional(v.literal(true)) }),
  ),
  credited: says(
    'A credit note is sent that takes back a part of an invoice, or all of it.',
    v.object({ credit_note_id: uuid, number: v.string(), amount: v.string(), currency: v.string() }),
  ),
  allocation_taken_back: says('A person takes back what a transaction pays of an invoice.', v.object(allocation)),
})

export const invoiceMoves = moveTypes(invoiceFlow, {
  submit: says('A person submits an invoice, which has to be approved.'),
  refuse: says('An invoice is not approved: it is a draft again.'),
  send: says(
    'An invoice gets its number, and its document is frozen.',
    v.object({ number: v.string(), total: v.string(), currency: v.string() }),
  ),
  finalize: says(
    'A person writes down what the customer agrees to pay.',
    v.object({ accepted_amount: v.string(), total: v.string() }),
  ),
  pay: says(
    'An invoice is paid: by money, elsewhere, or since a credit note or an early payment left nothing due.',
    v.object({
      elsewhere: v.boolean(),
      transaction_id: v.nullable(uuid),
      paid_at: v.nullable(timestamp),
      settled_by: v.optional(v.picklist(['credit', 'early_payment'])),
    }),
  ),
  reopen: reopened,
  reopen_finalized: reopened,
})

/** Event types of credit notes: none names a recipient. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { ExternalInEvent } from '../external.ts'
import { creditNoteFlow } from '../invoices/credit-note-flow.ts'
import { integer, uuid } from '../text.ts'

const draft = { invoice_id: uuid, total: v.string(), currency: v.string(), ...ExternalInEvent }
const file = v.object({ sha256: v.string(), byte_size: integer })
const mails = v.object({ mails: integer })
const mail = v.object({ mail_id: uuid, kind: v.picklist(['credit_note', 'resend']), tries: integer })

export const creditNoteEvents = eventTypes(creditNoteFlow, {
  created: says('A person begins a credit note of an invoice.', v.object(draft)),
  updated: says(
    'A person changes the draft of a credit note, or the external id or metadata of any.',
    v.object({ changed: v.array(v.string()), ...draft }),
  ),
  deleted: says('A person deletes the draft of a credit note.'),
  written: says('The files of a credit note are there.', v.object({ pdf: file, xml: v.nullable(file) })),
  mailed: says('A credit note is mailed to the customer.', mails),
  resent: says('A person has a credit note mailed again.', mails),
  mail_delivered: says('A mail of a credit note is handed over.', mail),
  mail_failed: says('A mail of a credit note cannot be handed over.', mail),
})

export const creditNoteMoves = moveTypes(creditNoteFlow, {
  submit: says('A person submits a credit note, which has to be approved.'),
  refuse: says('A credit note is not approved: it is a draft again.'),
  send: says(
    'A credit note gets its number, and its document is frozen: the invoice is credited.',
    v.object({ invoice_id: uuid, number: v.string(), total: v.string(), currency: v.string() }),
  ),
})

/** Events of receiving accounts and of the feed, which has notes as a hash alone. */
import * as v from 'valibot'
import { attachmentEvents } from '../attachments/events.ts'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { receivingAccountFlow } from './flow.ts'

export const receivingAccountEvents = eventTypes(receivingAccountFlow, {
  requested: says('An account to be paid at is asked for at a partner.'),
})

export const receivingAccountMoves = moveTypes(receivingAccountFlow, {
  open: says('The partner opens an account to be paid at.'),
})

export const transactionEvents = eventTypes(
  { noun: 'transaction', table: 'transactions' },
  {
    annotated: says(
      'A person changes category, labels or notes of a transaction.',
      v.object({ changed: v.array(v.picklist(['category', 'internal_notes', 'labels'])), hash: v.string() }),
    ),
    ...attachmentEvents('a transaction'),
  },
)

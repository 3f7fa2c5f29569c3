/** Events of mails that bring bills, and of the addresses that take them. No event names a sender or a subject. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { uuid } from '../text.ts'
import { inboundMailFlow } from './flow.ts'
import { FILE_OUTCOMES, REMEMBERED, WITHOUT_BILL } from './inbound-mail.ts'

export const mailboxEvents = eventTypes(
  { noun: 'bill_mailbox', table: 'bill_mailboxes' },
  {
    created: says('A person opens an address for bills.'),
    renamed: says('A person renames an address for bills.'),
    closed: says('A person ends an address for bills: it takes no mail any more.'),
  },
)

export const inboundMailEvents = eventTypes(inboundMailFlow, {
  received: says('A mail comes in at an address for bills.', v.object({ bill_mailbox_id: uuid, sha256: v.string() })),
  sender_forgotten: says('A person takes back that the sender of a mail is accepted for always.'),
})

const files = v.array(v.object({ outcome: v.picklist(FILE_OUTCOMES), bill_id: v.optional(uuid) }))

export const inboundMailMoves = moveTypes(inboundMailFlow, {
  take: says('A mail of a known sender is read; it says what each file led to.', v.object({ files })),
  hold: says('A mail is read whose sender is not known, or not proved.', v.object({ files })),
  find_nothing: says('A mail has no bill, or cannot be read.', v.object({ files, reason: v.picklist(WITHOUT_BILL) })),
  repeat: says('A mail turns out to be one that came before.', v.object({ duplicate_of: uuid })),
  accept: says('A person accepts the sender of a mail.', v.object({ remember: v.picklist(REMEMBERED) })),
  refuse: says('A person refuses a mail; bills of it alone are put away.', v.object({ bill_ids: v.array(uuid) })),
})

/** Events of invitations: never with the address, which could not be erased there. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { invitationFlow } from './flow.ts'
import { PRESET_NAMES, ROLES } from '../permissions.ts'
import { uuid } from '../text.ts'

export const invitationEvents = eventTypes(invitationFlow, {
  created: says(
    'A person invites somebody into the organization.',
    v.object({
      role: v.picklist(ROLES),
      card_approved: v.boolean(),
      card_limit: v.nullable(v.number()),
      preset: v.optional(v.nullable(v.picklist(PRESET_NAMES))),
      approval_request_id: v.nullable(uuid),
    }),
  ),
  resent: says('A person has the mail of an invitation sent again; the link before it works no more.'),
})

export const invitationMoves = moveTypes(invitationFlow, {
  approve: says('An invitation is approved, and mailed.'),
  refuse: says('An invitation is not approved.'),
  accept: says('Who was invited joins the organization.'),
  decline: says('Who was invited declines.'),
  delete: says(
    'An invitation is taken back, or its inviter may not send it any more.',
    v.object({ reason: v.string() }),
  ),
  expire: says('Nobody answered an invitation in time.'),
})

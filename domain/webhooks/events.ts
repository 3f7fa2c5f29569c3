import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { DISABLED_REASONS, webhookEndpointFlow } from './flow.ts'
import { integer, timestamp } from '../text.ts'

export const endpointEvents = eventTypes(webhookEndpointFlow, {
  created: says('A person has events delivered to an address.', v.object({ types: v.array(v.string()) })),
  updated: says(
    'A person changes an endpoint; the members that changed are named.',
    v.object({ changed: v.array(v.picklist(['url', 'types', 'description'])) }),
  ),
  secret_rotated: says(
    'A person gives an endpoint another secret; until the time that is named the one before it signs, too.',
    v.object({ previous_secret_expires_at: v.nullable(timestamp) }),
  ),
  failed: says(
    'An endpoint takes nothing of what is delivered, again and again; deliveries are tried less often from then on.',
    v.object({ failures: integer }),
  ),
  recovered: says('An endpoint that failed takes deliveries again.'),
})

export const endpointMoves = moveTypes(webhookEndpointFlow, {
  disable: says(
    'A person disables an endpoint, or it is disabled because its receiver is gone or does nothing but fail.',
    v.object({ reason: v.picklist(DISABLED_REASONS) }),
  ),
  enable: says('A person enables an endpoint; delivery goes on where it stopped.'),
  delete: says('A person deletes an endpoint, or its organization is deleted.'),
})

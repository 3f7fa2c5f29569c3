/** Events of connections with accounting programs; never a token. */
import * as v from 'valibot'
import { eventTypes, moveTypes, says } from '../event-type.ts'
import { connectionFlow } from './connection-flow.ts'

export const connectionEvents = eventTypes(connectionFlow, {
  connected: says(
    'A person connects the organization with its accounting program.',
    v.object({ provider: v.string(), tenant_id: v.string(), tenant_name: v.string() }),
  ),
})

export const connectionMoves = moveTypes(connectionFlow, {
  refuse: says('The accounting program does not take the consent any more: somebody has to connect again.'),
  reconnect: says('A person connects again.'),
  disconnect: says('A person ends a connection: nothing is posted any more.'),
  end: says('The accounting program knows that a connection is over.'),
})

export const mappingEvents = eventTypes(
  { noun: 'accounting_mappings', table: 'accounting_mappings' },
  { changed: says('A person chooses other accounts for what is posted.', v.object({ changed: v.array(v.string()) })) },
)

/** The log of an organization. */
import * as v from 'valibot'
import { listHeads, publicKeys } from '../../db/events/heads.ts'
import { findEvent, listEvents } from '../../db/events/log.ts'
import { verifyLog } from '../../db/events/verification.ts'
import { LoggedEvent } from '../../domain/event.ts'
import { EventHead, EventLogKey } from '../../domain/events/head.ts'
import { LogFilters } from '../../domain/events/log.ts'
import { Verification, VerificationQuery } from '../../domain/events/verification.ts'
import { id } from '../../domain/ids.ts'
import { PageQuery, onePage, pageOf } from '../../domain/pagination.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

export const events = [
  route({
    method: 'get',
    path: '/organizations/{organization_id}/events',
    operationId: 'listEvents',
    summary: 'List what happened in the organization, in the order of its log, newest first',
    note: 'An event is in the list a moment after it happened, and then keeps its place: none ever appears in front of another.',
    tag: 'Events',
    can: 'transactions.list_all',
    ...inPath('organization'),
    query: LogFilters,
    returns: pageOf(LoggedEvent),
    handle: ({ read, query }) => listEvents(read, query),
  }),
  route({
    method: 'get',
    path: '/organizations/{organization_id}/events/verify',
    operationId: 'verifyEvents',
    summary: 'Take every hash of the log again; of a long log, of up to 100,000 events behind the cursor',
    tag: 'Events',
    can: 'transactions.list_all',
    ...inPath('organization'),
    query: VerificationQuery,
    returns: Verification,
    handle: ({ read, query }) => verifyLog(read, query.cursor),
  }),
  route({
    method: 'get',
    path: '/organizations/{organization_id}/events/heads',
    operationId: 'listEventHeads',
    summary: 'List the heads of the log that were signed and published, one a day, newest first',
    tag: 'Events',
    can: 'transactions.list_all',
    ...inPath('organization'),
    query: v.object(PageQuery),
    returns: pageOf(EventHead),
    handle: ({ read, query }) => listHeads(read, query),
  }),
  route({
    method: 'get',
    path: '/meta/event-log-keys',
    operationId: 'listEventLogKeys',
    summary: 'List the public keys that verify the heads of logs',
    tag: 'Events',
    credential: 'none',
    cacheable: true,
    returns: pageOf(EventLogKey),
    handle: async () => onePage(publicKeys()),
  }),
  route({
    method: 'get',
    path: '/organizations/{organization_id}/events/{event_id}',
    operationId: 'getEvent',
    summary: 'Read an event; one that was written a moment ago has no place in the log yet',
    tag: 'Events',
    can: 'transactions.list_all',
    ...inPath('organization', { event_id: id<'event'>() }),
    returns: LoggedEvent,
    handle: ({ read, params }) => findEvent(read, params.event_id),
  }),
]

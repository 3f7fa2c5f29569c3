import * as v from 'valibot'
import { listHeads, publicJsonWebKeys, publicKeys } from '../../services/events/heads.ts'
import { findEvent, listEvents } from '../../services/events/log.ts'
import { verifyLog } from '../../services/events/verification.ts'
import { LoggedEvent } from '../../domain/event.ts'
import {
  EventHead,
  EventLogKey,
  JsonWebKeySet,
  LogFilters,
  Verification,
  VerificationQuery,
} from '../../domain/events/log.ts'
import { PageQuery, onePage, pageOf } from '../../domain/pagination.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Events')

const LOG = '/organizations/{organization_id}/events'

export const events = [
  query(LOG, 'listEvents')
    .says(
      'List events in the order of the log, newest first',
      'An event is in the list a moment after it happened, and then keeps its place: none ever appears in front ' +
        'of another.',
    )
    .of('organization')
    .delegates('read')
    .can('transactions.list_all')
    .filters(LogFilters)
    .answers(pageOf(LoggedEvent))
    .does(({ read, query }) => listEvents(read, query)),
  query(`${LOG}/verify`, 'verifyEvents')
    .says('Verify the hashes of the log', 'At most 100,000 events behind the cursor.')
    .of('organization')
    .delegates('read')
    .can('transactions.list_all')
    .filters(VerificationQuery)
    .answers(Verification)
    .does(({ read, query }) => verifyLog(read, query.cursor)),
  query(`${LOG}/heads`, 'listEventHeads')
    .says('List the signed heads of the log, newest first', 'One is published each day.')
    .of('organization')
    .delegates('read')
    .can('transactions.list_all')
    .filters(v.object(PageQuery))
    .answers(pageOf(EventHead))
    .does(({ read, query }) => listHeads(read, query)),
  query('/meta/event-log-keys', 'listEventLogKeys')
    .says('List the public keys that verify the heads of logs')
    .for('anyone')
    .cached(true)
    .answers(pageOf(EventLogKey))
    .does(async () => onePage(publicKeys())),
  query('/.well-known/jwks.json', 'listJsonWebKeys')
    .says('List the public keys that verify signed approvals (RFC 7517)')
    .for('anyone')
    .atRoot()
    .cached(true)
    .answers(JsonWebKeySet)
    .does(async () => ({ keys: publicJsonWebKeys() })),
  query(`${LOG}/{event_id}`, 'getEvent')
    .says('Read an event', 'A recent event has no place in the log yet.')
    .of('organization')
    .delegates('read')
    .can('transactions.list_all')
    .answers(LoggedEvent)
    .does(({ read, params }) => findEvent(read, params.event_id)),
]

/** A person's own log of what happened to their account. */
import * as v from 'valibot'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { SECURITY_EVENTS, SecurityEvent } from '../../domain/people/security-event.ts'
import { listSecurityEvents } from '../../db/people/security-log.ts'
import { route } from '../http/route.ts'

export const securityEvents = [
  route({
    method: 'get',
    path: '/me/security-events',
    operationId: 'listSecurityEvents',
    summary: 'List what happened to your account, newest first',
    tag: 'Me',
    query: v.object({ ...PageQuery, type: v.optional(v.picklist(SECURITY_EVENTS)) }),
    returns: pageOf(SecurityEvent),
    handle: ({ person, query }) => listSecurityEvents(person.userId, query),
  }),
]

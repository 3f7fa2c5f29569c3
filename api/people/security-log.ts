/** A person's own log of what happened to their account. */
import * as v from 'valibot'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { SECURITY_EVENTS, SecurityEvent } from '../../domain/people/security-event.ts'
import { listSecurityEvents } from '../../db/people/security-log.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Me')

export const securityEvents = [
  query('/me/security-events', 'listSecurityEvents')
    .says('List what happened to your account, newest first')
    .filters(v.object({ ...PageQuery, type: v.optional(v.picklist(SECURITY_EVENTS)) }))
    .answers(pageOf(SecurityEvent))
    .does(({ person, query }) => listSecurityEvents(person.userId, query)),
]

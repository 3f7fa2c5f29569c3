/** What the service says about itself. */
import * as v from 'valibot'
import { onePage, pageOf } from '../domain/pagination.ts'
import { route } from './http/route.ts'
import { errorTypes } from './openapi/errors.ts'
import { eventTypes } from './openapi/events.ts'

const ErrorType = v.object({ type: v.string(), status: v.pipe(v.number(), v.integer()), message: v.string() })

const EventType = v.object({
  type: v.string(),
  stream: v.string(),
  kind: v.picklist(['domain', 'evidence']),
  description: v.string(),
  payload_schema: v.record(v.string(), v.unknown()),
})

export const meta = [
  route({
    method: 'get',
    path: '/meta/errors',
    operationId: 'listErrorTypes',
    summary: 'List every error type with its status and message',
    tag: 'Reference',
    credential: 'none',
    cacheable: true,
    returns: pageOf(ErrorType),
    handle: async () => onePage(errorTypes),
  }),
  route({
    method: 'get',
    path: '/meta/event-types',
    operationId: 'listEventTypes',
    summary: 'List every type of event with the JSON Schema of its payload',
    tag: 'Reference',
    credential: 'none',
    cacheable: true,
    returns: pageOf(EventType),
    handle: async () => onePage(eventTypes()),
  }),
]

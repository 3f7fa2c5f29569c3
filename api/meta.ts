/** What the service says about itself. */
import * as v from 'valibot'
import { route } from './http/route.ts'
import { errorTypes } from './openapi/errors.ts'
import { eventTypes } from './openapi/events.ts'

const ErrorTypes = v.object({
  data: v.array(v.object({ type: v.string(), status: v.pipe(v.number(), v.integer()), message: v.string() })),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
})

const EventTypes = v.object({
  data: v.array(
    v.object({
      type: v.string(),
      stream: v.string(),
      kind: v.picklist(['domain', 'evidence']),
      description: v.string(),
      payload_schema: v.record(v.string(), v.unknown()),
    }),
  ),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
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
    returns: ErrorTypes,
    handle: async () => ({ data: errorTypes, has_more: false, next_cursor: null }),
  }),
  route({
    method: 'get',
    path: '/meta/event-types',
    operationId: 'listEventTypes',
    summary: 'List every type of event with the JSON Schema of its payload',
    tag: 'Reference',
    credential: 'none',
    cacheable: true,
    returns: EventTypes,
    handle: async () => ({ data: eventTypes(), has_more: false, next_cursor: null }),
  }),
]

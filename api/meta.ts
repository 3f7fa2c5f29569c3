import * as v from 'valibot'
import { model, describe } from '../domain/text.ts'
import { onePage, pageOf } from '../domain/pagination.ts'
import { operations } from './http/operation.ts'
import { errorTypes } from './openapi/errors.ts'
import { eventTypes } from './openapi/events.ts'

const { query } = operations('Reference')

const ErrorType = model('ListedErrorType', {
  type: describe(v.string(), 'Error type.'),
  status: describe(v.pipe(v.number(), v.integer()), 'HTTP status.'),
  message: v.string(),
})

const EventType = model('ListedEventType', {
  type: describe(v.string(), 'Event type.'),
  stream: v.string(),
  kind: v.picklist(['domain', 'evidence']),
  description: v.string(),
  payload_schema: describe(v.record(v.string(), v.unknown()), 'JSON Schema of the payload.'),
})

export const meta = [
  query('/meta/errors', 'listErrorTypes')
    .says('List every error type with its status and message')
    .for('anyone')
    .cached(true)
    .answers(pageOf(ErrorType))
    .does(async () => onePage(errorTypes)),
  query('/meta/event-types', 'listEventTypes')
    .says('List every type of event with the JSON Schema of its payload')
    .for('anyone')
    .cached(true)
    .answers(pageOf(EventType))
    .does(async () => onePage(eventTypes())),
]

import * as v from 'valibot'
import { model } from '../domain/text.ts'
import { onePage, pageOf } from '../domain/pagination.ts'
import { operations } from './http/operation.ts'
import { errorTypes } from './openapi/errors.ts'
import { eventTypes } from './openapi/events.ts'

const { query } = operations('Reference')

const ErrorType = model('ListedErrorType', {
  type: v.string(),
  status: v.pipe(v.number(), v.integer()),
  message: v.string(),
})

const EventType = model('ListedEventType', {
  type: v.string(),
  stream: v.string(),
  kind: v.picklist(['domain', 'evidence']),
  description: v.string(),
  payload_schema: v.record(v.string(), v.unknown()),
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

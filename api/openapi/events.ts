/** Event types in the OpenAPI document, and how each is delivered. */
import type { JsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { EventType } from '../../domain/event-type.ts'
import { CATALOGUE } from '../../domain/registries/event-types.ts'
import { wholeSchema } from './json-schema.ts'

type Json = { readonly [key: string]: unknown }
type Listed = Omit<EventType, 'payload'> & { readonly payload_schema: Json }

/** Lists the catalogue, each payload in JSON Schema; built at the first request. */
export const eventTypes = (): Listed[] => (listed ??= CATALOGUE.map(toListed))
let listed: Listed[] | undefined

const toListed = ({ type, stream, kind, description, payload }: EventType): Listed => ({
  type,
  stream,
  kind,
  description,
  payload_schema: { ...wholeSchema(payload) },
})

/** Lists the payload schemas, to be converted for the document. */
export const payloads = (): v.GenericSchema[] => CATALOGUE.map(({ payload }) => payload)

/** Builds the webhooks of the document: the shape of all deliveries, with the type's own payload. */
export const webhooks = (said: (of: v.GenericSchema) => JsonSchema): Json =>
  Object.fromEntries(
    CATALOGUE.map(({ type, stream, kind, description, payload }) => [
      type,
      {
        post: {
          operationId: operationIdOf(type),
          summary: description,
          tags: ['Webhooks'],
          parameters: HEADERS.map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  allOf: [{ $ref: '#/components/schemas/WebhookDelivery' }],
                  type: 'object',
                  properties: {
                    type: { const: type },
                    data: {
                      type: 'object',
                      properties: {
                        kind: { const: kind },
                        event_type: { const: type },
                        stream: { const: stream },
                        payload: said(payload),
                      },
                    },
                  },
                },
              },
            },
          },
          responses: ANSWERS,
        },
      },
    ]),
  )

/** Makes `onPaymentSettled` of `payment.settled`. */
const operationIdOf = (type: string): string =>
  `on${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`

const HEADERS = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'] as const
const ANSWERS = Object.fromEntries(
  [
    ['2XX', 'WebhookTaken'],
    ['410', 'WebhookGone'],
    ['default', 'WebhookFailed'],
  ].map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
)

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** Headers of every delivery (Standard Webhooks). */
export const webhookHeaders: Readonly<Record<(typeof HEADERS)[number], Json>> = {
  WebhookId: header('webhook-id', 'The id of the event, the same at every try: what was taken once is not done again.'),
  WebhookTimestamp: header('webhook-timestamp', 'When it is sent, in seconds since 1970; minutes old, it is refused.'),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, with a space between them: `v1,` and HMAC-SHA256 in ' +
      'base64, one for each secret that is in force. One that fits is enough.',
  ),
}

export const webhookAnswers: Json = {
  WebhookTaken: { description: 'Taken: it is not sent again.' },
  WebhookGone: { description: 'Nothing is wanted any more: the endpoint is disabled.' },
  WebhookFailed: { description: 'Not taken: it is sent again later. A redirect is not followed.' },
}

export const webhookSchemas: Json = {
  WebhookDelivery: {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', description: 'One of GET /meta/event-types, `webhook_endpoint.test`, or a later one.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: { $ref: '#/components/schemas/Event' },
    },
  },
}

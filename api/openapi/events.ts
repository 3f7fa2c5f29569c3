/** Event types in the OpenAPI document, and how each is delivered. */
import type { JsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { EventType } from '../../domain/event-type.ts'
import { CATALOGUE } from '../../domain/registries/event-types.ts'
import { wholeSchema } from './json-schema.ts'

type Json = { readonly [key: string]: unknown }
type ListedType = Omit<EventType, 'payload'> & { readonly payload_schema: Json }

/** Lists the catalogue, each payload in JSON Schema; built at the first request. */
export const eventTypes = (): ListedType[] => (listed ??= CATALOGUE.map(toListed))
let listed: ListedType[] | undefined

const toListed = ({ type, stream, kind, description, payload }: EventType): ListedType => ({
  type,
  stream,
  kind,
  description,
  payload_schema: { ...wholeSchema(payload) },
})

/** Lists the payload schemas, to be converted for the document. */
export const payloads = (): v.GenericSchema[] => CATALOGUE.map(({ payload }) => payload)

/** Builds the webhooks of the document: one operation for each event type. */
export const webhooks = (): Json =>
  Object.fromEntries(
    CATALOGUE.map(({ type, description }) => [
      type,
      {
        post: {
          operationId: `on${pascalCase(type)}`,
          summary: description,
          tags: ['Webhooks'],
          security: [], // each delivery is signed
          parameters: HEADERS.map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: ref(`${pascalCase(type)}Delivery`) } } },
          },
          responses: ANSWERS,
        },
      },
    ]),
  )

/** Builds the schemas of all deliveries: the envelope, each event type (its webhook says what it is), their union. */
export function webhookSchemas(said: (of: v.GenericSchema) => JsonSchema): Json {
  const deliveries = CATALOGUE.map(({ type, payload }) => [
    `${pascalCase(type)}Delivery`,
    {
      allOf: [{ $ref: ref('WebhookDelivery') }],
      required: ['type', 'data'], // as in the envelope: generated clients take what is written here for all of it
      properties: {
        type: { type: 'string', const: type },
        data: {
          allOf: [{ $ref: ref('Event') }],
          properties: { event_type: { type: 'string', const: type }, payload: said(payload) },
        },
      },
    },
  ])
  return {
    WebhookDelivery: {
      description: 'Envelope of every delivery.',
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { type: 'string', description: 'One of GET /meta/event-types, `webhook_endpoint.test`, or a later one.' },
        timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
        data: { $ref: ref('Event'), description: 'The event.' },
      },
    },
    ...Object.fromEntries(deliveries),
    AnyWebhookDelivery: {
      description: 'A delivery of any event type that is known; later types can come.',
      oneOf: CATALOGUE.map(({ type }) => ({ $ref: ref(`${pascalCase(type)}Delivery`) })),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(CATALOGUE.map(({ type }) => [type, `${pascalCase(type)}Delivery`])),
      },
      'x-open': true,
    },
  }
}

const ref = (name: string): string => `#/components/schemas/${name}`

/** Turns `payment.settled` into `PaymentSettled`. */
const pascalCase = (type: string): string =>
  type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())

const HEADERS = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'] as const
const ANSWERS = Object.fromEntries(
  [
    ['2XX', 'WebhookTaken'],
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
  WebhookFailed: {
    description:
      'Not taken: it is sent again later, but after 410, which disables the endpoint. No redirect is followed.',
  },
}

/** OpenAPI 3.1 document, from the same list of routes as the router. */
import { readFileSync } from 'node:fs'
import type { JsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { type JsonSchemaResult, convertSchemas } from './json-schema.ts'
import { ERROR_PAGE, OAUTH_ERROR, errorResponses, errorSchemas, nameOf } from './errors.ts'
import { REPEATS, TAGS, introduction } from './introduction.ts'
import { describeParameter } from './members/members.ts'
import { refusalsOf } from './refusals.ts'
import { payloads, webhookAnswers, webhookHeaders, webhookSchemas, webhooks } from './events.ts'
import { SESSION, securityOf, securitySchemes } from './credentials.ts'
import { shareParameters } from './shared-parameters.ts'
import { shareResponses } from './shared-responses.ts'
import { answerHeaders, limitHeaders, limitsOf } from './limits.ts'
import { REFUSALS } from '../../domain/errors.ts'
import { API_ROOT, type Route } from '../http/route.ts'

/** Date of the latest change of the API. */
export const VERSION = '2026-11-30'

type Json = { readonly [key: string]: unknown }

/** Builds the document. Throws if a schema cannot be converted to JSON Schema. */
export function openApiDocument(routes: readonly Route[]): Json {
  const said = convertSchemas(
    routes.flatMap(({ params, query, body, form }) => [params, query, body, form].filter((one) => one !== undefined)),
    [
      ...routes.flatMap(({ produces, returns }) => (produces ? [] : [returns])),
      ...routes.flatMap(({ refusalForm }) => (refusalForm ? [refusalForm.schema] : [])),
      ...payloads(),
    ],
  )
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const path = (route.root ? '' : API_ROOT) + route.path
    paths[path] = { ...paths[path], [route.method]: operationOf(route, said) }
  }
  const { parameters, ...withParameters } = shareParameters(paths)
  const shared = shareResponses(withParameters.paths)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Business Finance Service API',
      version: VERSION,
      description: introduction(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The environment that serves this document: live, or test with the sandbox.' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: TAGS[name] })),
    security: SESSION, // of operations that say nothing else
    paths: shared.paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: securitySchemes(routes.some(({ credential }) => credential === 'sandbox')),
      parameters: {
        IdempotencyKey: idempotencyKey,
        IfNoneMatch: ifNoneMatch,
        LastEventId: lastEventId,
        ...webhookHeaders,
        ...parameters,
      },
      headers: { Request: requestId, ETag: etag, ...limitHeaders },
      responses: { NotModified: notModified, ...errorResponses(), ...webhookAnswers, ...shared.responses },
      schemas: { ...said.named, ...errorSchemas(), ...webhookSchemas(said.answer) },
    },
  }
}

function operationOf(route: Route, said: JsonSchemaResult): Json {
  const keyed = route.replay !== undefined || route.keyed === true
  const parameters = [
    ...parametersOf(said, route.params, 'path'),
    ...parametersOf(said, route.query, 'query'),
    ...(keyed ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isTagged(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(route.produces === 'text/event-stream' ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
  ]
  const limits = limitsOf(route)
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(describe(route) && { description: describe(route) }),
    tags: [route.tag],
    ...(isInternal(route) && { 'x-internal': true }),
    ...((route.credential !== 'session' || route.delegate) && { security: securityOf(route) }),
    ...(route.can && { 'x-permission': route.can }),
    ...(route.decides && { 'x-decides': true }),
    ...(route.stepUp && { 'x-step-up': route.stepUp.mode }),
    ...(route.movesMoney && { 'x-moves-money': true }),
    'x-error-types': [...refusalsOf(route)].toSorted(),
    ...(limits.extension && { 'x-rate-limits': limits.extension }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: !v.is(route.body, {}), // an absent body counts as an empty object
        content: { 'application/json': { schema: said.request(route.body), ...exampleOf(route, 'body') } },
      },
    }),
    ...(route.form && { requestBody: formBody(said.request(route.form)) }),
    ...(route.upload && { requestBody: uploadBody(route.upload) }),
    ...(route.raw === 'stream' && { requestBody: { required: true, content: { '*/*': { schema: BYTES } } } }),
    responses: {
      [route.status]: {
        description: DESCRIPTIONS[route.status],
        ...answerHeaders(route, isTagged(route)),
        ...(route.status !== 204 && { content: contentOf(route, said) }),
      },
      ...(isTagged(route) && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...Object.fromEntries(
        statusesOf(route).map((status) => [status, { $ref: `#/components/responses/${errorNameOf(route, status)}` }]),
      ),
    },
  }
}

const errorNameOf = ({ refusalPage, refusalForm }: Route, status: number): string =>
  refusalPage && status !== UNREADABLE ? ERROR_PAGE : refusalForm ? OAUTH_ERROR : nameOf(status)

/** Status of what is no request that can be read, such as an address of 20 KB: no operation is found, nor its page. */
const UNREADABLE = 400

/** Tells if it is not for clients: signed addresses, pages for browsers, callbacks. */
const isInternal = ({ root, path }: Route): boolean => root === true && !path.startsWith('/auth')

const DESCRIPTIONS = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content' } as const

const BYTES = { type: 'string', format: 'binary' } as const

const contentOf = (route: Route, said: JsonSchemaResult): Json =>
  route.produces
    ? { [route.produces]: { schema: route.produces.startsWith('text/') ? { type: 'string' } : BYTES } }
    : { 'application/json': { schema: said.answer(route.returns), ...exampleOf(route, 'answer') } }

/** Examples by operation, picked from calls of the tests: `npm run openapi:examples`. */
export const EXAMPLES: Readonly<Record<string, { readonly body?: unknown; readonly answer?: unknown }>> = JSON.parse(
  readFileSync(new URL('examples.json', import.meta.url), 'utf8'),
)

function exampleOf({ operationId }: Route, part: 'body' | 'answer'): Json {
  const example = EXAMPLES[operationId]?.[part]
  return example === undefined ? {} : { example }
}

const formBody = (schema: JsonSchema): Json => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
})

const uploadBody = ({ field, maxBytes }: NonNullable<Route['upload']>): Json => ({
  required: true,
  description: `One file of at most ${maxBytes} bytes.`,
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: [field], properties: { [field]: BYTES } },
    },
  },
})

function describe(route: Route): string {
  return [
    route.note,
    route.only && `For the ${route.only}s of the organization alone.`,
    route.can &&
      `Permission: ${[route.can]
        .flat()
        .map((one) => `\`${one}\``)
        .join(' or ')}.`,
    route.scope && `Takes an API key with the scope \`${route.scope}\`.`,
    route.stepUp?.mode === 'once' &&
      'Needs a step-up for this very request: the first answer is 403 `step_up_required` with a challenge; once that is ' +
        'verified, repeat the request unchanged.',
    route.stepUp?.mode === 'window' &&
      'Needs a step-up, which is good for five minutes of this session: without one the answer is 403 ' +
        '`step_up_required` with a challenge; once that is verified, repeat the request unchanged.',
    route.stepUp?.unlessJustProved &&
      'A session that signed in with a second factor, or by the mail of a sign-up, within the last ten minutes is not asked.',
    route.stepUp?.weakens &&
      'A mailed code proves it only for a person without another factor, or after a sign-in by a recovery code.',
    route.movesMoney &&
      `Refused while the organization is paused${route.replay ? ', but for a repeat of what was done before' : ''}.`,
    limitsOf(route).sentence,
    route.credential === 'sandbox' && 'Exists in the test environment only.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Lists the statuses of errors: bad request, bad bearer and limit always, others if possible. */
function statusesOf(route: Route): number[] {
  const person = route.credential === 'session' || route.credential === 'session or key'
  const statuses = [
    UNREADABLE,
    // a page answers 404 for parameters that cannot be, and needs no credential
    route.refusalPage ? 404 : 401,
    429,
    500,
    503,
    ...(person ? [403] : []),
    ...(route.owner || route.params || route.body ? [404] : []),
    ...(route.method === 'get' ? [] : [409, 413, 422]),
    ...(route.body || route.upload || route.raw ? [415] : []),
    ...(route.refuses ?? []).map((type) => REFUSALS[type][0]),
  ]
  return [...new Set(statuses)].toSorted((one, other) => one - other)
}

/** Converts the members of an object schema to parameters, required unless optional. */
function parametersOf(
  { request }: JsonSchemaResult,
  schema: v.GenericSchema | undefined,
  place: 'path' | 'query',
): Json[] {
  if (!schema) return []
  const { properties, required = [] } = request(schema)
  if (!properties) throw new Error(`the ${place} parameters are no object`)
  return Object.entries(properties).map(([name, property]) => {
    const { description = describeParameter(name), ...rest } = repeatable(property) as JsonSchema
    // false is the default, and 130 of them are 2 KB
    return { name, in: place, ...(required.includes(name) && { required: true }), description, schema: rest }
  })
}

/** Converts a repeatable parameter, `name=a&name=b`, to an array. */
function repeatable(property: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof property === 'boolean') return property
  const list = property.anyOf?.find((option) => typeof option !== 'boolean' && option.type === 'array')
  return list ?? property
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `${REPEATS} Without a key there is no protection against a repeat.`,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
}

/** Tells if caches may keep the JSON. */
const isTagged = ({ cacheable, produces }: Route): boolean => Boolean(cacheable) && !produces

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `etag` of the answer that the caller has: 304 says that it still holds.',
  schema: { type: 'string' },
}

const etag = { description: 'Names these very bytes.', schema: { type: 'string' } }

const notModified = {
  description: 'Not Modified',
  headers: { 'x-request-id': { $ref: '#/components/headers/Request' }, etag: { $ref: '#/components/headers/ETag' } },
}

const requestId = { description: 'Quote it to support.', schema: { type: 'string' } }

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the event that the caller had last: the stream goes on behind it.',
  schema: { type: 'string', format: 'uuid' },
}

/** The published document: valid, complete, current, and without references to other origins. */
import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { REFUSALS } from '../../../domain/errors.ts'
import { EVENT_TYPES } from '../../../domain/registries/event-types.ts'
import { convertSchemas } from '../../../api/openapi/json-schema.ts'
import { model } from '../../../domain/text.ts'
import { generateCommands } from '../../../clients/cli/generate.ts'
import { nameModels } from '../../../clients/openapi-generator/generate.ts'
import { generate } from '../../../clients/typescript/generate.ts'
import { MEMBERS } from '../../../api/openapi/members/members.ts'
import { refusalsOf } from '../../../api/openapi/refusals.ts'
import { EXAMPLES, openApiDocument } from '../../../api/openapi/document.ts'
import type { Route } from '../../../api/http/route.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { api, baseUrl } from '../../support/api.ts'

const document = JSON.parse(JSON.stringify(openApiDocument(routes)))
/** Credentials in the document by those of a route, beside the token of a delegate. */
const CREDENTIALS: Readonly<Record<Route['credential'], readonly string[]>> = {
  none: [],
  session: ['session'],
  'session or key': ['session', 'apiKey'],
  sandbox: ['sandbox', ''],
}
const pathOf = (route: Route) => (route.root ? '' : '/api/v1') + route.path
const operationOf = (route: Route) => {
  const operation = document.paths[pathOf(route)][route.method]
  const shared = operation.parameters?.map(
    (one: any) => document.components.parameters[one.$ref?.split('/').at(-1)] ?? one,
  )
  const responses = Object.fromEntries(
    Object.entries<any>(operation.responses).map(([status, one]) => [
      status,
      (Number(status) < 300 && document.components.responses[one.$ref?.split('/').at(-1)]) || one,
    ]),
  )
  return { ...operation, ...(shared && { parameters: shared }), responses }
}

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document))
  expect(result.errors).toBeUndefined()
  expect(result.valid).toBe(true)
  expect(document.openapi).toBe('3.1.0')
})

test('every operation is in the document once, with an id of its own', () => {
  const ids = routes.map((route) => operationOf(route).operationId)
  expect(ids).toEqual(routes.map((route) => route.operationId))
  expect(new Set(ids).size).toBe(ids.length)
})

describe('every operation × an address of 20 KB → a refusal that the document names', () => {
  test.each(routes.map((route) => [route.operationId, route] as const))('%s', async (_, route) => {
    const path = pathOf(route).replaceAll(/\{\w+\}/g, 'x')
    const answer = await fetch(`${baseUrl}${path}?state=${'x'.repeat(20_000)}`, { method: route.method.toUpperCase() })
    const { $ref: named = '' } = operationOf(route).responses[answer.status] ?? {}
    const said = document.components.responses[named.split('/').at(-1)]
    expect(Object.keys(said?.content ?? {})).toContain(answer.headers.get('content-type')?.split(';')[0])
    expect(await answer.json()).toMatchObject({ error: { type: 'malformed_request' } })
  })
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#\/[^"]+)"/g)].map(([, ref = '']) => ref)
  expect(references.length).toBeGreaterThan(routes.length)
  for (const ref of references) expect(at(ref), ref).toBeDefined()
})

const at = (ref: string): any =>
  ref
    .slice(2)
    .split('/')
    .reduce<any>((value, key) => value?.[key], document)

/** The members of a JSON schema by dotted path; `[]` stands for the items of an array. */
function membersOf(schema: any, path = '', seen: readonly string[] = []): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (schema.$ref) {
    if (seen.includes(schema.$ref)) return []
    return membersOf(at(schema.$ref), path, [...seen, schema.$ref])
  }
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      `${path}.${name}`,
      ...membersOf(member, `${path}.${name}`, seen),
    ]),
    ...(schema.items ? membersOf(schema.items, `${path}[]`, seen) : []),
    ...alternatives.flatMap((option: unknown) => membersOf(option, path, seen)),
  ]
}

/** The same members of a valibot schema, found without the converter. */
function declaredIn(schema: any, path = ''): string[] {
  switch (schema.type) {
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return Object.entries(schema.entries).flatMap(([name, member]) => [
        `${path}.${name}`,
        ...declaredIn(member, `${path}.${name}`),
      ])
    case 'array':
      return declaredIn(schema.item, `${path}[]`)
    case 'variant':
    case 'union':
      return schema.options.flatMap((option: unknown) => declaredIn(option, path))
    default:
      return schema.wrapped ? declaredIn(schema.wrapped, path) : []
  }
}

const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted()

describe.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
  '%s',
  (_, route) => {
    test('publishes every declared field of its answer', () => {
      const { content } = operationOf(route).responses[route.status]
      if (route.status === 204) return expect(content).toBeUndefined()
      const { schema } = content[route.produces ?? 'application/json']
      expect(sorted(membersOf(schema))).toEqual(sorted(declaredIn(route.returns)))
    })

    test('publishes every declared field of its request', () => {
      const { parameters = [], requestBody } = operationOf(route)
      const named = (place: string) => parameters.filter((p: any) => p.in === place).map((p: any) => `.${p.name}`)
      const topLevel = (schema: v.GenericSchema | undefined) =>
        schema ? declaredIn(schema).filter((name) => !/[.[]/.test(name.slice(1))) : []
      expect(sorted(named('path'))).toEqual(sorted(topLevel(route.params)))
      expect(sorted(named('query'))).toEqual(sorted(topLevel(route.query)))
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `.${name}`)
      expect(sorted(inPath)).toEqual(sorted(named('path')))
      if (route.upload) {
        const { schema } = requestBody.content['multipart/form-data']
        return expect(membersOf(schema)).toEqual([`.${route.upload.field}`])
      }
      if (route.raw === 'stream') return expect(requestBody.content['*/*'].schema.format).toBe('binary')
      const taken = route.form ?? route.body
      if (!taken) return expect(requestBody).toBeUndefined()
      const { schema } = requestBody.content[route.form ? 'application/x-www-form-urlencoded' : 'application/json']
      expect(sorted(membersOf(schema))).toEqual(sorted(declaredIn(taken)))
    })

    test('publishes its limits, and the headers that tell of them', () => {
      const operation = operationOf(route)
      const told = (operation['x-rate-limits'] ?? []).map(({ policy }: { policy: string }) => policy)
      expect(told).toEqual((route.limits ?? []).map(({ policy }) => policy))
      for (const policy of told) expect(operation.description).toContain(`\`${policy}\``)
      const { headers } = at(operation.responses[429].$ref)
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after']))
      const answered = Object.keys(operation.responses[route.status].headers ?? {})
      const credential = route.credential === 'session' || route.credential === 'session or key'
      if (credential) expect(answered).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy']))
      if (!credential && told.length === 0) expect(answered).not.toContain('ratelimit')
    })

    test('publishes its errors, its credential, its key and its step-up', () => {
      const operation = operationOf(route)
      for (const status of route.refusalPage ? [404, 429] : [400, 401, 429])
        expect(operation.responses[status]).toBeDefined()
      for (const [status, response] of Object.entries<any>(operation.responses)) {
        if (Number(status) < 400) continue
        const { content } = at(response.$ref)
        if (route.refusalPage && status !== '400') expect(Object.keys(content)).toEqual(['text/html'])
        else {
          const form = route.refusalForm ? 'OAuthError' : 'Error'
          expect(content['application/json'].schema).toEqual({ $ref: `#/components/schemas/${form}` })
        }
      }
      const taken = (operation.security ?? document.security).map((one: any) => Object.keys(one).join())
      expect(taken).toEqual([...CREDENTIALS[route.credential], ...(route.delegate ? ['delegate'] : [])])
      const { scopes } = document.components.securitySchemes.delegate.flows.authorizationCode
      if (route.delegate) expect(operation.security.at(-1).delegate.every((one: string) => one in scopes)).toBe(true)
      const takesKey = (operation.parameters ?? []).some(({ name }: any) => name === 'Idempotency-Key')
      expect(takesKey).toBe(route.replay !== undefined || route.keyed === true)
      expect(operation.description?.includes('step_up_required') ?? false).toBe(route.stepUp !== undefined)
      if (route.stepUp) expect(operation.responses[403]).toBeDefined()
    })
  },
)

test('every error type is published with its status and sentence', async () => {
  const { anyOf, 'x-enumDescriptions': descriptions } = document.components.schemas.ErrorType
  expect(anyOf[0].enum).toEqual(Object.keys(REFUSALS))
  for (const [type, [status, message]] of Object.entries(REFUSALS)) {
    expect(descriptions[type]).toBe(`${status}: ${message}`)
    expect(document.info.description).toContain(`| ${status} | \`${type}\` | ${message} |`)
  }
  const { status, body } = await api('GET', '/meta/errors')
  const all = Object.entries(REFUSALS).map(([type, [code, message]]) => ({ type, status: code, message }))
  expect([status, body.data]).toEqual([200, all])
})

test('the list of event types has the whole catalogue, and a JSON Schema of each payload', async () => {
  const { status, body } = await api('GET', '/meta/event-types')
  expect(status).toBe(200)
  expect(body.data.map(({ type }: any) => type)).toEqual(EVENT_TYPES)
  expect(body.data.find(({ type }: any) => type === 'deposit.credited')).toEqual({
    type: 'deposit.credited',
    stream: 'deposits',
    kind: 'domain',
    description: 'Money that came is available.',
    payload_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'DepositMoney',
      type: 'object',
      properties: { amount: { type: 'string' }, currency: { type: 'string' }, connection: { type: 'string' } },
      required: ['amount', 'currency'],
    },
  })
  expect(JSON.stringify(body)).not.toContain('$ref')
})

test('every type of event is a webhook of the document, with the schema of its payload', () => {
  expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES)
  const ids = Object.values<any>(document.webhooks).map(({ post }) => post.operationId)
  expect(new Set([...ids, ...routes.map(({ operationId }) => operationId)]).size).toBe(ids.length + routes.length)
  const { post } = document.webhooks['deposit.credited']
  const ref = '#/components/schemas/DepositCreditedDelivery'
  expect(post.requestBody.content['application/json'].schema).toEqual({ $ref: ref })
  const { DepositCreditedDelivery, AnyWebhookDelivery } = document.components.schemas
  expect(DepositCreditedDelivery).toMatchObject({
    allOf: [{ $ref: '#/components/schemas/WebhookDelivery' }],
    properties: {
      type: { const: 'deposit.credited' },
      data: {
        properties: {
          event_type: { const: 'deposit.credited' },
          payload: { $ref: '#/components/schemas/DepositMoney' },
        },
      },
    },
  })
  expect(AnyWebhookDelivery.oneOf).toHaveLength(EVENT_TYPES.length)
  expect(AnyWebhookDelivery.discriminator.mapping['deposit.credited']).toBe('DepositCreditedDelivery')
  const names = ['id', 'timestamp', 'signature'].map((name) => `webhook-${name}`)
  expect(post.parameters.map(({ $ref }: any) => at($ref).name)).toEqual(names)
})

test('a rule over several fields, and over the rail of a payment, is told in words', () => {
  const { post } = document.paths['/api/v1/organizations/{organization_id}/swaps/quote']
  expect(post.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/SwapQuoteRequest' })
  expect(document.components.schemas.SwapQuoteRequest).toMatchObject({
    description: expect.stringContaining('Exactly one of source_amount and target_amount'),
    required: ['source_currency', 'target_currency'],
    properties: { source_amount: { type: ['string', 'null'] }, target_amount: { type: ['string', 'null'] } },
  })
  const execute = document.paths['/api/v1/payments/execute'].post
  expect(execute.description).toContain('Refused while the organization is paused')
  expect(execute.description).toContain('by blockchain needs `payments.send_crypto`, else `payments.send_fiat`')
})

test('a body is required if a member of it is, and only then', () => {
  const bodies = routes.filter(({ body }) => body).map((route) => [route, operationOf(route).requestBody] as const)
  for (const [{ operationId, body }, { required }] of bodies) {
    expect(required, operationId).toBe(!v.safeParse(body as v.GenericSchema, {}).success)
  }
  const optional = bodies.filter(([, { required }]) => !required).map(([{ operationId }]) => operationId)
  expect(optional).toEqual(expect.arrayContaining(['updateMe', 'approveRequest', 'rejectRequest', 'updatePayment']))
})

test('a schema that JSON Schema cannot say, and two of one name, fail loudly', () => {
  const [one, other] = [model('Thing', { id: v.string() }), model('Thing', { id: v.number() })]
  expect(() => convertSchemas([], [one, other])).toThrow('two schemas have the name Thing')
  expect(() => convertSchemas([one], [other])).toThrow('Thing differs between requests and answers')
  expect(() => convertSchemas([], [v.object({ when: v.date() })])).toThrow(/date/)
  expect(() => convertSchemas([v.object({ size: v.bigint() })], [])).toThrow(/bigint/)
})

test('the document is good to generate from: what is answered has names and descriptions, and it stays small', () => {
  const schemas = Object.entries<any>(document.components.schemas)
  expect(schemas.length).toBeGreaterThan(150)
  const undescribed = schemas.flatMap(([name, { properties = {}, allOf = [] }]) => {
    const extended = Object.assign({}, ...allOf.map(({ $ref }: any) => at($ref).properties))
    return Object.entries<any>(properties).flatMap(([member, { description = extended[member]?.description }]) =>
      description ? [] : `${name}.${member}`,
    )
  })
  expect(undescribed).toEqual([])
  const parameters = routes
    .map(operationOf)
    .flatMap(({ parameters = [] }) => parameters.filter(({ name }: any) => name))
  expect(parameters.filter(({ description }: any) => !description)).toEqual([])
  const operations = routes.map(operationOf)
  const inline = [...operations.map(({ responses }) => responses), ...schemas.map(([, schema]) => schema)].flatMap(
    (value) => inlineObjects(value).filter(({ properties }) => Object.keys(properties).length > 3),
  )
  expect(inline).toEqual([])
})

/** Finds the objects inside a schema or answers, but for itself and the payloads of events. */
function inlineObjects(value: any, isTop = true): any[] {
  if (typeof value !== 'object' || value === null || value.allOf) return []
  const { example: _, ...schema } = value
  const inside = Object.values(value.properties ?? schema).flatMap((one) => inlineObjects(one, false))
  return value.properties && !isTop ? [value, ...inside] : inside
}

test('the dictionary has what many members mean by a name: what one alone means is said at its schema', () => {
  const schemas = Object.values<any>(document.components.schemas)
  const members = schemas.flatMap(({ properties = {} }) => Object.entries<any>(properties))
  const parameters = routes
    .map(operationOf)
    .flatMap(({ parameters = [] }) => parameters.map((one: any) => [one.name, one]))
  const described = [...members, ...parameters].flatMap(([name, { description }]) =>
    description === undefined || MEMBERS[name] !== description ? [] : [name],
  )
  const once = Object.keys(MEMBERS).filter((name) => described.indexOf(name) === described.lastIndexOf(name))
  expect(once).toEqual([])
})

test('each tag and each operation says what it is, and which errors it can answer', () => {
  for (const { name, description } of document.tags) expect(description, name).toMatch(/\.$/)
  for (const route of routes) expect(operationOf(route)['x-error-types']).toEqual([...refusalsOf(route)].toSorted())
})

test('each operation has a real example of its body and answer, which its schemas take', () => {
  for (const { operationId, body, returns, produces, status } of routes) {
    const example = EXAMPLES[operationId] ?? {}
    if (!produces && status !== 204) expect(v.safeParse(returns, example.answer).issues, operationId).toBeUndefined()
    if (body && v.safeParse(body, {}).success && example.body === undefined) continue
    if (body) expect(v.safeParse(body, example.body).issues, operationId).toBeUndefined()
  }
})

test('the schemas of the document take the examples, with their formats', () => {
  const ajv = new Ajv2020({ strict: false, discriminator: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', ...document })
  const faults = routes.flatMap((route) => {
    const { requestBody, responses } = operationOf(route)
    return [requestBody, responses[route.status]].flatMap((part) => {
      const { schema, example } = part?.content?.['application/json'] ?? {}
      if (example === undefined) return []
      const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
      const check = ajv.compile(rooted)
      return check(example) ? [] : [`${route.operationId}: ${ajv.errorsText(check.errors)}`]
    })
  })
  expect(faults).toEqual([])
})

test('variants have a discriminator, constants a type, and decimals a pattern', () => {
  const texts = JSON.stringify(document.components.schemas)
  expect(texts).not.toMatch(/\{"const":/)
  const schemas = Object.entries<any>(document.components.schemas)
  const variants = schemas.filter(([, { oneOf }]) => oneOf)
  expect(variants.length).toBeGreaterThan(6)
  for (const [name, { discriminator, oneOf }] of variants)
    expect(Object.keys(discriminator.mapping).length, name).toBeGreaterThanOrEqual(oneOf.length)
  expect(document.components.schemas.Money.properties.amount.pattern).toBeDefined()
})

test('openapi.json is current: npm run openapi', async () => {
  expect(JSON.parse(await readFile('openapi.json', 'utf8'))).toEqual(document)
})

test('the document that is served is the one that is committed', async () => {
  const served = await api('GET', '//openapi.json')
  expect(served.status).toBe(200)
  expect(served.body).toEqual(document)
  const etag = served.headers.get('etag') ?? ''
  expect((await api('GET', '//openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304)
  const packed = await fetch(`${baseUrl}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
})

test('the reference page, its script and its policy are served', async () => {
  const page = await api('GET', '//docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const script = await api('GET', '//docs/scalar.js')
  expect(script.headers.get('content-type')).toContain('javascript')
})

test('the types of the client and the commands are those of the document: npm run client', async () => {
  const committed = JSON.parse(await readFile('openapi.json', 'utf8'))
  const commands = await readFile('clients/cli/src/operation-commands.ts', 'utf8')
  expect(commands).toBe(generateCommands(committed))
  const models = await readFile('clients/openapi-generator/go.yaml', 'utf8')
  expect(models).toBe(nameModels(models, committed))
  const files = Object.entries(generate(committed))
  for (const [name, text] of files) expect(await readFile(`clients/typescript/src/${name}`, 'utf8')).toBe(text)
})

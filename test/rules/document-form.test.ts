/** The form of the published document: what linters ask for, formats of texts, and its size. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { REFUSALS } from '../../domain/errors.ts'

const document = JSON.parse(readFileSync('openapi.json', 'utf8'))
const { schemas, responses: shared } = document.components
const operations = [...Object.values<any>(document.paths), ...Object.values<any>(document.webhooks)].flatMap((item) =>
  Object.values<any>(item),
)

/** Bytes that an operation takes on average, with its schemas, events and examples. */
const BYTES_MAX = 4_200

test('the document grows by operations, and no operation by more than its share', () => {
  const paths = Object.values<object>(document.paths).flatMap((item) => Object.keys(item))
  expect(Buffer.byteLength(JSON.stringify(document)) / paths.length).toBeLessThanOrEqual(BYTES_MAX)
})

test('each operation says how it is secured, webhooks too; one that takes a form has its members', () => {
  const unsaid = operations.filter(({ security = document.security }) => !Array.isArray(security))
  expect(unsaid.map(({ operationId }) => operationId)).toEqual([])
  const { content } = document.paths['/oauth/token'].post.requestBody
  const form = resolve(content['application/x-www-form-urlencoded'].schema)
  expect(form.required).toEqual(['grant_type'])
  expect(Object.keys(form.properties)).toContain('code_verifier')
})

test('a text that names a status beside an error type names the right one', () => {
  const statusOf: Readonly<Record<string, readonly [number, string]>> = REFUSALS
  const said = [...JSON.stringify(document).matchAll(/\b([45]\d\d)(?:\s|: |,)+`([a-z][a-z_]+)`/g)]
  expect(said.length).toBeGreaterThan(10)
  const wrong = said.filter(([, status, type = '']) => statusOf[type] && statusOf[type][0] !== Number(status))
  expect(wrong.map(([text]) => text)).toEqual([])
})

/** Finds a schema by its reference. */
const resolve = (schema: any): any => (schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema)

/** Walks an example beside its schema; calls for each text with the place of its schema. */
function walk(
  schema: any,
  value: any,
  place: string,
  found: (schema: any, value: string, place: string) => void,
): void {
  const here = schema.$ref ? schema.$ref.split('/').at(-1) : place
  const { properties, items, anyOf = [], oneOf = [], allOf = [] } = resolve(schema)
  for (const one of [...anyOf, ...oneOf, ...allOf]) walk(one, value, here, found)
  if (typeof value === 'string') found(resolve(schema), value, here)
  else if (Array.isArray(value)) for (const one of items ? value : []) walk(items, one, here, found)
  else
    for (const [name, one] of Object.entries(value ?? {}))
      if (properties?.[name]) walk(properties[name], one, `${here}.${name}`, found)
}

type Example = {
  readonly operationId: string
  readonly schema: any
  readonly example: unknown
  readonly isBody: boolean
}
const examples: Example[] = operations.flatMap(({ operationId, requestBody = {}, responses }) =>
  [requestBody, ...Object.entries<any>(responses).map(answerOf)].flatMap(({ content = {} }, index) =>
    Object.values<any>(content)
      .filter(({ example }) => example !== undefined)
      .map(({ schema, example }) => ({ operationId, schema, example, isBody: index === 0 })),
  ),
)

/** Finds an answer that several operations share; errors have no example. */
function answerOf([status, one]: [string, any]): any {
  return Number(status) < 300 && one.$ref ? shared[one.$ref.split('/').at(-1)] : one
}

const isType = ({ type }: any, name: string) => [type].flat().includes(name)
const KINDS = [
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['date-time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ['uri', /^(https?|otpauth):\/\//],
  ['email', /^[^@\s]+@[^@\s]+\.[a-z]+$/],
] as const

/** Texts that are a date, a link or an address only sometimes. */
const SOMETIMES = [
  'Export.from',
  'Export.to',
  'InboundMail.from_address',
  'LogStream.address',
  'LogStreamWithSecret.address',
  'OAuthClient.client_id',
  'RegistrationUser.name',
  'SandboxMessage.to',
]

test('a text whose example is a day, an instant, a link or an address has that format', () => {
  const lacking = new Set<string>()
  for (const { schema, example, operationId } of examples)
    walk(schema, example, operationId, (of, value, place) => {
      const kind = KINDS.find(([, pattern]) => pattern.test(value))
      if (kind && isType(of, 'string') && !of.format && !of.enum && of.const === undefined) lacking.add(place)
    })
  expect([...lacking].toSorted()).toEqual(SOMETIMES)
})

test('a text whose name or description says that it is an address, a link or a day has a format', () => {
  const lacking: string[] = []
  const visit = (schema: any, place: string): void => {
    for (const [name, given] of Object.entries<any>(schema.properties ?? {})) {
      const member = given.items && isType(given, 'array') ? given.items : given
      const says = /^(E-mail address|Link |First day|Last day|Day of)/.test(given.description ?? '')
      const isNamed = /(^|_)(emails?|url|uri)$|_date$/.test(name)
      const isText = isType(member, 'string') && !member.enum && member.const === undefined
      if ((says || isNamed) && isText && !member.format) lacking.push(`${place}.${name}`)
      visit(member, `${place}.${name}`)
    }
  }
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name)
  expect(lacking).toEqual([])
})

test('the example of a body has only members that its schema knows', () => {
  const unknown: string[] = []
  const visit = (schema: any, value: any, place: string): void => {
    const { properties, items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = resolve(schema)
    const parts = [...anyOf, ...oneOf, ...allOf].map(resolve)
    const known = Object.assign({}, ...parts.map((part) => part.properties), properties)
    if (Array.isArray(value)) return value.forEach((one) => items && visit(items, one, `${place}[]`))
    if (typeof value !== 'object' || value === null || additionalProperties) return
    for (const [name, one] of Object.entries(value))
      if (known[name]) visit(known[name], one, `${place}.${name}`)
      else unknown.push(`${place}.${name}`)
  }
  for (const { schema, example, operationId } of examples.filter(({ isBody }) => isBody))
    visit(schema, example, operationId)
  expect(unknown).toEqual([])
})

test('each open vocabulary says what a word that came later means', () => {
  let count = 0
  const visit = (value: any): void => {
    if (typeof value !== 'object' || value === null) return
    const options: any[] = Array.isArray(value.anyOf) ? value.anyOf : []
    const words = options.some((one) => one.enum ?? resolve(one)?.enum)
    for (const later of options.filter((one) => words && one.type === 'string' && !one.enum)) {
      count += 1
      expect(later.description, JSON.stringify(value)).toEqual(expect.any(String))
    }
    if (value['x-open']) expect(value.description, JSON.stringify(value)).toEqual(expect.any(String))
    for (const [key, one] of Object.entries(value)) if (key !== 'example') visit(one)
  }
  visit(document)
  expect(count).toBeGreaterThan(10)
})

/** `npm run client`: writes the types and the table of operations of the client from openapi.json. */
import { readFile, writeFile } from 'node:fs/promises'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
}
type Content = { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}
type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
  readonly 'x-error-types': readonly string[]
  readonly 'x-moves-money'?: boolean
  readonly 'x-internal'?: boolean
}
type Webhook = { readonly summary: string; readonly requestBody: Content }
type Document = {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, Content>>
  }
}

/** Maps the names of deliveries to what their webhooks say of them. */
const deliveriesOf = ({ webhooks }: Document): Map<string, string> =>
  new Map(
    Object.values(webhooks).map(({ post: { summary, requestBody } }) => [
      requestBody.content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? '',
      summary,
    ]),
  )

const HEAD = '// Written by `npm run client` from openapi.json.\n'

/** Writes the files of the client for a document: their names with their texts. */
export function generate(document: Document): Record<'schemas.ts' | 'operations.ts', string> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation['x-internal'] ? [] : [{ path, method, operation: resolve(operation, document) }],
    ),
  )
  const deliveries = deliveriesOf(document)
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    declare(name, schema, deliveries.get(name)),
  )
  return {
    'schemas.ts': HEAD + schemas.join(''),
    'operations.ts': [
      HEAD,
      "import type * as s from './schemas.ts'\n\n",
      `export const VERSION = '${document.info.version}'\n\n`,
      '/** Operations: their input, answer, error types, and how they take an Idempotency-Key. */\n',
      `export interface Operations {\n${operations.map(describeOperation).join('')}}\n\n`,
      '/** Method, path, names in the query, form of the answer, and use of an Idempotency-Key. */\n',
      'export const OPERATIONS: Readonly<Record<keyof Operations, readonly [string, string, string, string, string]>> = {\n',
      operations.map(toRow).join(''),
      '}\n',
    ].join(''),
  }
}

type FoundOperation = { readonly path: string; readonly method: string; readonly operation: Operation }

function describeOperation({ operation }: FoundOperation): string {
  const members = parametersOf(operation).map(({ name, required, description, schema }) =>
    declareMember(name, { ...schema, ...(description && { description }) }, required, '      '),
  )
  const body = operation.requestBody && jsonOf(operation.requestBody)
  const input = [
    ...(members.length > 0 ? [`{\n${members.join('')}    }`] : []),
    ...(body ? [typeOf(body, 's.')] : []),
    ...(operation.requestBody && !body ? ['{ readonly file: Blob }'] : []),
  ]
  const errors = operation['x-error-types'].map((type) => `'${type}'`)
  return [
    comment([operation.summary, operation.description].filter(Boolean).join('. '), '  '),
    `  ${operation.operationId}: {\n`,
    `    input: ${input.join(' & ') || '{}'}\n`,
    `    answer: ${answerOf(operation)}\n`,
    `    errors: ${errors.join(' | ')}\n`,
    `    key: '${keyOf(operation)}'\n`,
    '  }\n',
  ].join('')
}

/** Replaces references to shared parameters and answers by what they stand for; those to headers stay. */
function resolve(operation: Operation, { components }: Document): Operation {
  const parameters = operation.parameters?.map((one) => {
    const shared = components.parameters?.[nameOf(one)]
    return shared && shared.in !== 'header' ? shared : one
  })
  const responses = Object.fromEntries(
    Object.entries(operation.responses).map(([status, one]) => [status, components.responses?.[nameOf(one)] ?? one]),
  )
  return { ...operation, ...(parameters && { parameters }), responses }
}

const nameOf = ({ $ref }: { readonly $ref?: string }): string => $ref?.split('/').at(-1) ?? ''

const parametersOf = ({ parameters = [] }: Operation) => parameters.filter(({ $ref }) => $ref === undefined)

const jsonOf = ({ content = {} }: Content): Schema | undefined => content['application/json']?.schema

function keyOf({ parameters = [], ...operation }: Operation): 'required' | 'optional' | 'none' {
  if (!parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))) return 'none'
  return operation['x-moves-money'] ? 'required' : 'optional'
}

const successOf = ({ responses }: Operation): Content =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {}

function answerOf(operation: Operation): string {
  const schema = jsonOf(successOf(operation))
  if (schema) return typeOf(schema, 's.')
  return formOf(operation) === 'stream' ? 's.Event' : formOf(operation) === 'none' ? 'void' : 'Response'
}

function formOf(operation: Operation): 'page' | 'json' | 'stream' | 'bytes' | 'none' {
  const [type] = Object.keys(successOf(operation).content ?? {})
  if (type === undefined) return 'none'
  if (type === 'text/event-stream') return 'stream'
  if (type !== 'application/json') return 'bytes'
  return jsonOf(successOf(operation))?.$ref?.endsWith('Page') ? 'page' : 'json'
}

function toRow({ path, method, operation }: FoundOperation): string {
  const query = parametersOf(operation).flatMap(({ name, in: place }) => (place === 'query' ? name : []))
  const row = [method.toUpperCase(), path, query.join(','), formOf(operation), keyOf(operation)]
  return `  ${operation.operationId}: [${row.map((word) => `'${word}'`).join(', ')}],\n`
}

const declare = (name: string, schema: Schema, text = schema.description): string =>
  `\n${comment(text, '')}export type ${name} = ${typeOf(schema, '')}\n`

function declareMember(name: string, schema: Schema, required: boolean, indent: string, prefix = 's.'): string {
  const key = /^\w+$/.test(name) ? name : `'${name}'`
  return `${comment(schema.description, indent)}${indent}readonly ${key}${required ? '' : '?'}: ${typeOf(schema, prefix)}\n`
}

const comment = (text: string | undefined, indent: string): string =>
  text ? `${indent}/** ${text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /')} */\n` : ''

/** Writes the type of a schema; `prefix` is the namespace of named ones. */
function typeOf(schema: Schema, prefix: string): string {
  const { $ref, anyOf, oneOf, allOf, type, properties } = schema
  if ($ref) return prefix + ($ref.split('/').at(-1) ?? '')
  const variants = anyOf ?? oneOf
  if (variants) return unionOf(variants, prefix)
  const own = [type ?? (properties && 'object')].flat().filter((one) => one !== undefined)
  const alone = own.map((one) => simpleTypeOf(schema, one, prefix)).join(' | ') || 'unknown'
  if (!allOf) return alone
  return [...allOf.map((one) => typeOf(one, prefix)), ...(own.length > 0 ? [alone] : [])].join(' & ')
}

/** Writes a union; an open vocabulary keeps the completion of its words. */
function unionOf(variants: readonly Schema[], prefix: string): string {
  const isOpen =
    variants.some((one) => one.enum ?? one.$ref) && variants.some((one) => one.type === 'string' && !one.enum)
  const types = variants.map((one) =>
    isOpen && one.type === 'string' && !one.enum ? '(string & {})' : typeOf(one, prefix),
  )
  return [...new Set(types)].join(' | ')
}

function simpleTypeOf(schema: Schema, type: string, prefix: string): string {
  if (type === 'null') return 'null'
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum)
    return schema.enum
      .filter((word) => word !== null)
      .map(literal)
      .join(' | ')
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return `readonly ${inParentheses(schema.items ? typeOf(schema.items, prefix) : 'unknown')}[]`
  if (type !== 'object') return type
  const { properties, required = [], additionalProperties } = schema
  if (properties) {
    const members = Object.entries(properties).map(([name, one]) =>
      declareMember(name, one, required.includes(name), '  ', prefix),
    )
    return `{\n${members.join('')}}`
  }
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, prefix) : 'unknown'
  return `Readonly<Record<string, ${values}>>`
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)

const inParentheses = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type)

if (process.argv[1]?.endsWith('generate.ts')) {
  const document: Document = JSON.parse(await readFile('openapi.json', 'utf8'))
  for (const [name, text] of Object.entries(generate(document)))
    await writeFile(new URL(`src/${name}`, import.meta.url), text)
}

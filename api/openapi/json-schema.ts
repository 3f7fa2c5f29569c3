/** Conversion to JSON Schema 2020-12, the dialect of OpenAPI 3.1. Throws on schemas that it cannot express. */
import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { nameVocabularies } from './vocabularies.ts'
import { FORMATS, OF_REQUESTS, OF_SCHEMAS, SECRETS } from './members/formats.ts'
import { textsOf } from '../../domain/text.ts'
import { MEMBERS } from './members/members.ts'

/** Rules that JSON Schema cannot express; the field itself stays in the document. */
const UNSAID: ReadonlySet<string> = new Set(['check', 'partial_check', 'raw_check', 'trim', 'to_lower_case'])

const shared: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // `v.metadata({ jsonSchema })` replaces a rule that is code
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type === 'metadata' && 'metadata' in valibotAction) {
      const { jsonSchema: written, later } = valibotAction.metadata as { jsonSchema?: JsonSchema; later?: JsonSchema }
      return later ? openToLater(jsonSchema, later) : written
    }
    return UNSAID.has(valibotAction.type) ? jsonSchema : undefined
  },
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    if (valibotSchema.type === 'literal') return { type: typeof jsonSchema.const as 'string', ...jsonSchema }
    if (valibotSchema.type === 'variant') return withDiscriminator(valibotSchema as unknown as Variant, jsonSchema)
    return shortNull(jsonSchema)
  },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
}

/**
 * Opens a vocabulary to later values: clients must not fail at an unknown one. Variants stay closed, so that types can
 * be narrowed by them, and are marked `x-open`.
 */
function openToLater(known: JsonSchema & { later?: JsonSchema }, later: JsonSchema): JsonSchema {
  const { enum: words, type: _type, later: _later, ...rest } = known
  if (!words) return { ...rest, description: later.description, 'x-open': true } as JsonSchema
  return { ...rest, anyOf: [{ type: 'string', enum: words }, later] }
}

type Variant = { readonly key: string; readonly options: readonly { readonly entries: v.ObjectEntries }[] }

/** Names the member that tells variants apart, and the schema of each of its values. */
function withDiscriminator({ key, options }: Variant, { oneOf, anyOf, ...rest }: JsonSchema): JsonSchema {
  const variants = oneOf ?? anyOf ?? []
  const mapping = options.flatMap(({ entries }, index) => {
    const variant = variants[index]
    const { literal } = entries[key] as unknown as { readonly literal: string }
    return typeof variant === 'object' && variant.$ref ? [[literal, variant.$ref]] : []
  })
  return {
    ...rest,
    oneOf: variants,
    discriminator: { propertyName: key, mapping: Object.fromEntries(mapping) },
  } as JsonSchema
}

/** Shortens a choice between t and null to `{type: [t, null]}`, which readers and generators handle better. */
function shortNull({ anyOf, ...rest }: JsonSchema): JsonSchema | undefined {
  const [value, nothing, more] = anyOf ?? []
  if (more !== undefined || typeof value !== 'object' || typeof nothing !== 'object') return undefined
  if (nothing.type !== 'null' || typeof value.type !== 'string') return undefined
  return { ...rest, ...value, type: [value.type, 'null'], ...(value.enum && { enum: [...value.enum, null] }) }
}

/** Converters of schemas to JSON Schema, and the named ones that they refer to. */
export type JsonSchemaResult = {
  readonly request: (schema: v.GenericSchema) => JsonSchema
  readonly answer: (schema: v.GenericSchema) => JsonSchema
  readonly named: Readonly<Record<string, JsonSchema>>
}

/**
 * Converts the schemas of requests and answers, all at once. Those with a title become named ones. Throws if two
 * different ones have the same name.
 */
export function convertSchemas(
  requests: Iterable<v.GenericSchema>,
  answers: Iterable<v.GenericSchema>,
): JsonSchemaResult {
  const request = convertAll([...new Set(requests)], 'input')
  const answer = convertAll([...new Set(answers)], 'output')
  for (const [name, schema] of Object.entries(request.named))
    if (name in answer.named && !isDeepStrictEqual(answer.named[name], schema))
      throw new Error(`${name} differs between requests and answers`)
  const named = Object.entries({ ...answer.named, ...request.named })
  const definitions = { ...answer.definitions, ...request.definitions }
  const described = named.map(([name, schema]) => {
    const ofAll = name in request.named ? OF_REQUESTS : FORMATS // a request may take more than is answered
    const formats = { ...ofAll, ...SECRETS, ...OF_SCHEMAS[name] }
    return [name, describeMembers(schema, describeBy(definitions[name]), formats)] as const
  })
  const answerOf = (schema: v.GenericSchema) => describeMembers(answer.of(schema), {}, FORMATS)
  return { request: request.of, answer: answerOf, named: nameVocabularies(Object.fromEntries(described)) }
}

/** Descriptions of members by their names. */
type Texts = Readonly<Record<string, string | undefined>>

/** Describes the members of a schema: by itself, else by the dictionary of names. */
const describeBy = (schema: v.GenericSchema | undefined): Texts => ({ ...MEMBERS, ...(schema && textsOf(schema)) })

/** Adds descriptions and formats to the members of a schema. */
function describeMembers(schema: JsonSchema, texts: Texts, formats: Formats): JsonSchema {
  const { title: _title, ...rest } = schema // it is the name
  if (!schema.properties) return rest
  const properties = Object.entries(schema.properties).map(([member, property]) => {
    const description = texts[member]
    if (typeof property !== 'object') return [member, property]
    return [member, { ...(description && { description }), ...withFormat(property, formats[member]) }]
  })
  return { ...rest, properties: Object.fromEntries(properties) }
}

type Formats = Readonly<Record<string, object>>

/** Gives a format to a text, or to the texts of a list; one of its own stays. */
function withFormat(property: JsonSchema, format: object | undefined): JsonSchema {
  const { type, items } = property
  if (typeof items === 'object' && !Array.isArray(items)) return { ...property, items: withFormat(items, format) }
  const isText = [type].flat()[0] === 'string' && !property.enum && property.const === undefined
  return isText ? { ...format, ...property } : property
}

function convertAll(schemas: readonly v.GenericSchema[], typeMode: 'input' | 'output') {
  const definitions = findNamed(schemas)
  const config: ConversionConfig = { ...shared, typeMode, definitions }
  const { prefixItems = [] } = toJsonSchema(v.tuple(schemas as v.GenericSchema[]), config)
  const found = new Map(schemas.map((schema, index) => [schema, prefixItems[index]]))
  return {
    of: (schema: v.GenericSchema) => found.get(schema) as JsonSchema, // one of them
    named: toJsonSchemaDefs(definitions, config),
    definitions,
  }
}

/** Members in which a schema holds others. */
type NestedSchema = {
  readonly pipe?: readonly (v.GenericSchema | v.TitleAction<unknown, string>)[]
  readonly entries?: Readonly<Record<string, v.GenericSchema>>
  readonly options?: readonly (v.GenericSchema | string)[]
  readonly items?: readonly v.GenericSchema[]
  readonly item?: v.GenericSchema
  readonly wrapped?: v.GenericSchema
  readonly value?: v.GenericSchema
}

/** Finds the schemas that have a title of their own, by title, at any depth. */
function findNamed(schemas: readonly v.GenericSchema[]): Record<string, v.GenericSchema> {
  const found: Record<string, v.GenericSchema> = {}
  const seen = new Set<unknown>()
  const visit = (schema: v.GenericSchema) => {
    if (seen.has(schema)) return
    seen.add(schema)
    const { pipe = [], entries = {}, options = [], items = [], item, wrapped, value } = schema as NestedSchema
    for (const part of pipe) {
      if (part.type !== 'title' || !('title' in part)) continue
      if (found[part.title] && found[part.title] !== schema) throw new Error(`two schemas have the name ${part.title}`)
      found[part.title] = schema
    }
    for (const part of [...pipe, ...Object.values(entries), ...options, ...items, item, wrapped, value])
      if (typeof part === 'object' && part.kind === 'schema') visit(part)
  }
  schemas.forEach(visit)
  return found
}

/** Converts an answer schema without references, for readers outside the document. */
export const wholeSchema = (schema: v.GenericSchema): JsonSchema =>
  toJsonSchema(schema, { ...shared, typeMode: 'output' })

/** Converts a request schema without references, and describes its members at any depth. */
export function wholeRequest(schema: v.GenericSchema): JsonSchema {
  const whole = toJsonSchema(schema, { ...shared, typeMode: 'input' })
  return describeDeep(whole, findNamed([schema]))
}

/** Adds the descriptions of members to a schema and to all within; a title names the schema that they are of. */
function describeDeep(
  { title = '', ...rest }: JsonSchema,
  named: Readonly<Record<string, v.GenericSchema>>,
): JsonSchema {
  const { properties, items, anyOf, oneOf, ...others } = rest
  const { $schema: _dialect, discriminator: _ofOpenApi, ...plain } = others as JsonSchema & { discriminator?: object }
  const deep = (one: JsonSchema | boolean) => (typeof one === 'object' ? describeDeep(one, named) : one)
  const texts = describeBy(named[title])
  const described = Object.entries(properties ?? {}).map(([member, property]) => {
    const description = texts[member]
    return [member, { ...(description && { description }), ...(deep(property) as JsonSchema) }] as const
  })
  return {
    ...plain,
    ...(properties && { properties: Object.fromEntries(described) }),
    ...(items && !Array.isArray(items) && { items: deep(items) }),
    ...(anyOf && { anyOf: anyOf.map(deep) }),
    ...(oneOf && { oneOf: oneOf.map(deep) }),
  }
}

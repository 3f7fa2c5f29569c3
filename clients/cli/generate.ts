/** `npm run client`: writes the nouns and verbs of the command line from openapi.json. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Field, Form, OperationCommand } from './src/command-table.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
}
type Content = { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
  readonly 'x-error-types': readonly string[]
  readonly 'x-moves-money'?: boolean
  readonly 'x-internal'?: boolean
}
type Document = {
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Components
}
type Components = {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly responses: Readonly<Record<string, Content>>
}

const HEAD = `// Written by \`npm run client\` from openapi.json.
import type { OperationCommand } from './command-table.ts'

/** Commands that call one operation each. */
export const OPERATION_COMMANDS: readonly OperationCommand[] = [
`
/** Operations that make a quote binding or begin a payment without the mark of the document. */
const ASKS_FOR_PAYMENT: ReadonlySet<string> = new Set(['executePayment'])

/** Writes the table of commands for a document. Throws if two operations got one name. */
export function generateCommands(document: Document): string {
  const commands = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) =>
      operation['x-internal'] ? [] : [describeCommand(operation, document.components)],
    ),
  )
  const names = commands.map(({ noun, verb }) => `${noun} ${verb}`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new Error(`two operations are called "${twice}"`)
  const nouns = document.tags.flatMap(({ name, description = '' }): [string, string][] => {
    const noun = nounOf(name).join('-')
    return commands.some((one) => one.noun === noun) ? [[noun, firstSentence(description)]] : []
  })
  return [
    `${HEAD}${commands.map((one) => `  ${JSON.stringify(one)},\n`).join('')}]\n\n`,
    '/** Nouns with what they are. */\n',
    `export const NOUNS: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(nouns), null, 2)}\n`,
  ].join('')
}

type Schemas = Readonly<Record<string, Schema>>

function describeCommand(
  operation: Operation,
  { schemas, parameters: shared, responses }: Components,
): OperationCommand {
  const parameters = (operation.parameters ?? []).flatMap((one) => shared[one.$ref?.split('/').at(-1) ?? ''] ?? one)
  const at = (place: string) => parameters.filter((one) => one.in === place && one.name !== ORGANIZATION)
  const body = operation.requestBody?.content?.['application/json']?.schema
  const fields = body ? fieldsOf(body, schemas) : []
  const takesOrganization =
    parameters.some(({ name }) => name === ORGANIZATION) || fields.some(({ name }) => name === ORGANIZATION)
  return {
    ...nameOf(operation),
    operation: operation.operationId as OperationCommand['operation'], // the client has each operation
    summary: operation.summary,
    path: at('path').map(({ name }) => name),
    fields: [
      ...at('query').flatMap(({ name, required = false, description, schema }) =>
        fieldOf(name, { ...schema, ...(description && { description }) }, required, schemas),
      ),
      ...fields.filter(({ name }) => name !== ORGANIZATION),
    ],
    form: formOf(operation, responses),
    key: keyOf(operation),
    ...(takesOrganization && { takesOrganization }),
    ...(body && { takesBody: true }),
    ...(operation.requestBody && !body && { takesFile: true }),
    ...(operation['x-error-types'].includes('step_up_required') && { needsStepUp: true }),
  }
}

const ORGANIZATION = 'organization_id'

/** Names a command: its noun is the tag, its verb the rest of the operationId without the noun. */
function nameOf({ operationId, tags: [tag = ''] }: Operation): Pick<OperationCommand, 'noun' | 'verb'> {
  const noun = nounOf(tag)
  const words = operationId.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
  const begin = words.findIndex(
    (_, index) => index > 0 && noun.every((word, offset) => singular(words[index + offset] ?? '') === singular(word)),
  )
  const verb = begin < 0 ? words : [...words.slice(0, begin), ...words.slice(begin + noun.length)]
  return { noun: noun.join('-'), verb: verb.join('-') }
}

const nounOf = (tag: string): string[] => tag.toLowerCase().split(/[ -]/)

const firstSentence = (text: string): string => text.split(/\.\s|:\s|[.:]$/)[0] ?? text

const singular = (word: string): string => word.replace(/(?<=tch)es$|ies$|s$/, '')

/** Lists the members of a body that fit into an option; those of all its variants. */
function fieldsOf(schema: Schema, schemas: Schemas): Field[] {
  const { properties = {}, required = [], allOf = [], anyOf = [], oneOf = [] } = followReference(schema, schemas)
  const own = Object.entries(properties).flatMap(([name, one]) => fieldOf(name, one, required.includes(name), schemas))
  const variants = [...anyOf, ...oneOf].map((one) => fieldsOf(one, schemas))
  const isInAll = (name: string) => variants.every((fields) => fields.some((one) => one.name === name && one.required))
  const ofVariants = variants.flat().map((one) => ({ ...one, required: one.required === true && isInAll(one.name) }))
  return mergeFields([...allOf.flatMap((one) => fieldsOf(one, schemas)), ...own, ...ofVariants])
}

/** Keeps one field of each name, with the choices of all. */
function mergeFields(fields: readonly Field[]): Field[] {
  const merged = new Map<string, Field>()
  for (const { required, choices, ...field } of fields) {
    const before = merged.get(field.name)
    const both = [...(before?.choices ?? []), ...(choices ?? [])]
    const isOpen = before !== undefined && !(before.choices && choices)
    merged.set(field.name, {
      ...(before ?? field),
      ...(required && { required }),
      ...(both.length > 0 && !isOpen && { choices: [...new Set(both)] }),
    })
  }
  return [...merged.values()]
}

/** Describes a member as an option; none for what is no scalar, and for secrets, which have no place in arguments. */
function fieldOf(name: string, given: Schema, required: boolean, schemas: Schemas): Field[] {
  const schema = followReference(given, schemas)
  const isList = schema.type === 'array'
  const one = isList && schema.items ? followReference(schema.items, schemas) : schema
  const kind = kindOf(one, schemas)
  if (!kind || SECRET.has(name)) return []
  const choices = choicesOf(one, schemas)
  const description = given.description ?? schema.description
  return [
    {
      name,
      kind,
      ...(isList && { isList }),
      ...(required && { required }),
      ...(choices.length > 0 && { choices }),
      ...(description && { description: firstSentence(description) }),
    },
  ]
}

const SECRET: ReadonlySet<string> = new Set([
  'password',
  'new_password',
  'current_password',
  'code',
  'token',
  'challenge_token',
])

function kindOf(schema: Schema, schemas: Schemas): Field['kind'] | undefined {
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) {
    const kinds = new Set(
      variants.filter(({ type }) => type !== 'null').map((one) => kindOf(followReference(one, schemas), schemas)),
    )
    return kinds.size === 1 ? [...kinds][0] : undefined
  }
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  if (types.length !== 1) return undefined
  const [type] = types
  const names = Object.keys(schema.properties ?? {})
    .toSorted()
    .join()
  if (type === 'object') return names === 'amount,currency' ? 'money' : undefined
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' || type === 'string' ? type : undefined
}

function choicesOf(schema: Schema, schemas: Schemas): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const).replaceAll('"', '')]
  const variants = schema.anyOf ?? schema.oneOf ?? []
  const known = variants
    .filter(({ type }) => type !== 'null')
    .map((one) => choicesOf(followReference(one, schemas), schemas))
  const words = (schema.enum ?? []).filter((word) => word !== null).map(String)
  return known.some((one) => one.length === 0) ? [] : [...words, ...known.flat()]
}

const followReference = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref ? { ...schemas[schema.$ref.split('/').at(-1) ?? ''], ...schema } : schema

function keyOf({ operationId, parameters = [], ...operation }: Operation): OperationCommand['key'] {
  if (!parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))) return 'none'
  return operation['x-moves-money'] || ASKS_FOR_PAYMENT.has(operationId) ? 'required' : 'optional'
}

function formOf({ responses }: Operation, shared: Components['responses']): Form {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {}
  const { content = {} } = shared[success.$ref?.split('/').at(-1) ?? ''] ?? success
  const [type] = Object.keys(content)
  if (type === undefined) return 'none'
  if (type === 'text/event-stream') return 'stream'
  if (type !== 'application/json') return 'bytes'
  return content[type]?.schema.$ref?.endsWith('Page') ? 'page' : 'json'
}

if (process.argv[1]?.endsWith('generate.ts')) {
  const document: Document = JSON.parse(await readFile('openapi.json', 'utf8'))
  await writeFile(new URL('src/operation-commands.ts', import.meta.url), generateCommands(document))
}

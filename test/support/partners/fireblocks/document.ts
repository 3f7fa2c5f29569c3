/** Judge of requests and answers: the published document of Fireblocks (document.json, cut by cut.ts). */
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

type Schema = Record<string, unknown>
type Operation = {
  readonly parameters?: readonly ({ readonly in: string; readonly name: string } | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: Record<
    string,
    { content?: { 'application/json': { schema: Schema } } } | { readonly $ref: string }
  >
}
type Document = {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: Schema
}

const DOCUMENT = JSON.parse(readFileSync(new URL('document.json', import.meta.url), 'utf8')) as Document
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('numeric', /^\d+$/)
ajv.addSchema(closed({ components: DOCUMENT.components }) as Schema, 'fireblocks')

/** Closes objects whose members the document lists: a member that it does not know is a fault. */
function closed(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(closed)
  if (typeof json !== 'object' || json === null) return json
  const all = Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      name === '$ref' && typeof value === 'string' && value.startsWith('#') ? `fireblocks${value}` : closed(value),
    ]),
  )
  const isClosed = 'properties' in all && all['type'] === 'object' && !('additionalProperties' in all)
  return isClosed ? { ...all, additionalProperties: false } : all
}

const compiled = new Map<string, ValidateFunction>()
function faultsIn(name: string, schema: Schema, value: unknown): string[] {
  const validate = compiled.get(name) ?? ajv.compile(closed(schema) as Schema)
  compiled.set(name, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    (error) => `${name}${error.instancePath}: ${error.message} ${JSON.stringify(error.params)}`,
  )
}

/** Message of either side; `path` begins after `/v1`. */
export type Message = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly status: number
  readonly answer: unknown
}

/** Finds an operation, those of fixed paths first. */
function operationOf(
  method: string,
  path: string,
): { readonly name: string; readonly operation: Operation } | undefined {
  const parts = path.split('/')
  const fits = (template: string) => {
    const wanted = template.split('/')
    return wanted.length === parts.length && wanted.every((part, at) => part.startsWith('{') || part === parts[at])
  }
  const found = Object.keys(DOCUMENT.paths)
    .filter((template) => fits(template) && method.toLowerCase() in (DOCUMENT.paths[template] ?? {}))
    .toSorted((a, b) => a.split('{').length - b.split('{').length)[0]
  const operation = DOCUMENT.paths[found ?? '']?.[method.toLowerCase()]
  return operation && { name: `${method} ${found}`, operation }
}

/** Lists what is not as the document says: in the request, and in the answer of its status. */
export function faultsOf({ method, path, query, body, status, answer }: Message): string[] {
  const found = operationOf(method, path)
  if (!found) return [`${method} ${path}: the document has no such operation`]
  const { name, operation } = found
  const parameters = (operation.parameters ?? []).flatMap((one) =>
    'name' in one && one.in === 'query' ? [one.name] : [],
  )
  const unknown = [...query.keys()].filter((one) => !parameters.includes(one))
  const wanted = operation.requestBody?.content['application/json'].schema
  const response = operation.responses[String(status)] ?? operation.responses['default']
  const given = response && '$ref' in response ? ERROR : response?.content?.['application/json'].schema
  return [
    ...unknown.map((one) => `${name}: unknown parameter ${one}`),
    ...(wanted && status < 300 ? faultsIn(`${name} request`, wanted, body ?? {}) : []),
    ...(given ? faultsIn(`${name} ${status < 300 ? 'answer' : 'error'}`, given, answer) : []),
  ]
}

const ERROR: Schema = { $ref: '#/components/schemas/ErrorSchema' }
const TRANSACTION: Schema = { $ref: '#/components/schemas/TransactionResponse' }

/** Lists what is wrong in the transaction of a webhook. */
export const faultsOfTransaction = (told: unknown): string[] => faultsIn('webhook', TRANSACTION, told)

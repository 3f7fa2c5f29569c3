/** Comparison of two OpenAPI documents: what breaks a client that was made for the first. */

type Schema = {
  readonly $ref?: string | undefined
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** True if clients must expect variants that come later. */
  readonly 'x-open'?: boolean
}
type Parameter = { readonly $ref?: string; readonly name: string; readonly required?: boolean; readonly schema: Schema }
type Content = { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Operation = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, Content>>
  }
}

/** Lists what breaks a client of the document before, one sentence for each change. */
export function listBreakingChanges(before: Document, after: Document): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method} ${path}`
      const now = after.paths[path]?.[method]
      return now ? compareOperations(name, [before, operation], [after, now]) : [`${name}: is gone`]
    }),
  )
}

type Of<Part> = readonly [Document, Part]

function compareOperations(name: string, [before, was]: Of<Operation>, [after, is]: Of<Operation>): string[] {
  const [old, now] = [parametersOf(before, was), parametersOf(after, is)]
  const parameters = [...old].flatMap(([key]) => (now.has(key) ? [] : [`${name}: parameter ${key} is gone`]))
  const demanded = [...now].flatMap(([key, { required }]) =>
    required && !old.get(key)?.required ? [`${name}: parameter ${key} is required`] : [],
  )
  const body = compare(`${name} body`, 'request', [before, jsonOf(was.requestBody)], [after, jsonOf(is.requestBody)])
  const answers = Object.entries(was.responses).flatMap(([status, response]) => {
    const answer = is.responses[status]
    if (!answer) return status.startsWith('2') ? [`${name}: ${status} is gone`] : []
    const [old, now] = [jsonOf(answerOf(before, response)), jsonOf(answerOf(after, answer))]
    return compare(`${name} ${status}`, 'answer', [before, old], [after, now])
  })
  return [...parameters, ...demanded, ...body, ...answers]
}

/** Finds the parameters of an operation by name, the shared ones too. */
const parametersOf = ({ components }: Document, { parameters = [] }: Operation): Map<string, Parameter> =>
  new Map(
    parameters
      .map((one) => components.parameters?.[one.$ref?.split('/').at(-1) ?? ''] ?? one)
      .map((one) => [one.name, one]),
  )

/** Finds an answer, a shared one too. */
const answerOf = ({ components }: Document, one: Content): Content =>
  components.responses?.[one.$ref?.split('/').at(-1) ?? ''] ?? one

const jsonOf = (part: Content | undefined): Schema => part?.content?.['application/json']?.schema ?? {}

/**
 * Compares a schema: a request may demand nothing new and must take all that it took; an answer must have all that it
 * had, and nothing of a kind that a client did not know.
 */
function compare(
  at: string,
  side: 'request' | 'answer',
  [before, given]: Of<Schema>,
  [after, taken]: Of<Schema>,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  if (given.$ref && seen.has(given.$ref)) return []
  const inside = given.$ref ? new Set([...seen, given.$ref]) : seen
  const [was, is] = [resolve(before, given), resolve(after, taken)]
  const [known, sent] =
    side === 'request' ? [kindsOf(after, is), kindsOf(before, was)] : [kindsOf(before, was), kindsOf(after, is)]
  // each word is a text
  const isKnown = (kind: string): boolean => known.has(kind) || (kind.startsWith('"') && known.has('string'))
  const foreign = known.size === 0 ? [] : [...sent].filter((kind) => !isKnown(kind))
  const kinds = foreign.map((kind) => `${at}: ${kind} ${side === 'request' ? 'is refused' : 'is new'}`)
  const wasRequired = new Set(was.required)
  const isRequired = new Set(is.required)
  const required =
    side === 'request'
      ? [...isRequired].filter((key) => !wasRequired.has(key)).map((key) => `${at}: ${key} is required`)
      : [...wasRequired].filter((key) => !isRequired.has(key)).map((key) => `${at}: ${key} may be absent`)
  const members = Object.entries(was.properties ?? {}).flatMap(([key, one]) => {
    const now = is.properties?.[key]
    return now ? compare(`${at}.${key}`, side, [before, one], [after, now], inside) : [`${at}: ${key} is gone`]
  })
  const items = was.items && is.items ? compare(`${at}[]`, side, [before, was.items], [after, is.items], inside) : []
  return [...new Set([...kinds, ...required, ...members, ...items])]
}

const resolve = ({ components }: Document, schema: Schema): Schema =>
  schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

/** Lists the types and words of a schema, and the names of its variants; empty if it is open to any. */
function kindsOf(document: Document, schema: Schema): Set<string> {
  const variants = (schema.anyOf ?? schema.oneOf)?.map((one) => ({ ...resolve(document, one), $ref: one.$ref }))
  if (variants) {
    const isOpen =
      schema['x-open'] === true ||
      (variants.some(({ type, enum: words }) => type === 'string' && !words) && variants.some((one) => one.enum))
    const kinds = variants.flatMap((one) => (one.enum || !one.$ref ? [...kindsOf(document, one)] : [one.$ref]))
    return new Set(isOpen ? [] : kinds)
  }
  if (schema.const !== undefined) return new Set([JSON.stringify(schema.const)])
  if (schema.enum) return new Set(schema.enum.map((word) => JSON.stringify(word)))
  return new Set([schema.type ?? []].flat())
}

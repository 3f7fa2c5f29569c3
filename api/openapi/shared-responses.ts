/** Answers that several operations give alike: once among the components, and a reference in each operation. */
import { mapValues } from './shared-parameters.ts'

type Content = Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>
type Response = { readonly $ref?: string; readonly content?: Content }
type Operation = { readonly responses?: Readonly<Record<string, Response>> }
type Paths<One extends Operation> = Readonly<Record<string, Readonly<Record<string, One>>>>

const isShareable = ({ $ref, content = {} }: Response): boolean => $ref === undefined && nameIn(content) !== undefined

/** Names an answer after its schema. Bytes and answers without a body stay where they are. */
const nameIn = (content: Content): string | undefined => content['application/json']?.schema.$ref?.split('/').at(-1)

/** Moves repeated answers to components. Of several with one schema, the one with the most uses is shared. */
export function shareResponses<One extends Operation>(
  paths: Paths<One>,
): { readonly paths: Paths<One>; readonly responses: Readonly<Record<string, Response>> } {
  const uses = new Map<string, { readonly response: Response; readonly count: number }>()
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const response of all.flatMap(({ responses = {} }) => Object.values(responses)).filter(isShareable)) {
    const key = JSON.stringify(response)
    uses.set(key, { response, count: (uses.get(key)?.count ?? 0) + 1 })
  }
  const shared = new Map<string, Response>()
  for (const { response, count } of [...uses.values()].toSorted((one, other) => other.count - one.count)) {
    const name = nameIn(response.content ?? {})
    if (name !== undefined && count > 1 && !shared.has(name)) shared.set(name, response)
  }
  const refer = (response: Response): Response => {
    const name = nameIn(response.content ?? {}) ?? ''
    const isShared = JSON.stringify(shared.get(name)) === JSON.stringify(response)
    return isShared ? { $ref: `#/components/responses/${name}` } : response
  }
  const referred = mapValues(paths, (methods) =>
    mapValues(methods, (operation) => ({
      ...operation,
      ...(operation.responses && { responses: mapValues(operation.responses, refer) }),
    })),
  )
  return { paths: referred, responses: Object.fromEntries([...shared].toSorted()) }
}

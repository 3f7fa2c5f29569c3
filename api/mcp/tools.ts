/** Tools as data: input schemas and annotations, derived from the operations that are marked for delegates. */
import type { JsonSchema } from '@valibot/to-json-schema'
import { DELEGATE_ACCESS, type DelegateAccess } from '../../domain/people/delegate.ts'
import type { Route } from '../http/route.ts'
import { wholeRequest } from '../openapi/json-schema.ts'
import { describeParameter } from '../openapi/members/members.ts'
import { CHOSEN, type ToolChoice } from './chosen.ts'

/** Place of an argument in the request; `whole body` is a body of several shapes, which is one argument. */
export type Place = 'path' | 'query' | 'body' | 'whole body' | 'key'

export type Tool = ToolChoice & {
  readonly route: Route
  readonly access: DelegateAccess
  readonly inputSchema: JsonSchema
  readonly places: Readonly<Record<string, Place>>
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: false
    readonly idempotentHint: boolean
    readonly openWorldHint: false
  }
}

/** The delegate's own organization is filled in: an agent cannot name another. */
export const OWN_ORGANIZATION = 'organization_id'
export const IDEMPOTENCY_KEY = 'idempotency_key'
const BODY = 'body'
/** Members by which a person takes a risk on themselves; no delegate may. */
export const isAcknowledgement = (member: string): boolean => member.startsWith('acknowledge_')

/** Makes the tools of the chosen operations that are marked. */
export function toolsOf(routes: readonly Route[]): Tool[] {
  return CHOSEN.flatMap((chosen) => {
    const route = routes.find(({ operationId }) => operationId === chosen.operationId)
    if (!route) throw new Error(`there is no operation ${chosen.operationId}`)
    return route.delegate ? [toolOf(chosen, route, route.delegate)] : []
  })
}

/** Tells if a delegate with this access may use what needs another. */
export const covers = (given: DelegateAccess, needed: DelegateAccess): boolean =>
  DELEGATE_ACCESS.indexOf(given) >= DELEGATE_ACCESS.indexOf(needed)

type Argument = {
  readonly name: string
  readonly place: Place
  readonly schema: JsonSchema | boolean
  readonly required: boolean
}

function toolOf(chosen: ToolChoice, route: Route, access: DelegateAccess): Tool {
  const keyed = route.replay !== undefined || route.keyed === true
  const args = [
    ...argumentsOf(route.params, 'path').filter(({ name }) => name !== OWN_ORGANIZATION),
    ...argumentsOf(route.query, 'query'),
    ...argumentsOf(route.body, 'body'),
    ...(keyed ? [KEY] : []),
  ]
  const names = args.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Error(`${chosen.name} has two arguments of one name`)
  const reads = route.shape === 'query'
  return {
    ...chosen,
    route,
    access,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(args.map(({ name, schema }) => [name, schema])),
      required: args.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
    places: Object.fromEntries(args.map(({ name, place }) => [name, place])),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: false,
      idempotentHint: reads || keyed || route.method === 'patch',
      openWorldHint: false,
    },
  }
}

const KEY: Argument = {
  name: IDEMPOTENCY_KEY,
  place: 'key',
  required: true,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'A text of your own for this one intent. Repeat it when you try the same again: it is done once.',
  },
}

function argumentsOf(schema: Route['params'], place: 'path' | 'query' | 'body'): Argument[] {
  if (!schema) return []
  const whole = withoutAcknowledgements(wholeRequest(schema))
  if (!whole.properties) return [{ name: BODY, place: 'whole body', schema: whole, required: true }]
  return Object.entries(whole.properties).map(([name, property]) => {
    const description = place === 'body' ? undefined : describeParameter(name)
    return {
      name,
      place,
      schema: typeof property === 'object' && description ? { description, ...property } : property,
      required: whole.required?.includes(name) === true,
    }
  })
}

/** Removes the members of acknowledgements at any depth. */
function withoutAcknowledgements(schema: JsonSchema): JsonSchema {
  const json = JSON.stringify(schema, (key, value: unknown) => {
    if (isAcknowledgement(key)) return undefined
    const isRequired = key === 'required' && Array.isArray(value)
    return isRequired ? value.filter((name) => !isAcknowledgement(String(name))) : value
  })
  return JSON.parse(json) as JsonSchema // the same schema, with members less
}

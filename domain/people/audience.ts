/** Audience of a token of a delegate: the resource that it is for (RFC 8707). */
import { refuse } from '../errors.ts'

/** `api` is for the operations, `mcp` for the endpoint of agents, `service` for both. */
export const AUDIENCES = ['service', 'api', 'mcp'] as const
export type Audience = (typeof AUDIENCES)[number]

/** Paths of the resources, below the address of the service. */
const PATHS: Readonly<Record<string, Audience>> = { '': 'service', '/': 'service', '/api/v1': 'api', '/mcp': 'mcp' }

/** Reads the audience that a `resource` names; undefined for one of another service, or none. */
export const audienceOf = (resource: string, publicUrl: string): Audience | undefined =>
  resource.startsWith(publicUrl) ? PATHS[resource.slice(publicUrl.length)] : undefined

/** Tells if what was given for one audience is good at another. */
export const isFor = (given: Audience, other: Audience): boolean => given === 'service' || given === other

/** Narrows a grant to what is asked for. Refuses `invalid_request` for what it is not for. */
export function narrow(granted: Audience, asked: Audience | undefined): Audience {
  if (asked !== undefined && !isFor(granted, asked)) refuseTarget()
  return asked ?? granted
}

/** Refuses a `resource` for which there are no tokens, or none by this grant. */
export const refuseTarget = (): never =>
  refuse('invalid_request', {
    errors: [{ path: 'resource', code: 'target', message: 'is nothing that this grant gives tokens for' }],
  })

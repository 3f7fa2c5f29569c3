/** Call of a tool: one request through the pipeline of the API, and its answer as the result. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Hono } from 'hono'
import { Refusal, refuse } from '../../domain/errors.ts'
import type { Restriction } from '../../domain/people/delegate.ts'
import { type Env, type Http, type Inner, callInside } from '../http/http.ts'
import { API_ROOT } from '../http/route.ts'
import { parse } from '../http/validation.ts'
import { OWN_ORGANIZATION, type Place, type Tool, isAcknowledgement } from './tools.ts'
import { NOTE, findUntrusted } from './untrusted.ts'

/** Delegate who calls, by the token of its restricted session. */
export type Caller = {
  readonly app: Hono<Env>
  readonly http: Http
  readonly token: string
  readonly delegate: Restriction
}

export type Arguments = Readonly<Record<string, unknown>>

/** Calls the operation of a tool. A refusal is a result too: its envelope, marked as an error. */
export async function callTool(caller: Caller, tool: Tool, given: Arguments): Promise<CallToolResult> {
  try {
    return await callOperation(caller, requestOf(caller, tool, given))
  } catch (error) {
    if (error instanceof Refusal) return refusalResult(error, caller.http)
    throw error
  }
}

/** Calls an operation with the token of the delegate. */
export async function callOperation({ app, http, token }: Caller, inner: Inner): Promise<CallToolResult> {
  const headers = { ...inner.headers, authorization: `Bearer ${token}` }
  const response = await callInside(app, http, { ...inner, path: API_ROOT + inner.path, headers, audience: 'mcp' })
  return resultOf(await response.json(), response.status >= 400)
}

/** Makes the result of an answer: a list at its root becomes a member, and outsiders' text is named. */
export function resultOf(answer: unknown, isError = false): CallToolResult {
  const whole = Array.isArray(answer) ? { data: answer as unknown[] } : (answer as object) // JSON of the API is one of both
  const untrusted = findUntrusted(whole)
  const structuredContent = { ...whole, ...(untrusted.length > 0 && { untrusted, untrusted_note: NOTE }) }
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(isError && { isError }),
  }
}

export const refusalResult = ({ type, message, details }: Refusal, http: Http): CallToolResult =>
  resultOf({ error: { type, message, request_id: http.get('requestId'), ...(details && { details }) } }, true)

function requestOf({ delegate }: Caller, tool: Tool, given: Arguments): Inner {
  requireKnown(tool, given)
  const { route } = tool
  const at = (place: Place) => Object.entries(given).filter(([name]) => tool.places[name] === place)
  const params = { ...Object.fromEntries(at('path')), [OWN_ORGANIZATION]: delegate.organizationId }
  if (route.params) parse(route.params, params) // before the path is made: none leads elsewhere
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Arguments)[name])),
  )
  const query = queryOf(at('query'))
  const body = given['body'] !== undefined && tool.places['body'] === 'whole body' ? given['body'] : undefined
  const json = body ?? Object.fromEntries(at('body'))
  const [[, key] = []] = at('key')
  return {
    method: route.method.toUpperCase(),
    path: query === '' ? path : `${path}?${query}`,
    ...(typeof key === 'string' && { headers: { 'idempotency-key': keyIn(key) } }),
    ...(route.body && { body: { type: 'application/json', bytes: Buffer.from(JSON.stringify(json)) } }),
  }
}

/** Refuses unknown and missing arguments, and acknowledgements at any depth. */
function requireKnown({ places, inputSchema }: Tool, given: Arguments): void {
  const faults = [
    ...Object.keys(given).filter((name) => !Object.hasOwn(places, name)),
    ...acknowledgementsIn(given),
  ].map((path) => ({ path, code: 'unknown', message: 'is no argument of this tool' }))
  const missing = (inputSchema.required ?? []).filter((name) => given[name] === undefined)
  faults.push(...missing.map((path) => ({ path, code: 'required', message: 'is required' })))
  if (faults.length > 0) refuse('invalid_request', { errors: faults })
}

function acknowledgementsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(isAcknowledgement(name) ? [name] : []),
    ...acknowledgementsIn(inner),
  ])
}

/** Checks the key before it becomes a header. */
const keyIn = (key: string): string => (/^[\x20-\x7e]{1,255}$/.test(key) ? key : refuse('idempotency_key_invalid'))

function queryOf(given: readonly (readonly [name: string, value: unknown])[]): string {
  const query = new URLSearchParams()
  for (const [name, value] of given)
    for (const one of [value].flat<unknown[]>())
      if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean')
        query.append(name, String(one))
      else if (one !== null && one !== undefined) refuseShape(name)
  return query.toString()
}

const refuseShape = (path: string): never =>
  refuse('invalid_request', { errors: [{ path, code: 'string', message: 'must be text' }] })

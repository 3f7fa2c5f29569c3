import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { config } from '../../platform/config.ts'
import { REQUEST_FAULTS, type Fault, type Faulty } from '../../domain/sandbox/sandbox.ts'
import { takeFault } from '../db/faults.ts'

const MAX_BODY_BYTES = 64 * 1024
const RETRY_AFTER_SECONDS = 1
/** Bytes of a slow answer within a client's timeout. */
const DRIPS_PER_TIMEOUT = 10

export type Reply = { readonly status: number; readonly body: unknown }
export type Ask = { readonly id: string; readonly query: URLSearchParams; readonly body: unknown }
export type Endpoint = {
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly path: string
  /** Party whose faults hit it; the partner's own by default. */
  readonly faulty?: Faulty
  /** Bytes of the longest body; 64 KiB without. */
  readonly bytesMax?: number
  readonly answer: (ask: Ask) => Promise<Reply>
}

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const unknownId: Reply = { status: 404, body: { code: 'not_found', message: 'never heard of it' } }
export const otherBody: Reply = { status: 409, body: { code: 'id_reused', message: 'the id came with another body' } }
export const refuseWith = (code: string, message: string): Reply => ({ status: 422, body: { code, message } })

export function parse<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> | RefusalReply {
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  return { refused: refuseWith('invalid', `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`) }
}
export type RefusalReply = { readonly refused: Reply }
export const isRefused = (parsed: unknown): parsed is RefusalReply =>
  typeof parsed === 'object' && parsed !== null && 'refused' in parsed

const PAGE_MAX = 500
/** Answers a page; reads one more item to see whether there is more. */
export async function page<Item extends { readonly id: string }>(
  query: URLSearchParams,
  list: (after: string | undefined, limit: number) => Promise<Item[]>,
): Promise<Reply> {
  const limit = Math.min(Math.max(Number(query.get('limit') ?? 100) || 100, 1), PAGE_MAX)
  const after = query.get('after') || undefined
  if (after !== undefined && !UUID.test(after)) return refuseWith('invalid', 'after: must be an id')
  const items = await list(after, limit + 1)
  const data = items.slice(0, limit)
  return ok({ data, next: items.length > limit ? (data.at(-1)?.id ?? null) : null })
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export type Call = {
  /** Name of the stand-in: of the mail server, or of a connection. */
  readonly partner: string
  readonly key: string
  readonly endpoints: readonly Endpoint[]
  readonly path: string
  readonly query: URLSearchParams
}

export async function serve(
  { partner, key, endpoints, path, query }: Call,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const found = find(endpoints, request.method ?? '', path)
  const json = readJson(await readText(request, found?.endpoint.bytesMax ?? MAX_BODY_BYTES))
  if (request.headers.authorization !== `Bearer ${key}`) {
    return send(response, { status: 401, body: { code: 'unauthorized', message: 'unknown key' } })
  }
  if (!found) return send(response, { status: 404, body: { code: 'no_such_path', message: 'nothing is here' } })
  // only a PUT has an ambiguous outcome
  const possible = REQUEST_FAULTS.filter((fault) => fault !== 'ambiguous' || request.method === 'PUT')
  const fault = await takeFault(found.endpoint.faulty ?? partner, possible)
  if (fault && (await refuseAtOnce(fault, response))) return
  const reply = json.malformed
    ? refuseWith('malformed', 'the body is no JSON')
    : await found.endpoint.answer({ id: found.id, query, body: json.body })
  return fault ? misbehave(fault, reply, response) : send(response, reply)
}

function find(endpoints: readonly Endpoint[], method: string, path: string) {
  for (const endpoint of endpoints) {
    if (endpoint.method !== method) continue
    const [before = '', after] = endpoint.path.split('{id}')
    if (after === undefined) {
      if (path === endpoint.path) return { endpoint, id: '' }
    } else if (path.startsWith(before) && path.endsWith(after)) {
      const id = path.slice(before.length, path.length - after.length)
      if (UUID.test(id)) return { endpoint, id: id.toLowerCase() }
    }
  }
  return undefined
}

/** Plays faults before anything is done; false for others. */
export async function refuseAtOnce(fault: Fault, response: ServerResponse): Promise<boolean> {
  switch (fault) {
    case 'down':
      response.socket?.destroy()
      return true
    case 'error':
      send(response, { status: 500, body: { code: 'internal', message: 'something broke' } })
      return true
    case 'rate_limited':
      response.setHeader('retry-after', String(RETRY_AFTER_SECONDS))
      send(response, { status: 429, body: { code: 'rate_limited', message: 'slow down' } })
      return true
    default:
      return false
  }
}

/** Malformed answers in turn: no JSON, and JSON of another shape. */
const GARBAGE = ['<html><body>Bad gateway</body></html>', '{"status":7,"data":"?"}']
let malformedCount = 0

/** Plays faults after the work is done, so that the caller does not learn of it. */
export async function misbehave(fault: Fault, reply: Reply, response: ServerResponse): Promise<void> {
  if (fault === 'slow') return drip(response, reply)
  if (fault === 'malformed') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(GARBAGE[(malformedCount += 1) % GARBAGE.length])
    return
  }
  response.socket?.destroy() // ambiguous
}

/** Sends single bytes, until the client gives up or twice its timeout is over. */
async function drip(response: ServerResponse, { status, body }: Reply): Promise<void> {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  const pauseMs = config.partnerTimeoutMs / DRIPS_PER_TIMEOUT
  for (let sent = 0; sent < DRIPS_PER_TIMEOUT * 2 && !response.destroyed; sent += 1) {
    response.write(text[sent] ?? '')
    await delay(pauseMs, undefined, { ref: false })
  }
  response.socket?.destroy()
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Reads the body; undefined if it is too long. */
export const readText = async (request: IncomingMessage, maxBytes: number): Promise<string | undefined> =>
  (await readBytes(request, maxBytes))?.toString()

/** Reads the body as it is; undefined if it is too long. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = chunk as Buffer // a request without an encoding is read as bytes
    length += bytes.length
    if (length > maxBytes) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Parses JSON; an empty text is an empty object. */
export function readJson(text: string | undefined): { body: unknown; malformed: boolean } {
  if (text === '') return { body: {}, malformed: false }
  try {
    return { body: JSON.parse(text ?? ''), malformed: false }
  } catch {
    return { body: undefined, malformed: true }
  }
}

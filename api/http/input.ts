/** What a request carries, read whole: parameters, query, and a body of JSON or of one file. */
import { refuse } from '../../db/model/errors.ts'
import { parseJson } from './json.ts'
import type { Http } from './http.ts'
import type { Message, Route } from './route.ts'

export const MAX_JSON_BYTES = 1024 * 1024
/** Where nobody is known yet, nothing large is read: parsing it would cost the others their turn. */
export const MAX_STRANGERS_JSON_BYTES = 64 * 1024
/** What multipart/form-data needs around the bytes of a file. */
export const MULTIPART_OVERHEAD_BYTES = 64 * 1024

/** `fault` throws what is wrong with the body; it is told only after the caller is known. */
export type Input = {
  readonly params: Record<string, string>
  readonly json: unknown
  readonly file?: Uint8Array
  readonly message?: Message
  readonly fault: (() => never) | null
}

/** Reads the body whole. What is wrong with it is told only after the caller is known. */
export async function readInput(route: Route, http: Http): Promise<Input> {
  const params: Record<string, string> = http.req.param()
  if (!route.body && !route.upload && !route.raw) return { json: undefined, fault: null, params }
  try {
    const bytes = await http.req.arrayBuffer()
    if (route.raw) return { json: undefined, message: messageOf(bytes, http), fault: null, params }
    const type = http.req.header('content-type') ?? ''
    if (route.upload) return { json: undefined, file: await fileOf(bytes, type, route.upload), fault: null, params }
    return { json: jsonOf(bytes, type), fault: null, params }
  } catch (error) {
    return {
      json: undefined,
      fault: () => {
        throw error
      },
      params,
    }
  }
}

function messageOf(bytes: ArrayBuffer, http: Http): Message {
  if (bytes.byteLength > MAX_STRANGERS_JSON_BYTES) {
    refuse('payload_too_large', { max_bytes: MAX_STRANGERS_JSON_BYTES })
  }
  return { body: new Uint8Array(bytes), headers: http.req.raw.headers }
}

/** The value of a body of JSON. Refuses another media type, and what cannot be read. */
export function jsonOf(bytes: ArrayBuffer | Uint8Array, type: string): unknown {
  if (bytes.byteLength === 0) return {}
  if (!/^application\/json\s*(;|$)/i.test(type)) refuse('unsupported_media_type')
  return parseJson(textOf(bytes))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON is UTF-8 (RFC 8259); bytes that are not would be stored as other characters than were sent. */
function textOf(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    refuse('malformed_request', { reason: 'not_utf8' })
  }
}

async function fileOf(bytes: ArrayBuffer, type: string, upload: NonNullable<Route['upload']>): Promise<Uint8Array> {
  if (!/^multipart\/form-data\s*;/i.test(type)) refuse('unsupported_media_type', { expected: 'multipart/form-data' })
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => null)
  if (!form) refuse('malformed_request', { reason: 'not_multipart' })
  const file = form.get(upload.field)
  if (file === null || typeof file === 'string') {
    refuse('invalid_request', { errors: [{ path: upload.field, code: 'required', message: 'must be a file' }] })
  }
  if (file.size > upload.maxBytes) refuse('payload_too_large', { max_bytes: upload.maxBytes })
  return new Uint8Array(await file.arrayBuffer())
}

/** Repeated parameters and `name[]` are arrays; anything else is text. */
export function queryOf(http: Http): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const [name, values] of Object.entries(http.req.queries())) {
    const bracketed = name.endsWith('[]')
    const key = bracketed ? name.slice(0, -2) : name
    const before = query[key] === undefined ? [] : [query[key]].flat()
    const all = [...before, ...values]
    query[key] = bracketed || all.length > 1 ? all : (all[0] ?? '')
  }
  return query
}

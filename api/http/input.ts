/** Input of a request: a query, and a body of JSON or of one file. */
import type { Actor } from '../../domain/people/actor.ts'
import { config } from '../../platform/config.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import type { Http } from './http.ts'
import { parseJson } from './json.ts'
import { fileIn } from './multipart.ts'
import type { Message, Route, SentBody } from './route.ts'

export const MAX_JSON_BYTES = 1024 * 1024
/** Limit for anonymous callers: parsing large bodies would delay the others. */
const MAX_STRANGERS_JSON_BYTES = 64 * 1024
/** Room for multipart/form-data around the bytes of a file. */
const MULTIPART_OVERHEAD_BYTES = 64 * 1024
const FIRST_BYTES = 4 * 1024
const LARGE_BYTES = 64 * 1024
/** Bulkhead: memory of this process for large bodies, which people may send as many and slowly as they like. */
const LARGE_BYTES_MAX = 64 * 1024 * 1024
/** Share of one caller, so that none can fill the memory of all. */
const LARGE_BYTES_EACH = 16 * 1024 * 1024
const RETRY_AFTER_SECONDS = 5
const DISCARDED_BYTES_MAX = 32 * 1024 * 1024

/** Parsed input; `fault` throws the fault of the body, after those of path and query. */
export type Input = {
  readonly json: unknown
  readonly file?: Buffer
  readonly message?: Message
  readonly sent?: SentBody
  readonly fault: (() => never) | null
}

export async function readInput(route: Route, http: Http, actor: Actor): Promise<Input> {
  if (!route.body && !route.upload && !route.raw) return { json: undefined, fault: null }
  try {
    return { json: undefined, fault: null, ...(await bodyOf(route, http, callerOf(actor))) }
  } catch (error) {
    return {
      json: undefined,
      fault: () => {
        throw error
      },
    }
  }
}

/** Names the caller of large bodies: a person is one, with any number of sessions. */
function callerOf(actor: Actor): string {
  if (actor.kind === 'user') return actor.userId
  return actor.kind === 'api_key' ? actor.apiKeyId : actor.kind
}

async function bodyOf({ upload, raw, pool, credential }: Route, http: Http, caller: string): Promise<Partial<Input>> {
  const type = http.req.header('content-type') ?? ''
  if (upload) {
    const { field, maxBytes } = upload
    if (!/^multipart\/form-data\s*;/i.test(type)) refuse('unsupported_media_type', { expected: 'multipart/form-data' })
    const form = await readBody(http, caller, maxBytes + MULTIPART_OVERHEAD_BYTES, { toldMax: maxBytes, pace: STEADY })
    const file = fileIn(form, type, field)
    if (!file) refuse('invalid_request', { errors: [{ path: field, code: 'required', message: 'must be a file' }] })
    return file.length > maxBytes ? refuse('payload_too_large', { max_bytes: maxBytes }) : { file }
  }
  if (raw === 'stream')
    return { sent: { pieces: arriving(http, POOLS[pool ?? 'files']), headers: http.req.raw.headers } }
  const body = await readBody(http, caller, credential === 'none' ? MAX_STRANGERS_JSON_BYTES : MAX_JSON_BYTES)
  return raw ? { message: { body, headers: http.req.raw.headers } } : { json: jsonOf(body, type) }
}

/** Refuses a body that is packed (RFC 9110, section 8.4): what it unpacks to would have no limit. */
function refusePacked(http: Http): void {
  const coding = http.req.header('content-encoding')?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') refuse('unsupported_media_type', { expected: 'identity' })
}

/** Bytes of large bodies in memory now, by caller. */
const largeBytes = new Map<string, number>()

/** Counts more or fewer bytes of a caller's large bodies. Refuses those beyond the room of one, or of all. */
function countLarge(caller: string, more: number): void {
  const own = (largeBytes.get(caller) ?? 0) + more
  if (own > 0) largeBytes.set(caller, own)
  else largeBytes.delete(caller)
  const over = { retry_after_seconds: RETRY_AFTER_SECONDS }
  if (more > 0 && own > LARGE_BYTES_EACH) refuse('rate_limited', over)
  if (more > 0 && [...largeBytes.values()].reduce((a, b) => a + b, 0) > LARGE_BYTES_MAX) {
    refuse('service_unavailable', over)
  }
}

/**
 * Reads the body into one buffer, since every small piece would cost a hundred bytes more. Refuses
 * `unsupported_media_type` if it is packed; `payload_too_large`, by the declared length or as soon as it is exceeded; `rate_limited` while the caller's large bodies fill their share;
 * `service_unavailable` while all large bodies fill the memory; and a body below its pace.
 */
export async function readBody(
  http: Http,
  caller: string,
  maxBytes: number,
  { toldMax = maxBytes, pace = AT_ONCE } = {},
): Promise<Buffer> {
  refusePacked(http)
  const declared = contentLengthOf(http)
  if (declared > maxBytes) refuse('payload_too_large', { max_bytes: toldMax })
  let [body, length, counted] = [Buffer.allocUnsafe(FIRST_BYTES), 0, 0]
  if (declared === 0) return body.subarray(0, 0)
  try {
    for await (const piece of piecesOf(http, pace)) {
      const longer = length + piece.length
      if (longer > maxBytes) refuse('payload_too_large', { max_bytes: toldMax })
      if (longer > body.length) body = Buffer.concat([body], Math.min(maxBytes, longer * 2))
      if (body.length > LARGE_BYTES) {
        const more = body.length - counted
        counted = body.length
        countLarge(caller, more)
      }
      length += piece.copy(body, length)
    }
    return body.subarray(0, length)
  } finally {
    if (counted > 0) countLarge(caller, -counted)
  }
}

/**
 * Reads the rest of the body and discards it. Most callers send all of it before they read an answer, and would see a
 * broken connection instead. False if it is too much, or has no declared length.
 */
export async function discardBody(http: Http): Promise<boolean> {
  const declared = contentLengthOf(http)
  if (declared === 0 || http.env.incoming.readableEnded) return true
  if (!(declared <= DISCARDED_BYTES_MAX)) return false
  try {
    for await (const _ of piecesOf(http, STEADY));
    return true
  } catch {
    return false // the caller is gone, or too slow
  }
}

/** Reads the declared length, 0 without a body (RFC 9112, section 6); NaN for chunks. */
const contentLengthOf = ({ req }: Http): number =>
  req.header('transfer-encoding') === undefined ? Number(req.header('content-length') ?? 0) : NaN

/** Error of a caller who hung up before the whole body had come: no answer can reach them. */
export class HungUp extends Error {
  override readonly name = 'HungUp'
}

export type Pace = { readonly bytes: number; readonly ms: number }
/** Pace of a file, which may take long: at least 16 KB in ten seconds. */
export const STEADY: Pace = { bytes: 16 * 1024, ms: config.requestDeadlineMs }
/** Pace of any other body: all of it within a minute. */
export const AT_ONCE: Pace = { bytes: Infinity, ms: config.requestDeadlineMs * 6 }

/**
 * Yields the pieces of the body. The rest stays unread, and the connection open: an answer can still be sent. Refuses
 * `malformed_request`, `too_slow`, below the pace; throws `HungUp` if the caller is gone.
 */
export async function* piecesOf({ env: { incoming } }: Http, { bytes, ms }: Pace): AsyncGenerator<Buffer> {
  // the stream of a request has no encoding, so its pieces are bytes
  const pieces = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>
  let [msLeft, bytesLeft] = [ms, bytes]
  let isWaiting = false
  try {
    for (;;) {
      const asked = performance.now()
      isWaiting = true
      const { done, value } = await within(msLeft, pieces.next())
      isWaiting = false
      if (done) return
      msLeft -= performance.now() - asked
      bytesLeft -= value.length
      if (bytesLeft <= 0) [msLeft, bytesLeft] = [ms, bytes]
      yield value
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new HungUp('the caller hung up', { cause: error })
  } finally {
    if (!isWaiting) await pieces.return?.()
  }
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal('malformed_request', { reason: 'too_slow' })), ms)
  })
  try {
    return await Promise.race([work, tooSlow])
  } finally {
    clearTimeout(timer)
  }
}

type Pool = { readonly max: number; readonly pace: Pace; underWay: number }
/** Streamed bodies at a time, apart by what they bring, as each keeps a connection: calls of strangers keep out no file. */
const POOLS: Readonly<Record<'files' | 'mails', Pool>> = {
  files: { max: 100, pace: STEADY, underWay: 0 },
  mails: { max: 20, pace: AT_ONCE, underWay: 0 },
}

/** Yields the body as it comes, at the pace of its pool. Refuses `service_unavailable` if there are too many. */
async function* arriving(http: Http, pool: Pool): AsyncGenerator<Buffer> {
  if (pool.underWay >= pool.max) refuse('service_unavailable', { retry_after_seconds: RETRY_AFTER_SECONDS })
  pool.underWay += 1
  try {
    yield* piecesOf(http, pool.pace)
  } finally {
    pool.underWay -= 1
  }
}

/** Parses a body of JSON. Refuses another media type, and what cannot be parsed. */
export function jsonOf(bytes: Uint8Array, type: string): unknown {
  if (bytes.byteLength === 0) return {}
  if (!/^application\/json\s*(;|$)/i.test(type)) refuse('unsupported_media_type')
  return parseJson(textOf(bytes))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 (RFC 8259); other bytes are refused, as they would be stored as other characters. */
function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    refuse('malformed_request', { reason: 'not_utf8' })
  }
}

/** Reads the query: repeated parameters and `name[]` are arrays, anything else is text. */
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

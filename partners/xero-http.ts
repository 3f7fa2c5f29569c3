/** HTTP client of Xero: timeout, size limit, and its kinds of failure. */
import * as v from 'valibot'
import { config } from '../platform/config.ts'
import { inCall } from './calls.ts'
import { sanitize } from './http.ts'
import { codeOf, readAtMost, retryAfterSeconds } from './responses.ts'

/**
 * Failure of a call. `away`: retry. `busy`: retry after `seconds`. `expired`: the access token. `denied`: the consent.
 * `refused`: the request, for the reason in `message`.
 */
export class XeroFailure extends Error {
  constructor(
    readonly kind: 'away' | 'busy' | 'expired' | 'denied' | 'refused',
    message: string,
    readonly seconds: number | null = null,
  ) {
    super(message)
  }
}

const ANSWER_BYTES_MAX = 8 * 1024 * 1024
const MESSAGE_CHARACTERS_MAX = 255
const CONCURRENT_SECONDS = 2
const MINUTE_SECONDS = 60

export type Question<Schema extends v.GenericSchema> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | object
  readonly answer: Schema
}

/** Asks Xero; answers the parsed body. Fails as `XeroFailure`; its message quotes no secret. */
export async function ask<Schema extends v.GenericSchema>(question: Question<Schema>): Promise<v.InferOutput<Schema>> {
  const { status, headers, text } = await inCall(
    { partner: 'xero', queues: ['accounting'], method: question.method, path: new URL(question.url).pathname },
    () => exchange(question),
  )
  if (status >= 200 && status < 300) return parseReply(question.answer, text)
  const message = messageOf(text)
  if (status === 429) {
    // the limit of concurrent calls names no time, and ends within a moment
    const pause = headers.get('x-rate-limit-problem') === 'concurrent' ? CONCURRENT_SECONDS : MINUTE_SECONDS
    throw new XeroFailure('busy', 'it asked to slow down', retryAfterSeconds(headers) ?? pause)
  }
  if (status === 401) throw new XeroFailure('expired', `it answered 401: ${message}`)
  if (status === 403) throw new XeroFailure('denied', `it answered 403: ${message}`)
  if (status === 400 || status === 404 || status === 409 || status === 412)
    throw new XeroFailure('refused', message || `it answered ${status}`)
  throw new XeroFailure('away', `it answered ${status}`, retryAfterSeconds(headers) ?? null)
}

type Reply = { readonly status: number; readonly headers: Headers; readonly text: string }

async function exchange({ method, url, headers, body }: Question<v.GenericSchema>): Promise<Reply> {
  const signal = AbortSignal.timeout(config.partnerTimeoutMs)
  const isForm = body instanceof URLSearchParams
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual', // tokens are for this address only
      signal,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await readAtMost(response.body, ANSWER_BYTES_MAX)
    if (text === undefined) throw new XeroFailure('away', `its answer is larger than ${ANSWER_BYTES_MAX} bytes`)
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    if (error instanceof XeroFailure) throw error
    if (signal.aborted) throw new XeroFailure('away', `it did not answer within ${config.partnerTimeoutMs} ms`)
    throw new XeroFailure('away', `the connection failed: ${codeOf(error)}`)
  }
}

function parseReply<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
  const result = v.safeParse(schema, text === '' ? {} : jsonOf(text))
  if (result.success) return result.output
  const fields = new Set(result.issues.map((issue) => v.getDotPath(issue) ?? 'all of it'))
  throw new XeroFailure('away', `its answer has another shape: ${[...fields].slice(0, 5).join(', ')}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new XeroFailure('away', 'its answer is not JSON')
  }
}

const Complaint = v.object({
  error: v.optional(v.string()),
  Detail: v.optional(v.nullable(v.string())),
  Message: v.optional(v.nullable(v.string())),
})

function messageOf(text: string): string {
  try {
    const { error, Detail, Message } = v.parse(Complaint, JSON.parse(text))
    return sanitize(error ?? Detail ?? Message ?? '', MESSAGE_CHARACTERS_MAX)
  } catch {
    return ''
  }
}

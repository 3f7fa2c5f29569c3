/** Transport: one request with its retries. */
import { ServiceError } from './errors.ts'

export type TransportOptions = {
  /** Origin of the service, for example `https://api.example.com`. */
  readonly baseUrl: string
  /** Session token or API key, or a function that gets one; it is asked again with the one that was refused. */
  readonly token?: string | ((refused?: string) => Promise<string | undefined>) | undefined
  /** Headers of every request, such as `x-sandbox-token`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Replacement of `fetch`. */
  readonly fetch?: typeof fetch
  /** Most retries after a lost connection, 408, 429 or 503; 4 by default. */
  readonly retries?: number
  /** Time for one try in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number
}

export type SentRequest = {
  readonly method: string
  readonly path: string
  readonly body?: string | FormData | undefined
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** False for a live stream, which has no deadline. */
  readonly hasDeadline?: boolean
}

const RETRIES = 4
const TIMEOUT_MS = 30_000
const [BACKOFF_MS, BACKOFF_MAX_MS] = [250, 8000]
/** Longest Retry-After that is waited for; the window of a limit may be a day. */
const RETRY_AFTER_MAX_MS = 60_000

/** Statuses of answers that a repeat may change. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 503])

const lost = new WeakSet<object>()

/** Tells if `fetch` threw this, for want of an answer; an abort wants none. */
export const isLost = (error: unknown): boolean => error instanceof Error && lost.has(error)

/**
 * Sends a request and answers the response if it is a success. Repeats the same bytes with the same key after a lost
 * connection, 408, 429 and 503, with backoff and jitter; a request that changes something and has no key is repeated
 * after 429 alone. Throws `ServiceError` for a refusal, also one that is over in more than a minute, and what `fetch`
 * throws if there is no answer at all.
 */
export async function send(options: TransportOptions, sent: SentRequest): Promise<Response> {
  const retries = options.retries ?? RETRIES
  const isSafe = sent.method === 'GET' || sent.method === 'PUT' || sent.idempotencyKey !== undefined
  const { token } = options
  let refused: string | undefined
  for (let attempt = 0; ; attempt += 1) {
    const bearer = typeof token === 'function' ? await token(refused) : token
    const answer = await trySend(options, sent, bearer).catch((error: unknown) => {
      if (error instanceof Error && error.name !== 'AbortError') lost.add(error)
      if (!isSafe || attempt >= retries || sent.signal?.aborted) throw error
      return undefined
    })
    if (answer?.ok) return answer
    if (answer?.status === 401 && typeof token === 'function' && refused === undefined) {
      refused = bearer ?? ''
      continue
    }
    const repeats = !answer || (PASSING.has(answer.status) && (isSafe || answer.status === 429))
    const waitMs = waitFor(answer, attempt)
    if (answer && (!repeats || attempt >= retries || waitMs > RETRY_AFTER_MAX_MS)) throw await ServiceError.from(answer)
    await pause(waitMs, sent.signal)
  }
}

async function trySend(options: TransportOptions, sent: SentRequest, bearer: string | undefined): Promise<Response> {
  const { baseUrl, timeoutMs = TIMEOUT_MS } = options
  const deadline = sent.hasDeadline === false ? [] : [AbortSignal.timeout(timeoutMs)]
  const signals = [...deadline, ...(sent.signal ? [sent.signal] : [])]
  const request = options.fetch ?? fetch
  return request(baseUrl + sent.path, {
    method: sent.method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(typeof sent.body === 'string' && { 'content-type': 'application/json' }),
      ...(sent.idempotencyKey !== undefined && { 'idempotency-key': sent.idempotencyKey }),
      ...options.headers,
      ...sent.headers,
    },
    ...(sent.body !== undefined && { body: sent.body }),
    ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    redirect: 'error',
  })
}

/** Computes how long to wait: Retry-After, else exponential backoff with jitter. In milliseconds. */
function waitFor(answer: Response | undefined, attempt: number): number {
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN)
  if (Number.isFinite(seconds)) return seconds * 1000
  return Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
}

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

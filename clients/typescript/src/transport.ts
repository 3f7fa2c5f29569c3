/** Transport: one request with its retries. */
import { PASSING, ServiceError } from './errors.ts'

export type TransportOptions = {
  /** Origin of the service, for example `https://api.example.com`. */
  readonly baseUrl: string
  /** Session token or API key, or a function that gets one; it is asked again with the one that was refused. */
  readonly token?: string | ((refused?: string) => Promise<string | undefined>) | undefined
  /** Headers of every request, such as `x-sandbox-token`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Replacement of `fetch`. */
  readonly fetch?: typeof fetch
  /** Most retries after a lost connection or an answer that passes, such as 429, 502 and 503; 4 by default. */
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

const lost = new WeakSet<object>()

/** Tells if there was no answer of the service: `fetch` threw this, or a gateway answered. An abort wants none. */
export const isLost = (error: unknown): boolean =>
  error instanceof ServiceError ? error.type === 'service_unavailable' : error instanceof Error && lost.has(error)

/**
 * Sends a request and answers the response if it is a success. Repeats the same bytes with the same key after a lost
 * connection and answers that pass, with backoff and jitter; a request that changes something and has no key is
 * repeated after 429 alone. Throws `ServiceError` for a refusal, also one that is over in more than a minute, and what
 * `fetch` throws if there is no answer at all.
 */
export async function send(options: TransportOptions, sent: SentRequest): Promise<Response> {
  const isSafe = sent.method === 'GET' || sent.method === 'PUT' || sent.idempotencyKey !== undefined
  const { token } = options
  let refused: string | undefined
  const bearer = () => (typeof token === 'function' ? token(refused) : token)
  const attempt = async () => {
    const used = await bearer()
    const answer = await trySend(options, sent, used)
    if (answer.status !== 401 || typeof token !== 'function' || refused !== undefined) return answer
    refused = used ?? ''
    return trySend(options, sent, await bearer())
  }
  return repeating(attempt, { isSafe, signal: sent.signal, retries: options.retries })
}

/** Sends bytes to a signed address of the service, or gets them from it; repeats as `send` does. */
export const sendTo = (options: TransportOptions, url: string, sent: RequestInit = {}): Promise<Response> =>
  repeating(() => requestWith(options, url, sent), { isSafe: true, retries: options.retries })

type Repeats = {
  /** True if the service does nothing twice, however often it is asked. */
  readonly isSafe: boolean
  readonly signal?: AbortSignal | undefined
  readonly retries?: number | undefined
}

async function repeating(
  attempt: () => Promise<Response>,
  { isSafe, signal, retries = RETRIES }: Repeats,
): Promise<Response> {
  for (let tried = 0; ; tried += 1) {
    const answer = await attempt().catch((error: unknown) => {
      if (!(error instanceof Error) || !lost.has(error) || !isSafe || tried >= retries || signal?.aborted) throw error
      return undefined
    })
    if (answer?.ok) return answer
    const repeats = !answer || (PASSING.has(answer.status) && (isSafe || answer.status === 429))
    const waitMs = waitFor(answer, tried)
    if (answer && (!repeats || tried >= retries || waitMs > RETRY_AFTER_MAX_MS)) throw await ServiceError.from(answer)
    await answer?.body?.cancel() // frees its connection
    await pause(waitMs, signal)
  }
}

/** Requests; marks what is thrown for want of an answer. */
async function requestWith(options: TransportOptions, url: string, sent: RequestInit): Promise<Response> {
  try {
    return await (options.fetch ?? fetch)(url, sent)
  } catch (error) {
    if (error instanceof Error && error.name !== 'AbortError') lost.add(error)
    throw error
  }
}

async function trySend(options: TransportOptions, sent: SentRequest, bearer: string | undefined): Promise<Response> {
  const { baseUrl, timeoutMs = TIMEOUT_MS } = options
  const deadline = sent.hasDeadline === false ? [] : [AbortSignal.timeout(timeoutMs)]
  const signals = [...deadline, ...(sent.signal ? [sent.signal] : [])]
  return requestWith(options, baseUrl.replace(/\/+$/, '') + sent.path, {
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

/** HTTP client of all partners: JSON with a timeout and a size limit, parsed by a schema. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import * as v from 'valibot'
import { config } from '../platform/config.ts'
import type { Connection } from '../platform/connections.ts'
import type { PartnerAccess } from '../platform/partner-access.ts'
import { onOneLine } from '../domain/text.ts'
import { QUEUE_OF } from '../platform/queues.ts'
import { inCall, traceHeader } from './calls.ts'
import { hear } from './heard.ts'
import { codeOf, readAtMost, retryAfterSeconds } from './responses.ts'

/** Address and key of a partner, and the timeout of a whole answer. */
export type PartnerEndpoint = {
  /** Name of its connection. */
  readonly party: string
  readonly url: string
  readonly key: string
  readonly timeoutMs: number
  /** Queues of the activities that may call it. */
  readonly queues: readonly string[]
  /** Reads what a provider says in its own words by an answer of 4xx; undefined leaves it to the status. */
  readonly readFailure?: (status: number, body: unknown) => SaidFailure | undefined
  /** Makes the headers by which a provider knows us, of each request; without it the key is the bearer. */
  readonly sign?: (request: SignedRequest) => Readonly<Record<string, string>>
  /** Bytes of the longest answer; 64 KiB without. */
  readonly answerBytesMax?: number
}

/** Request as it is sent: its path with the query, and its body, empty without one. */
export type SignedRequest = { readonly path: string; readonly body: string }

/** Failure in a provider's words: it has no such thing, the request is wrong, or it refuses for good. */
export type SaidFailure = 'absent' | 'misused' | { readonly code: string; readonly message: string }

type Question<Schema extends v.GenericSchema> = {
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly path: string
  readonly body?: object
  /** Body of a provider that takes forms in place of JSON; FormData with files. */
  readonly form?: URLSearchParams | FormData
  readonly answer: Schema
  /** The partner may not have it at all: every 404 says so. */
  readonly isOptional?: boolean
  /** Type of the answer, if it is not JSON. */
  readonly accept?: string
  /** Headers of this question alone. */
  readonly headers?: Readonly<Record<string, string>>
}

const ANSWER_BYTES_MAX = 64 * 1024
/** Statuses of proxies and credentials: the request itself may be right. */
const PASSING = new Set([401, 403, 407, 408, 425])
/** Failures before a connection was made, so nothing was sent. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$|CERT|SIGNATURE|ERR_TLS/

/** Makes the endpoint of a connection; activities of its own queue call it, and those of its kind. */
export function endpointOf({ name, kind, ...access }: Connection): PartnerEndpoint {
  // desks and messengers have one queue for all, and batches ask any bank about payees in that of the banks
  const shared = kind === 'crypto' ? name : QUEUE_OF[kind]
  return { ...endpointAt(name, access), queues: [...new Set([name, shared])] }
}

export const endpointAt = (party: string, { url, key }: Pick<PartnerAccess, 'url' | 'key'>): PartnerEndpoint => ({
  party,
  url,
  key,
  timeoutMs: config.partnerTimeoutMs,
  queues: [party],
})

/**
 * Asks a partner. Fails as `PartnerRefused` (final: nothing was created), `PartnerUnclear` (retried) or
 * `PartnerMisused` (final: our request is wrong). Messages quote no body.
 */
export async function requestPartner<Schema extends v.GenericSchema>(
  endpoint: PartnerEndpoint,
  question: Question<Schema>,
): Promise<v.InferOutput<Schema>> {
  const answer = await requestOrNull(endpoint, question)
  if (answer === null) throw misuseOf(endpoint, 404)
  return answer
}

/** Asks a partner; null if it says that it has no such thing. Other 404s may be a gateway's. */
export const requestOrNull = <Schema extends v.GenericSchema>(endpoint: PartnerEndpoint, question: Question<Schema>) =>
  hear(endpoint.party, ask(endpoint, question))

async function ask<Schema extends v.GenericSchema>(
  endpoint: PartnerEndpoint,
  question: Question<Schema>,
): Promise<v.InferOutput<Schema> | null> {
  const { status, headers, text } = await callPartner(endpoint, question)
  if (status >= 200 && status < 300) return parseReply(endpoint, question.answer, text)
  if (endpoint.readFailure) return readOwnFailure(endpoint, { status, headers, text })
  if (status === 404) {
    if (!question.isOptional) parseReply(endpoint, UnknownBody, text)
    return null
  }
  if (status === 422) throw refusalOf(endpoint, parseReply(endpoint, RefusalBody, text))
  throw failureOf(endpoint, { status, headers })
}

/** Reads a failure of a provider with words of its own; null if it has no such thing. A 404 without them is a gateway's. */
function readOwnFailure(endpoint: PartnerEndpoint, { status, headers, text }: Reply): null {
  const said = endpoint.readFailure?.(status, jsonOf(text))
  if (said === 'absent') return null
  if (said === 'misused') throw misuseOf(endpoint, status)
  if (said) throw refusalOf(endpoint, said)
  throw status === 404 ? unclear(endpoint, 'it answered 404', true) : failureOf(endpoint, { status, headers })
}

/** Reads a file of a partner as text, unread. Fails as requestPartner() does; any 404 is unclear. */
export async function requestText(endpoint: PartnerEndpoint, path: string, accept: string): Promise<string> {
  const { status, headers, text } = await callPartner(endpoint, { method: 'GET', path, accept, answer: v.unknown() })
  if (status >= 200 && status < 300) return text
  throw status === 404 ? unclear(endpoint, 'it has no such file', true) : failureOf(endpoint, { status, headers })
}

function failureOf(endpoint: PartnerEndpoint, { status, headers }: Omit<Reply, 'text'>): ApplicationFailure {
  if (status === 429) return unclear(endpoint, 'it asked to slow down', false, retryAfterSeconds(headers))
  if (status === 503) return unclear(endpoint, 'it answered 503', true, retryAfterSeconds(headers))
  if (status < 400 || status >= 500 || PASSING.has(status)) {
    return unclear(endpoint, `it answered ${status}`, status !== 401 && status !== 403)
  }
  return misuseOf(endpoint, status)
}

/** Asks an address for its status alone: it sends no key, and nothing of the answer is believed. */
export async function readStatus(url: string, method: 'HEAD' | 'POST'): Promise<number> {
  const body = method === 'POST' && { headers: { 'content-type': 'application/json' }, body: '{}' }
  const { status } = await fetch(url, { method, redirect: 'manual', ...body })
  return status
}

type Reply = { status: number; headers: Headers; text: string }

/** Calls a partner, and records the call. */
const callPartner = (endpoint: PartnerEndpoint, question: Question<v.GenericSchema>): Promise<Reply> =>
  inCall({ partner: endpoint.party, queues: endpoint.queues, method: question.method, path: question.path }, () =>
    exchange(endpoint, question),
  )

async function exchange(endpoint: PartnerEndpoint, question: Question<v.GenericSchema>): Promise<Reply> {
  const { method, path, form, accept = 'application/json', headers: own } = question
  const text = form instanceof URLSearchParams ? form.toString() : question.body && JSON.stringify(question.body)
  const body = form instanceof FormData ? form : text
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), endpoint.timeoutMs)
  try {
    const response = await fetch(endpoint.url + path, {
      method,
      redirect: 'manual', // the key is for this address only
      signal: controller.signal,
      headers: {
        accept,
        ...(endpoint.sign?.({ path, body: text ?? '' }) ??
          (endpoint.key && { authorization: `Bearer ${endpoint.key}` })),
        ...traceHeader(),
        ...(text !== undefined && { 'content-type': form ? FORM : 'application/json' }),
        ...own,
      },
      ...(body !== undefined && { body }),
    })
    const answer = await textOf(endpoint, response)
    if (answer === undefined) controller.abort() // the body is not read
    return { status: response.status, headers: response.headers, text: answer ?? '' }
  } catch (error) {
    if (error instanceof ApplicationFailure) throw error
    if (controller.signal.aborted) throw unclear(endpoint, `${TOO_SLOW} ${endpoint.timeoutMs} ms`, true)
    const code = codeOf(error)
    throw unclear(endpoint, `the connection failed: ${code}`, !NEVER_CONNECTED.test(code))
  } finally {
    clearTimeout(timer)
  }
}

const FORM = 'application/x-www-form-urlencoded'

const TOO_SLOW = 'it did not answer within'
/** Tells if a call failed because its partner took too long to answer. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.message.includes(TOO_SLOW)

async function textOf(endpoint: PartnerEndpoint, response: Response): Promise<string | undefined> {
  const { status, body } = response
  const isSaid = status === 404 || status === 422 || (endpoint.readFailure && status >= 400 && status < 500)
  if (!response.ok && !isSaid) return undefined
  const bytesMax = endpoint.answerBytesMax ?? ANSWER_BYTES_MAX
  const text = await readAtMost(body, bytesMax)
  if (text === undefined) throw unclear(endpoint, `its answer is larger than ${bytesMax} bytes`, true)
  return text
}

function parseReply<Schema extends v.GenericSchema>(
  endpoint: PartnerEndpoint,
  schema: Schema,
  text: string,
): v.InferOutput<Schema> {
  const json = jsonOf(text)
  if (json === undefined) throw unclear(endpoint, 'its answer is not JSON', true)
  const result = v.safeParse(schema, json)
  if (result.success) return result.output
  const fields = new Set(result.issues.map((issue) => fieldOf(issue)))
  throw unclear(endpoint, `its answer has another shape: ${[...fields].join(', ')}`, true)
}

/** Parses JSON; undefined for a text that is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names a field by the schema. Keys of a record are the partner's text, and left out. */
const fieldOf = (issue: v.BaseIssue<unknown>): string =>
  (issue.path ?? [])
    .slice(0, 3)
    .map(({ type, key }) => (type === 'object' ? key : '*'))
    .join('.') || 'all of it'

const UnknownBody = v.object({ code: v.literal('not_found') })
const RefusalBody = v.object({ code: v.string(), message: v.optional(v.string(), '') })
const CODE = /^[a-z0-9_]{1,64}$/
const MESSAGE_CHARACTERS_MAX = 255

const REFUSED = 'PartnerRefused'
const UNCLEAR = 'PartnerUnclear'
const MISUSED = 'PartnerMisused'

/** Makes the failure of a refusal; `code` is a word in lower case. */
export function refusalOf(
  { party }: { readonly party: string },
  { code, message }: v.InferOutput<typeof RefusalBody>,
): ApplicationFailure {
  return ApplicationFailure.create({
    type: REFUSED,
    message: `${party} refused`,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN, // expected, so no alarm
    details: [{ code: CODE.test(code) ? code : 'other', message: sanitize(message, MESSAGE_CHARACTERS_MAX) }],
  })
}

/** Makes the failure of a call whose outcome is unknown; `arrived`: the partner may have acted. */
export function unclear(
  { party }: { readonly party: string },
  why: string,
  arrived: boolean,
  retryAfter?: number,
): ApplicationFailure {
  return ApplicationFailure.create({
    type: UNCLEAR,
    message: `${party}: ${why}`,
    details: [{ mayHaveExecuted: arrived, retryAfterSeconds: retryAfter }],
    ...(retryAfter !== undefined && { nextRetryDelay: `${retryAfter} seconds` }),
  })
}

const misuseOf = ({ party }: PartnerEndpoint, status: number): ApplicationFailure =>
  ApplicationFailure.nonRetryable(`${party} answered ${status} to what it was asked`, MISUSED)

/** Tells whether the partner calls the request wrong: a repeat gets the same answer. */
export const isClientError = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.type === MISUSED

/** Cleans a partner's text: one line, no half characters, cut to length. */
export function sanitize(text: string, characters: number): string {
  const clean = onOneLine(text.replaceAll(/\p{Surrogate}/gu, '\u{fffd}'))
  return Array.from(clean).slice(0, characters).join('')
}

/** Reads the reason of a refusal; undefined for other failures. `message` is for people. */
export function partnerRefusal(failure: unknown): { code: string; message: string } | undefined {
  if (!(failure instanceof ApplicationFailure) || failure.type !== REFUSED) return undefined
  const [details] = failure.details ?? []
  return details as { code: string; message: string } // written above with this shape
}

export function asksToWait(failure: unknown): number | undefined {
  if (!(failure instanceof ApplicationFailure) || failure.type !== UNCLEAR) return undefined
  const [details] = failure.details ?? []
  return (details as { retryAfterSeconds?: number }).retryAfterSeconds // written above with this shape
}

/** Tells whether a repeat would fail likewise. */
export const isFinal = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.nonRetryable === true

export const isTransient = (failure: unknown): boolean => !isFinal(failure) && asksToWait(failure) === undefined

/** Tells whether the partner may have acted; undefined unless the failure is unclear. */
export function mayHaveExecuted(failure: unknown): boolean | undefined {
  if (!(failure instanceof ApplicationFailure) || failure.type !== UNCLEAR) return undefined
  const [details] = failure.details ?? []
  return (details as { mayHaveExecuted: boolean }).mayHaveExecuted // written above with this shape
}

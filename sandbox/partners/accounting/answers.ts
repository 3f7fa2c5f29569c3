/** What the stand-in of the accounting program answers, in Xero's shapes. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** `body` is sent as JSON, a text as it is. */
export type Answer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** A refusal of the gateway, before the books were looked at. */
export const problem = (status: number, detail: string): Answer => ({
  status,
  body: { Type: null, Title: TITLES[status], Status: status, Detail: detail, Instance: randomUUID(), Extensions: {} },
})

/** What Xero says of something that is not there is no JSON. */
export const notFound: Answer = { status: 404, body: "The resource you're looking for cannot be found" }

/** A refusal of the books; 10 is a validation's number, 14 is of a body, 16 of a filter. */
export const exception = (number: number, type: string, message: string): Answer => ({
  status: 400,
  body: { ErrorNumber: number, Type: type, Message: message },
})

/** Too many calls: of a minute or a day until then, or at once until another is answered. */
export const limited = (which: 'minute' | 'day' | 'concurrent', retrySeconds?: number): Answer => ({
  status: 429,
  body: '',
  headers: {
    'x-rate-limit-problem': which,
    ...(retrySeconds !== undefined && { 'retry-after': String(retrySeconds) }),
  },
})

/** An instant as the books write it. */
export const msDate = (ms: number): string => `/Date(${ms}+0000)/`

export function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(status === 204 ? undefined : text)
}

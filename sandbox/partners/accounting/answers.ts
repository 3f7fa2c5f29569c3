import type { ServerResponse } from 'node:http'

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

/** The gateway's refusal, before the books are read. */
export const problem = (status: number, detail: string): Answer => ({
  status,
  body: { Title: TITLES[status], Status: status, Detail: detail },
})

/** Missing resource. Xero answers text, not JSON. */
export const notFound: Answer = { status: 404, body: "The resource you're looking for cannot be found" }

export const limitAnswer = (which: 'minute' | 'day', retrySeconds: number): Answer => ({
  status: 429,
  body: '',
  headers: { 'x-rate-limit-problem': which, 'retry-after': String(retrySeconds) },
})

export function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(status === 204 ? undefined : text)
}

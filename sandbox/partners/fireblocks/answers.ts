/** Answers of the stand-in of Fireblocks: JSON, errors as `{message, code}`, each with a request id. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

export type Answer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const ok = (body: unknown, headers?: Answer['headers']): Answer => ({
  status: 200,
  body,
  ...(headers && { headers }),
})

export const problem = (status: number, code: number, message: string): Answer => ({ status, body: { message, code } })

/** Code of a request that the list of Fireblocks' codes has no other one for. */
const GENERAL = 1400
export const invalid = (message: string): Answer => problem(400, GENERAL, message)
export const unknownVault = problem(404, 1004, 'Vault account Id was not found')
export const unknownAsset = problem(404, 1006, "Asset doesn't exist")
export const unknownTransaction = problem(404, 1405, 'Transaction was not found')
export const usedExternalId = problem(400, 1438, 'The external tx id that was provided in the request, already exists')

export function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': randomUUID(),
    ...headers,
  })
  response.end(JSON.stringify(body))
}

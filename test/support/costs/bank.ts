/** A bank that answers at once and writes nothing: the stand-in has tables in the database that is counted. */
import { type Server, createServer } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { config } from '../../../platform/config.ts'
import { payoutOf } from '../partners/server.ts'

/** Starts the bank at its usual address: it knows every payee, takes each order, and has paid when it is asked. */
export function useSilentBank(): void {
  const orders = new Map<string, object>()
  let server: Server
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const id = request.url?.split('/').at(-1) ?? ''
      const body = request.method === 'PUT' ? ((await json(request)) as { amount: object }) : undefined
      if (request.url?.includes('/payee-checks/')) return void response.end(JSON.stringify({ id, result: 'match' }))
      if (body) orders.set(id, body.amount)
      const status = body ? { version: 1 } : { status: 'settled', version: 2 }
      response.end(JSON.stringify(payoutOf(id, { amount: orders.get(id), ...status })))
    })
    server.listen(Number(new URL(config.sandboxPartnersUrl).port), '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    server.close().closeAllConnections()
  })
}

/** A judge between our driver and the stand-in of Fireblocks: requests and answers are as the document says. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect } from 'vitest'
import { config } from '../../../../platform/config.ts'
import { startPartners } from '../../../../sandbox/partners/server.ts'
import { baseUrl } from '../../api.ts'
import { faultsOf } from './document.ts'

const ROOT = '/custodian/v1'
const FORWARDED = ['authorization', 'content-type', 'idempotency-key', 'x-api-key']

/** Starts the stand-ins behind the judge; answers the operations that were used, as `POST /transactions`. */
export function useJudge(): ReadonlySet<string> {
  const [used, faults] = [new Set<string>(), new Array<string>()]
  const stops: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const partners = await startPartners({ port: 0, callbackUrl: baseUrl })
    const server = createServer(async (request, response) => {
      const [method, body] = [request.method ?? '', await buffer(request)]
      const url = new URL(request.url ?? '/', `http://127.0.0.1:${partners.port}`)
      const headers = FORWARDED.flatMap((name): [string, string][] => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      })
      const answer = await fetch(url, { method, headers, ...(body.length > 0 && { body }) })
      const text = await answer.text()
      if (url.pathname.startsWith(ROOT)) {
        const path = url.pathname.slice(ROOT.length)
        const asked = { method, path, query: url.searchParams, body: body.length > 0 ? JSON.parse(String(body)) : {} }
        faults.push(...faultsOf({ ...asked, status: answer.status, answer: JSON.parse(text) }))
        used.add(`${method} ${path.split('/').slice(0, 3).join('/')}`)
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    })
    server.listen(Number(new URL(config.sandboxPartnersUrl).port), '127.0.0.1')
    await once(server, 'listening')
    stops.push(async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    })
    stops.push(() => partners.stop())
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
    expect(faults).toEqual([])
  })
  return used
}

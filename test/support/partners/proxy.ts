/** A proxy before the stand-in partners, which can replace any answer. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { startPartners } from '../../../sandbox/partners/server.ts'
import { config } from '../../../platform/config.ts'
import { baseUrl } from '../api.ts'

type Answer = { status: number; body: string }
/** Replaces an answer; undefined leaves it to the stand-in, a promise lets it wait. `path` begins with the partner. */
type Instead = (method: string, path: string, headers: IncomingHttpHeaders) => Answer | Promise<void> | undefined

let instead: Instead = () => undefined

/** Replaces answers until the test is over. */
export function answerInstead(answer: Instead): void {
  instead = answer
  onTestFinished(answerAsBefore)
}

export const answerAsBefore = (): void => {
  instead = () => undefined
}

/** Headers by which stand-ins know who asks, and what was asked before. */
const PASSING = ['authorization', 'x-api-key', 'idempotency-key'] as const
const passing = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(PASSING.map((name) => [name, String(headers[name] ?? '')]).filter(([, text]) => text))

/** Starts the stand-ins behind the proxy, which listens where the service looks for them. */
export function usePartnerProxy(): void {
  const stops: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const partners = await startPartners({ port: 0, callbackUrl: baseUrl })
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const [method, path] = [request.method ?? '', request.url ?? '']
      const given = await instead(method, path, request.headers)
      if (given) return void response.writeHead(given.status).end(given.body)
      const answer = await fetch(`http://127.0.0.1:${partners.port}${path}`, {
        method,
        headers: { ...passing(request.headers), 'content-type': 'application/json' },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    server.listen(Number(new URL(config.sandboxPartnersUrl).port))
    await once(server, 'listening')
    const close = async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
    stops.push(close, () => partners.stop())
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
  })
}

/** Load balancer of a rehearsal: a proxy over the APIs that answer /readyz. */
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer, request as send } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const HEALTH_EVERY_MS = 500
const IDLE_CHECK_MS = 20

type Target = { readonly port: number; ready: boolean; removed: boolean; inFlight: number }

export type Balancer = {
  readonly url: string
  /** Sends requests to the API from its next health check on; resolves when it has passed one. */
  readonly add: (port: number) => Promise<void>
  /** Takes the API out; resolves when its requests are answered. */
  readonly remove: (port: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts the balancer on this port. */
export async function startBalancer(port: number): Promise<Balancer> {
  const targets = new Map<number, Target>()
  let turn = 0
  const pick = (): Target | undefined => {
    const ready = [...targets.values()].filter((target) => target.ready && !target.removed)
    turn += 1
    return ready[turn % ready.length]
  }
  const server = createServer((request, response) => forward(pick(), request, response))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const check = async (target: Target) => {
    const answer = await fetch(`http://127.0.0.1:${target.port}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    target.ready = answer?.ok ?? false
  }
  const checking = setInterval(() => void Promise.all([...targets.values()].map(check)), HEALTH_EVERY_MS)
  return {
    url: `http://127.0.0.1:${port}`,
    async add(added) {
      const target = { port: added, ready: false, removed: false, inFlight: 0 }
      targets.set(added, target)
      while (!target.ready) {
        await check(target)
        await delay(IDLE_CHECK_MS)
      }
    },
    async remove(removed) {
      const target = targets.get(removed)
      if (!target) return
      target.removed = true
      while (target.inFlight > 0) await delay(IDLE_CHECK_MS)
      targets.delete(removed)
    },
    async stop() {
      clearInterval(checking)
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Passes one request on; answers 502 if the API hangs up, and 503 without an API. */
function forward(target: Target | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (!target) return void response.writeHead(503).end('{}')
  target.inFlight += 1
  response.once('close', () => (target.inFlight -= 1))
  const { method, url: path, headers } = request
  const passed = send({ host: '127.0.0.1', port: target.port, method, path, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.once('error', () => response.destroy())
  })
  passed.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end('{}')))
  request.pipe(passed)
}

/** Health of a worker, answered by the thread that runs its workflows and activities: a blocked one is silent. */
import { once } from 'node:events'
import { createServer } from 'node:http'

const SAMPLED_EVERY_MS = 50

/** Measures the longest time for which the event loop did not turn, since it was last asked. */
export function watchEventLoop(): { longestMs: () => number; stop: () => void } {
  let [turned, longest] = [performance.now(), 0]
  const sample = () => {
    const now = performance.now()
    longest = Math.max(longest, now - turned - SAMPLED_EVERY_MS)
    turned = now
  }
  const timer = setInterval(sample, SAMPLED_EVERY_MS).unref()
  return {
    longestMs() {
      sample()
      const ms = Math.round(longest)
      longest = 0
      return ms
    },
    stop: () => clearInterval(timer),
  }
}

/** Listens for probes: `GET /healthz` is 200 as long as the thread answers at all. */
export async function answerProbes(host: string, port: number): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const isProbe = request.method === 'GET' && request.url === '/healthz'
    response.writeHead(isProbe ? 200 : 404, { 'content-type': 'application/json', connection: 'close' })
    response.end(isProbe ? '{"status":"ok"}' : undefined)
  })
  await once(server.listen(port, host), 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

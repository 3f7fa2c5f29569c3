/** What an operator measures: requests by route pattern and status, and the process itself. */
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to answer a request, by route pattern and status.',
  labelNames: ['route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
})

/** Counts one answered request; `route` is the pattern, never the path. */
export const observe = (route: string, status: number, seconds: number): void =>
  requests.observe({ route, status: String(status) }, seconds)

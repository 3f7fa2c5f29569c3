/** What an operator measures: requests by route pattern and status, and the process itself. */
import { Gauge, type GaugeConfiguration, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { countFindings, countStoppedBooks } from '../db/audits.ts'
import { log } from '../db/log.ts'
import { countUnmatched } from '../db/unmatched-deposits.ts'
import { FINDING_KINDS } from '../db/model/audit.ts'

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

/** What the audit keeps is asked when it is measured: it runs in another process. Without Postgres the last number stays. */
const gauge = <Label extends string>(configuration: GaugeConfiguration<Label>): Gauge<Label> => new Gauge(configuration)

const asked = async (count: () => Promise<void>): Promise<void> => {
  await count().catch((error: unknown) => log.warn({ err: error }, 'findings could not be counted'))
}

gauge({
  name: 'audit_findings_open',
  help: 'What the audit found and finds still, by kind.',
  labelNames: ['kind'],
  registers: [registry],
  collect() {
    return asked(async () => {
      const counts = await countFindings()
      for (const kind of FINDING_KINDS) this.set({ kind }, counts.find((one) => one.kind === kind)?.count ?? 0)
    })
  },
})

gauge({
  name: 'organizations_with_books_stopped',
  help: 'Organizations in which no new money moves until an operator has looked at their books.',
  registers: [registry],
  collect() {
    return asked(async () => this.set(await countStoppedBooks()))
  },
})

gauge({
  name: 'unmatched_deposits',
  help: 'Money that nobody could be found for and that waits for an operator.',
  registers: [registry],
  async collect() {
    try {
      this.set(await countUnmatched())
    } catch (error) {
      log.warn({ err: error }, 'unmatched deposits could not be counted')
    }
  },
})

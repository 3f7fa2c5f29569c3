/** Metrics: requests by route pattern and status, and the process itself. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Gauge, type GaugeConfiguration, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { STREAM_KINDS, countStreams } from './events/open-streams.ts'
import { countFindings, countStoppedBooks } from '../services/audit/findings.ts'
import { countRefused } from './callbacks/refused.ts'
import { type ConnectionStanding, listConnections } from '../services/audit/connections.ts'
import { partnersHealth } from '../services/audit/partners.ts'
import { openPositionUsd } from '../services/covers/covers.ts'
import { observeWaits } from '../db/postgres/sql.ts'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { oldestUnseenSeconds } from '../db/processes/processes.ts'
import { countUnmatched } from '../services/deposits/unmatched.ts'
import { countFailed } from '../services/messages/messages.ts'
import { countDropped } from '../services/requests/buffer.ts'
import { countFailingWebhooks } from '../services/webhooks/failing.ts'
import { CHANNELS } from '../domain/messages/message.ts'
import { FINDING_KINDS } from '../domain/audit/audit.ts'
import { workerDelays } from '../db/processes/worker-heartbeats.ts'
import { describeQueues } from '../temporal/queues.ts'

export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to answer a request, by route pattern and status.',
  labelNames: ['route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
})

/** Counts an answered request; `route` is the pattern, never the path. */
export const observe = (route: string, status: number, seconds: number): void =>
  requests.observe({ route, status: String(status) }, seconds)

const waits = new Histogram({
  name: 'database_pool_wait_seconds',
  help: 'Time until a transaction of the API had a connection of the pool, and had begun.',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  registers: [registry],
})
observeWaits((seconds) => waits.observe(seconds))

/** Gauge that is read at each scrape; keeps its last value while what it reads is away. */
const counted = <Label extends string = never>(
  configuration: GaugeConfiguration<Label>,
  count: (gauge: Gauge<Label>) => Promise<void>,
): Gauge<Label> =>
  new Gauge({
    ...configuration,
    registers: [registry],
    async collect() {
      await count(this).catch((error: unknown) =>
        log.warn({ err: error }, `${configuration.name} could not be counted`),
      )
    },
  })

counted(
  { name: 'audit_findings_open', help: 'What the audit found and finds still, by kind.', labelNames: ['kind'] },
  async (gauge) => {
    const counts = await countFindings()
    for (const kind of FINDING_KINDS) gauge.set({ kind }, counts.find((one) => one.kind === kind)?.count ?? 0)
  },
)

counted(
  {
    name: 'organizations_with_books_stopped',
    help: 'Organizations in which no new money moves until an operator has looked at their books.',
  },
  async (gauge) => gauge.set(await countStoppedBooks()),
)

counted(
  { name: 'unmatched_deposits', help: 'Money that nobody could be found for and that waits for an operator.' },
  async (gauge) => gauge.set(await countUnmatched()),
)

counted(
  {
    name: 'fx_position_usd',
    help: 'What our own position is worth that is not covered yet; above FX_POSITION_LIMIT_USD nothing is exchanged.',
  },
  async (gauge) => gauge.set(await openPositionUsd()),
)

counted(
  {
    name: 'streams_open',
    help: 'Open streams of this process: of events, and of changes of pages.',
    labelNames: ['kind'],
  },
  async (gauge) => STREAM_KINDS.forEach((kind) => gauge.set({ kind }, countStreams(kind))),
)

counted(
  {
    name: 'messages_failed',
    help: 'Mails, and messages to phones, that were refused for good or given up within the last day.',
    labelNames: ['channel'],
  },
  async (gauge) => {
    const counts = await countFailed()
    for (const channel of CHANNELS) {
      gauge.set({ channel }, counts.find((one) => one.channel === channel)?.count ?? 0)
    }
  },
)

counted(
  {
    name: 'processes_oldest_unseen_seconds',
    help: 'Since when a change waits that no run has looked at; alert above 60, a finding above 600.',
  },
  async (gauge) => gauge.set((await oldestUnseenSeconds()) ?? 0),
)

counted(
  {
    name: 'requests_not_logged',
    help: 'Requests since the start of this process that the log of their organization does not have, for want of room.',
  },
  async (gauge) => gauge.set(countDropped()),
)

counted(
  { name: 'webhook_endpoints_failing', help: 'Webhook endpoints that take nothing, or were disabled for it.' },
  async (gauge) => gauge.set(await countFailingWebhooks()),
)

counted(
  {
    name: 'partner_lists_unread_seconds',
    help: 'Since when the lists of a partner have not been read to their end; alert above 7200.',
    labelNames: ['partner'],
  },
  async (gauge) => {
    for (const { partner, unread_seconds: seconds } of await partnersHealth()) {
      if (seconds !== null) gauge.set({ partner }, seconds)
    }
  },
)

counted(
  {
    name: 'partner_callbacks_unhandled',
    help: 'Callbacks of a partner that no run has handled.',
    labelNames: ['partner'],
  },
  async (gauge) => {
    for (const { partner, unhandled_callbacks: unhandled } of await partnersHealth()) gauge.set({ partner }, unhandled)
  },
)

/** Reads the connections for several gauges of one scrape. */
let read: { readonly at: number; readonly standings: Promise<ConnectionStanding[]> } | undefined
const SCRAPE_MS = 2000
function readConnections(): Promise<ConnectionStanding[]> {
  if (!read || Date.now() - read.at > SCRAPE_MS) read = { at: Date.now(), standings: listConnections() }
  return read.standings
}

/** Gauge of each connection. */
const ofConnections = (
  configuration: Omit<GaugeConfiguration<'partner'>, 'labelNames'>,
  valueOf: (one: ConnectionStanding) => number,
) =>
  counted({ ...configuration, labelNames: ['partner'] }, async (gauge) => {
    for (const one of await readConnections()) gauge.set({ partner: one.name }, valueOf(one))
  })

ofConnections(
  {
    name: 'partner_silent_seconds',
    help: 'Since when a connection gives no clear answer; 0 if it does; alert above 300.',
  },
  ({ silent_seconds: seconds }) => seconds ?? 0,
)
ofConnections({ name: 'partner_paused', help: '1 while an operator has paused the connection.' }, ({ pause }) =>
  pause ? 1 : 0,
)
ofConnections(
  { name: 'partner_orders_open', help: 'Payments that a connection has, or is to get now.' },
  ({ orders }) => orders,
)
ofConnections(
  {
    name: 'partner_order_waits_seconds',
    help: 'Age of the oldest order that a connection has not taken; 0 while it is paused; alert above 900.',
  },
  ({ late_seconds: seconds }) => seconds ?? 0,
)
ofConnections(
  {
    name: 'partner_uncalled_seconds',
    help: 'For how long a connection has not called while it has orders; alert above 86400.',
  },
  ({ uncalled_seconds: seconds }) => seconds ?? 0,
)
ofConnections({ name: 'partner_findings_open', help: 'Open findings about a connection.' }, ({ findings }) => findings)
ofConnections(
  {
    name: 'partner_callbacks_refused',
    help: 'Callbacks in the name of a connection that this process has refused since its start.',
  },
  ({ name }) => countRefused(name),
)

counted(
  {
    name: 'task_queue_backlog_seconds',
    help: 'Age of the oldest activity that waits in a queue for a worker, as Temporal sees it.',
    labelNames: ['queue'],
  },
  async (gauge) => {
    for (const { name: queue, backlogSeconds: seconds } of await describeQueues()) gauge.set({ queue }, seconds)
  },
)

counted(
  {
    name: 'worker_event_loop_delay_seconds',
    help: 'Longest time for which the event loop of a worker of these queues did not turn; alert above 2.',
    labelNames: ['queues'],
  },
  async (gauge) => {
    for (const { queues, seconds } of await workerDelays()) gauge.set({ queues }, seconds)
  },
)

counted(
  {
    name: 'storage_free_ratio',
    help: 'Free part of the disk of DATA_DIR, 0 to 1; 1 if files go to a bucket.',
  },
  async (gauge) => {
    if (config.storage.bucket) return gauge.set(1)
    const { bavail, blocks } = await statfs(dirname(config.storage.folder))
    gauge.set(blocks > 0 ? bavail / blocks : 1)
  },
)

/** Builds ops/dashboard.json, for Grafana: a panel for each metric of the API and the worker. */
import { readFileSync } from 'node:fs'
import { WORKER_METRICS } from './worker-metrics.ts'

type Panel = { readonly title: string; readonly expr: string; readonly legend: string; readonly unit?: string }

const [WIDTH, HEIGHT, COLUMNS] = [8, 7, 3]

/** Metrics of the API that are no plain gauges of ours. */
const OF_REQUESTS: readonly Panel[] = [
  {
    title: 'Answers a second, by status',
    expr: 'sum by (status) (rate(http_request_duration_seconds_count[5m]))',
    legend: '{{status}}',
  },
  {
    title: 'Time to answer, p99',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m])))',
    legend: 'p99',
    unit: 's',
  },
  {
    title: 'Slowest routes, p99',
    expr: 'topk(10, histogram_quantile(0.99, sum by (le, route) (rate(http_request_duration_seconds_bucket[5m]))))',
    legend: '{{route}}',
    unit: 's',
  },
  {
    title: 'Wait for a connection of the pool, p95',
    expr: 'histogram_quantile(0.95, sum by (le) (rate(database_pool_wait_seconds_bucket[5m])))',
    legend: 'p95',
    unit: 's',
  },
  { title: 'Lag of the event loop, p99', expr: 'nodejs_eventloop_lag_p99_seconds', legend: '{{instance}}', unit: 's' },
  { title: 'Memory of a process', expr: 'process_resident_memory_bytes', legend: '{{instance}}', unit: 'bytes' },
]

const DECLARED = /name: '(\w+)',\s*help:\s*'([^']+)'(?:,\s*labelNames: \['(\w+)'\])?/g

/** Reads our gauges from their declarations: each is a panel. */
const ofGauges = (): Panel[] =>
  [...readFileSync('api/metrics.ts', 'utf8').matchAll(DECLARED)]
    .map(([, name = '', help = '', label]) => ({ name, help, label }))
    .filter(({ name }) => !/^http_|^database_/.test(name))
    .map(({ name, help, label }) => ({
      title: help,
      expr: `max${label ? ` by (${label})` : ''} (${name})`,
      legend: label ? `{{${label}}}` : name,
      ...(name.endsWith('_seconds') && { unit: 's' }),
    }))

const ofWorkers = (): Panel[] =>
  WORKER_METRICS.map(({ name, kind, says, by }) => ({
    title: says,
    legend: by.replaceAll(/\w+/g, '{{$&}}'),
    expr: {
      counter: `sum by (${by}) (rate(${name}[5m]))`,
      gauge: `sum by (${by}) (${name})`,
      histogram: `histogram_quantile(0.95, sum by (le, ${by}) (rate(${name}_bucket[5m])))`,
    }[kind],
    ...(kind === 'histogram' && { unit: 'ms' }),
  }))

/** Writes the dashboard as JSON; Grafana asks for the Prometheus to read when it is imported. */
export function dashboard(): string {
  const rows = [
    { title: 'What people notice', panels: [...ofGauges(), ...OF_REQUESTS.slice(0, 3)] },
    { title: 'The API', panels: OF_REQUESTS.slice(3) },
    { title: 'Workers', panels: ofWorkers() },
  ]
  const panels: object[] = []
  let y = 0
  for (const row of rows) {
    panels.push({ id: panels.length + 1, type: 'row', title: row.title, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] })
    y += 1
    for (const [index, { title, expr, legend, unit = 'short' }] of row.panels.entries()) {
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title,
        datasource: { type: 'prometheus', uid: '${source}' },
        gridPos: { x: (index % COLUMNS) * WIDTH, y: y + Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        targets: [{ refId: 'A', expr, legendFormat: legend }],
      })
    }
    y += Math.ceil(row.panels.length / COLUMNS) * HEIGHT
  }
  const variable = { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }
  const made = {
    uid: 'business-finance',
    title: 'Business finance service',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [variable] },
    panels,
  }
  return `${JSON.stringify(made, null, 2)}\n`
}

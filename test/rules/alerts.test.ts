/** Alerts and the dashboard name metrics that exist; each alert has a section of the runbook. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RULES } from '../../pages/operate/rules.ts'
import { WORKER_METRICS } from '../../dev/docs/worker-metrics.ts'

/** Metrics of Node, which prom-client exports by itself. */
const OF_NODE = ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']

const ofApi = [...readFileSync('api/metrics.ts', 'utf8').matchAll(/\bname: '(\w+)'/g)].map(([, name = '']) => name)
const exported = new Set([...ofApi, ...WORKER_METRICS.map(({ name }) => name), ...OF_NODE])

const rules = readFileSync('ops/alerts.yml', 'utf8')
  .split(/^ {6}- alert: /m)
  .slice(1)
const fieldOf = (rule: string, name: string) => new RegExp(`^ +${name}: '?(.+?)'?$`, 'm').exec(rule)?.[1] ?? ''

/** Lists the metrics of an expression: what is left without functions, labels and ranges. */
const metricsOf = (expr: string): string[] =>
  (expr.replaceAll(/\{.*?\}|\bby \(.*?\)|\[.*?\]|\w+(?= ?\()/g, ' ').match(/[a-z]+(?:_[a-z0-9]+)+/g) ?? []).map(
    (name) => name.replace(/_(bucket|count|sum)$/, ''),
  )

test('alerts name metrics that API or worker export', () => {
  const named = rules.flatMap((rule) => metricsOf(fieldOf(rule, 'expr')))
  expect(rules.length).toBeGreaterThan(20)
  expect(named.length).toBeGreaterThanOrEqual(rules.length)
  expect(named.filter((name) => !exported.has(name))).toEqual([])
})

test('the dashboard names metrics that API or worker export, and shows each of them', () => {
  // the shape that dashboard.ts writes
  const { panels } = JSON.parse(readFileSync('ops/dashboard.json', 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsOf(expr)))
  expect([...new Set(shown)].toSorted()).toEqual([...exported].toSorted())
})

test('every alert has a severity, a summary and a section of the runbook, and every section an alert', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8')
  const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  const faults = rules.filter(
    (rule) =>
      !/severity: (page|ticket) /.test(rule) ||
      fieldOf(rule, 'summary') === '' ||
      !anchors.includes(/^docs\/runbook\.md#(.+)$/.exec(fieldOf(rule, 'runbook_url'))?.[1] ?? ''),
  )
  expect(faults).toEqual([])
  const sections = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  expect(sections).toEqual(rules.map((rule) => rule.split('\n', 1)[0]))
})

test('the verdict of the page of operators judges by the limits of the alerts', () => {
  const judged = Object.entries<{ metric: string; above?: number; below?: number }>(RULES).map(
    ([alert, { metric, above, below }]) => [
      alert,
      above === undefined ? `${metric} < ${below}` : `${metric} > ${above}`,
    ],
  )
  const expressions = rules.map((rule) => [rule.split('\n', 1)[0], fieldOf(rule, 'expr')])
  expect(expressions).toEqual(expect.arrayContaining(judged))
})

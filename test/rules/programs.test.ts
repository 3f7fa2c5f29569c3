/** Programs of a deployment: what each loads before anything else. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const textOf = (file: string) => readFileSync(file, 'utf8')
const FILES = ['Dockerfile', 'docker-compose.yml', 'ops/helm/templates/api.yaml', 'ops/helm/templates/workers.yaml']
const named = FILES.flatMap((file) =>
  [...textOf(file).matchAll(/\bdist\/([\w/-]+)\.js\b/g)].map(([, name]) => `${name}.ts`),
)
const PROGRAMS = [...new Set(named)]

test('the programs are found', () =>
  expect(PROGRAMS).toEqual(
    expect.arrayContaining(['server.ts', 'worker.ts', 'admin.ts', 'sandbox/partners/server.ts']),
  ))

// it explains what fails in the next imports, and sets the times of connections (platform/network/connections.ts)
test.each(PROGRAMS)('%s loads platform/start-faults.ts first', (file) => {
  const [, first = ''] = /^import\b(?:[^'\n]* from)? '([^']+)'/m.exec(textOf(file)) ?? []
  expect(first).toMatch(/^(\.\.?\/)+platform\/start-faults\.ts$/)
})

test('what they load first sets the times of connections', () =>
  expect(textOf('platform/start-faults.ts')).toMatch(/^import '\.\/network\/connections\.ts'/m))

test('the API is killed only after its drain, of which its farewell leaves two thirds for the last answers', () => {
  const numberIn = (file: string, pattern: RegExp) => Number(pattern.exec(textOf(file))?.[1]?.replaceAll('_', ''))
  const drain = numberIn('server.ts', /^const DRAIN_MS = ([\d_]+)$/m) / 1000
  expect(drain).toBeGreaterThanOrEqual((3 * numberIn('server.ts', /^const FAREWELL_MS = ([\d_]+)$/m)) / 1000)
  const sleep = numberIn('ops/helm/templates/api.yaml', /preStop: \{ sleep: \{ seconds: (\d+) \} \}/)
  const grace = numberIn('ops/helm/templates/api.yaml', /terminationGracePeriodSeconds: (\d+)/)
  expect(grace).toBeGreaterThan(sleep + drain)
  const patience = numberIn('docker-compose.yml', /node, dist\/server\.js\][\s\S]*?stop_grace_period: (\d+)s/)
  expect(patience).toBeGreaterThan(drain)
})

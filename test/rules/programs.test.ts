/** Programs of a deployment: what each loads before anything else. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const textOf = (file: string) => readFileSync(file, 'utf8')
const FILES = ['Dockerfile', 'docker-compose.yml', 'ops/kubernetes/api.yaml', 'ops/kubernetes/workers.yaml']
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

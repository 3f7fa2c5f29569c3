/** Metrics that a real worker and API export are those that alerts and the dashboard read. */
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { WORKER_METRICS } from '../../../dev/docs/worker-metrics.ts'
import { freePort } from '../../../dev/machine/ports.ts'
import { QUEUES } from '../../../platform/queues.ts'
import { connection } from '../../../temporal/client.ts'
import { approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { startBoth, until } from '../../support/identity/secrets.ts'

const port = await freePort()
const { api, worker } = await startBoth({ WORKER_METRICS_PORT: String(port) })
afterAll(() => Promise.all([api.stop(), worker.stop(), connection.close()]))

const textOf = async (url: string): Promise<string> => (await fetch(url)).text()

/** Reads the names and kinds of all metrics. */
const typesOf = (text: string) =>
  new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => [name, kind]))

test('a worker exports what the list says, seldom ones by the code of its core', async () => {
  const { boss, contactId } = await payerAndPayee('1000.00')
  const payment = await createPayment(boss, contactId)
  expect((await approve(boss, payment)).status).toBe(200)
  await until(async () => expect(await owner`select from processes where id = ${payment.id}`).toHaveLength(0))
  const always = WORKER_METRICS.filter(({ isSeldom }) => !isSeldom)
  // the core counts an activity shortly after its rows are committed
  await until(async () => {
    const types = typesOf(await textOf(`http://127.0.0.1:${port}/metrics`))
    expect(always.filter(({ name, kind }) => types.get(name) !== kind)).toEqual([])
  })

  const releases = join(
    dirname(createRequire(import.meta.url).resolve('@temporalio/core-bridge/package.json')),
    'releases',
  )
  const binary = readdirSync(releases, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.node'))
  const core = readFileSync(join(releases, binary ?? ''))
  const seldom = WORKER_METRICS.filter(({ isSeldom }) => isSeldom).map(({ name }) => name.replace('temporal_', ''))
  expect(seldom.filter((name) => !core.includes(name))).toEqual([])
})

test('an API exports what it declares, with the backlog of each queue and the free disk', async () => {
  // a Temporal that is slow to answer leaves the backlog out of a scrape
  let text = ''
  await until(async () => {
    text = await textOf(new URL('/metrics', api.url).href)
    for (const queue of QUEUES)
      expect(text).toMatch(new RegExp(`^task_queue_backlog_seconds\\{queue="${queue}"\\} \\d`, 'm'))
  })
  const declared = [...readFileSync('api/metrics.ts', 'utf8').matchAll(/\bname: '(\w+)'/g)].map(([, name = '']) => name)
  const types = typesOf(text)
  expect(declared.filter((name) => !types.has(name))).toEqual([])
  expect(text).toMatch(/^storage_free_ratio 0\.\d+$/m)
  expect(text).toMatch(/^database_pool_wait_seconds_count \d+$/m)
})

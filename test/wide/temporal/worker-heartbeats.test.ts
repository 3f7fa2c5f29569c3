import { afterAll, expect, test } from 'vitest'
import { type RunningWorker, startWorker } from '../../../worker.ts'
import { QUEUES } from '../../../platform/queues.ts'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import '../../support/temporal-runtime.ts'

let worker: RunningWorker | undefined
afterAll(() => worker?.stop())

const missing = async (): Promise<string[]> => (await api('GET', '//readyz')).body.missing
const ageBy = (seconds: number) =>
  owner`update worker_heartbeats set seen_at = clock_timestamp() - make_interval(secs => ${seconds})`

test('readyz names a worker and its build as missing once its heartbeat is old, although Temporal still remembers it', async () => {
  expect(await missing()).toEqual(['worker', 'version', 'queues'])
  worker = await startWorker()
  await until('all is there', async () => (await missing()).length === 0)
  const [row] = await owner`select id, build_id, queues from worker_heartbeats`
  expect(row?.['queues']).toContain('main')
  await worker.stop()
  worker = undefined
  expect(await owner`select id from worker_heartbeats`).toEqual([])
  expect(await missing()).toContain('worker')
  // a killed worker leaves its row, unlike a stopped one
  const { id, build_id, queues } = row as { id: string; build_id: string; queues: string[] }
  await owner`insert into worker_heartbeats (id, build_id, queues) values (${id}, ${build_id}, ${queues})`
  expect(await missing()).not.toContain('worker')
  await ageBy(14)
  expect(await missing()).not.toContain('worker')
  await ageBy(16)
  await expect.poll(missing).toEqual(expect.arrayContaining(['worker', 'version']))
  await owner`update worker_heartbeats set queues = '{heavy}', seen_at = clock_timestamp()`
  expect(await missing()).toContain('worker')
  await owner`update worker_heartbeats set queues = ${QUEUES.filter((queue) => queue !== 'bank')}`
  const left = await missing() // the build is asked about seldom
  expect(left).toContain('queues')
  expect(left).not.toContain('worker')
})

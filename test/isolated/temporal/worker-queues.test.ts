import { expect, test, vi } from 'vitest'
import { config } from '../../../platform/config.ts'
import { client } from '../../../temporal/client.ts'
import { currentBuild } from '../../../temporal/deployment.ts'
import { requireWorkers } from '../../../temporal/ramp.ts'
import '../../support/api.ts'
import { useWorker } from '../../support/worker.ts'

vi.hoisted(() => (process.env['WORKER_QUEUES'] = 'heavy,partners'))
useWorker({ whole: true })
const [WORKFLOWS, ACTIVITIES] = [1, 2]

test('a worker takes the queues that it is given; without main it takes no runs and makes no build the current one', async () => {
  const pollersOf = async (queue: string, taskQueueType: number) => {
    const taskQueue = { name: `${config.taskQueuePrefix}${queue}` }
    const asked = { namespace: config.temporalNamespace, taskQueue, taskQueueType }
    return (await client.workflowService.describeTaskQueue(asked)).pollers?.length
  }
  await expect.poll(() => pollersOf('heavy', ACTIVITIES)).toBe(1)
  await expect.poll(() => pollersOf('mail', ACTIVITIES)).toBe(1)
  expect([await pollersOf('main', WORKFLOWS), await pollersOf('webhooks', ACTIVITIES)]).toEqual([0, 0])
  expect(await currentBuild()).toBeNull()
})

test('a build of which some queue has no worker does not become current, and is told which', async () => {
  const said: string[] = []
  const deploying = requireWorkers({ patienceMs: 0, say: (line) => said.push(line) })
  await expect(deploying).rejects.toThrow(
    'No worker of build dev takes main, webhooks, bills (WORKER_QUEUES). Nothing was changed.',
  )
  expect(await currentBuild()).toBeNull()
})

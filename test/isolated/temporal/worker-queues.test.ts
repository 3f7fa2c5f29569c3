import { expect, test, vi } from 'vitest'
import { config } from '../../../platform/config.ts'
import { client } from '../../../temporal/client.ts'
import { currentBuild } from '../../../temporal/deployment.ts'
import '../../support/api.ts'
import { useWorker } from '../../support/worker.ts'

vi.hoisted(() => (process.env['WORKER_QUEUES'] = 'heavy'))
useWorker({ whole: true })
const [WORKFLOWS, ACTIVITIES] = [1, 2]

test('a worker takes the queues that it is given; without main it takes no runs and makes no build the current one', async () => {
  const pollersOf = async (queue: string, taskQueueType: number) => {
    const taskQueue = { name: `${config.taskQueuePrefix}${queue}` }
    const asked = { namespace: config.temporalNamespace, taskQueue, taskQueueType }
    return (await client.workflowService.describeTaskQueue(asked)).pollers?.length
  }
  await expect.poll(() => pollersOf('heavy', ACTIVITIES)).toBe(1)
  expect([await pollersOf('main', WORKFLOWS), await pollersOf('partners', ACTIVITIES)]).toEqual([0, 0])
  expect(await currentBuild()).toBeNull()
})

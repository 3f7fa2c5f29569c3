/** Task queues as Temporal sees them, for operators. */
import { config } from '../platform/config.ts'
import { client } from './client.ts'

export type QueueStanding = {
  readonly name: string
  readonly pollers: number
  /** Tasks that wait, approximately. */
  readonly backlog: number
  /** Age of the oldest task that waits. */
  readonly backlogSeconds: number
}

const ACTIVITY_TASKS = 2
const DEADLINE_MS = 2000

/** Reads who polls each queue of activities, and what waits there. */
export const describeQueues = (): Promise<QueueStanding[]> =>
  client.withDeadline(Date.now() + DEADLINE_MS, describeEach)

const describeEach = (): Promise<QueueStanding[]> => Promise.all([...config.queues.keys()].map(describeQueue))

async function describeQueue(name: string): Promise<QueueStanding> {
  const { pollers, stats } = await client.workflowService.describeTaskQueue({
    namespace: config.temporalNamespace,
    taskQueue: { name: config.taskQueuePrefix + name },
    taskQueueType: ACTIVITY_TASKS,
    reportStats: true,
  })
  return {
    name,
    pollers: pollers?.length ?? 0,
    backlog: Number(stats?.approximateBacklogCount ?? 0),
    backlogSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
  }
}

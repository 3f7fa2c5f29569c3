/** Who polls: the builds whose workers take workflow tasks now. */
import { config } from '../db/config.ts'
import { client, mainQueue } from './client.ts'

/** A poll lasts at most a minute; the server remembers pollers that are gone for longer. */
const POLL_MAX_MS = 62_000
const WORKFLOW_TASKS = 1

/** The build ids whose workers have polled the main queue lately. */
export async function polledBuilds(): Promise<ReadonlySet<string>> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: config.temporalNamespace,
    taskQueue: { name: mainQueue },
    taskQueueType: WORKFLOW_TASKS,
  })
  const lately = Date.now() - POLL_MAX_MS
  return new Set(
    (pollers ?? [])
      .filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > lately)
      .flatMap(({ deploymentOptions }) => deploymentOptions?.buildId ?? []),
  )
}

/** Replays every history on the server with the code that wrote it. */
import { Worker } from '@temporalio/worker'
import { dataConverter } from '../../../temporal/data-converter.ts'
import { workflowBundle } from '../../../temporal/bundle.ts'
import { client, mainQueue } from '../../../temporal/client.ts'
import { PROCESSES } from '../../../domain/registries/flows.ts'
import '../temporal-runtime.ts'
import { until } from '../until.ts'

/** Replays all histories of processes; returns their number and those that the present code cannot follow. */
export async function replayAll(): Promise<{ replayed: number; faults: string[] }> {
  const types = Object.keys(PROCESSES)
    .map((type) => `'${type}'`)
    .join(', ')
  const query = `TaskQueue = '${mainQueue}' AND WorkflowType IN (${types})`
  const histories = client.workflow.list({ query }).intoHistories({ concurrency: 5 })
  const options = { workflowBundle: { codePath: await workflowBundle() }, dataConverter }
  const faults: string[] = []
  let replayed = 0
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
    replayed += 1
    if (error) faults.push(`${workflowId}: ${error.message}`)
  }
  return { replayed, faults }
}

/** Replays them once as many are listed; returns those that the present code cannot follow. */
export const faultsOfAll = (atLeast: number): Promise<string[]> =>
  until('all histories to be listed', async () => {
    const { replayed, faults } = await replayAll()
    return (faults.length > 0 || replayed >= atLeast) && faults
  })

/** Runs of earlier workflow code: ended, so that the reconciler starts new ones from the rows. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Runs = {
  readonly dataDir: string
  readonly address: string
  readonly namespace: string
  /** Path of the present bundle; its name has the code's fingerprint. */
  readonly bundle: string
}

/** Ends all runs after a change of workflow code, which could not replay them; answers how many. */
export async function retireRuns({ dataDir, address, namespace, bundle }: Runs): Promise<number> {
  const file = join(dataDir, 'workflow-code')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (before === bundle) return 0
  const { Client, Connection } = await import('@temporalio/client')
  const connection = await Connection.connect({ address })
  let ended = 0
  try {
    const { workflow } = new Client({ connection, namespace })
    for await (const { workflowId, runId } of workflow.list({ query: `ExecutionStatus = 'Running'` })) {
      await workflow.getHandle(workflowId, runId).terminate('begun by other code')
      ended += 1
    }
  } finally {
    await connection.close()
  }
  writeFileSync(file, bundle, { mode: 0o600 })
  chmodSync(file, 0o600) // one of an earlier version was readable by others
  return ended
}

/** Run as a process of its own: lets Temporal's SDK download the dev server into the folder given as the argument. */
import { TestWorkflowEnvironment } from '@temporalio/testing'

process.send?.('asking')
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir: process.argv[2] ?? '.', ttl: '365d' } },
})
await environment.teardown()
process.exit(0)

/**
 * `npm run deploy:current`: the last step of a deployment. New runs go to this build from now on; workers of it must
 * run.
 */
import { explainStart } from './db/start-faults.ts' // first: it explains a start that fails in what is imported next
import { connection } from './temporal/client.ts'
import { config } from './db/config.ts'
import { makeCurrent } from './temporal/deployment.ts'

try {
  await makeCurrent()
  console.log(`New runs go to build ${config.buildId} from now on.`)
} catch (error) {
  console.error(explainStart(error) ?? (error instanceof Error ? error.message : String(error)))
  process.exitCode = 1
}
await connection.close()

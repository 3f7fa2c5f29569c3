/** `npm run deploy:current`: the last step of a deployment. Sends new runs to this build, whose workers must run. */
// first: it explains a start that fails in what is imported next
import { explainStart } from './platform/start-faults.ts'
import { connection } from './temporal/client.ts'
import { config } from './platform/config.ts'
import { makeCurrent } from './temporal/deployment.ts'

try {
  await makeCurrent()
  console.log(`New runs go to build ${config.buildId} from now on.`)
} catch (error) {
  console.error(explainStart(error) ?? (error instanceof Error ? error.message : String(error)))
  process.exitCode = 1
}
await connection.close()

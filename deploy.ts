/**
 * `npm run deploy:current`: the last step of a deployment. Sends new runs to this build, whose workers must run: 5 %, 50 %,
 * then all of them, and none if the build does worse than the one before.
 */
// first: it explains a start that fails in what is imported next
import { explainStart } from './platform/start-faults.ts'
import { parseArgs } from 'node:util'
import { config } from './platform/config.ts'
import { sql } from './db/postgres/sql.ts'
import { connection } from './temporal/client.ts'
import { makeCurrent } from './temporal/deployment.ts'
import { rampUp, requireWorkers } from './temporal/ramp.ts'

const USAGE = 'npm run deploy:current -- [--at-once] [--pause <seconds of a stage>] [--unseen <seconds>]'
/** Workers that start with this step are there by then. */
const WORKERS_PATIENCE_MS = 60_000

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())

try {
  const { atOnce, pause, unseen } = readFlags()
  const options = { pauseMs: pause * 1000, unseenSecondsMax: unseen, say: console.log, signal: interrupted.signal }
  await requireWorkers({ patienceMs: WORKERS_PATIENCE_MS, say: console.log })
  await (atOnce ? makeCurrent() : rampUp(options))
  console.log(`New runs go to build ${config.buildId} from now on.`)
} catch (error) {
  console.error(explainStart(error) ?? (error instanceof Error ? error.message : String(error)))
  process.exitCode = 1
}
await Promise.all([connection.close(), sql.end({ timeout: 5 })])

function readFlags(): { atOnce: boolean; pause: number; unseen: number } {
  const string = { type: 'string' } as const
  const options = { 'at-once': { type: 'boolean' }, pause: string, unseen: string } as const
  const { values } = parseArgs({ options })
  const [pause, unseen] = [Number(values.pause ?? 60), Number(values.unseen ?? 60)]
  if (!(pause >= 0) || !(unseen > 0)) throw new Error(`${USAGE}: both are numbers of seconds`)
  return { atOnce: values['at-once'] === true, pause, unseen }
}

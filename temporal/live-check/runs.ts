/** Checks of Temporal and its workers: reached safely, with all that runs need. */
import { queuesWithoutWorker } from '../../db/processes/worker-heartbeats.ts'
import { config } from '../../platform/config.ts'
import { client } from '../client.ts'
import { currentBuild, findMissingAttributes } from '../deployment.ts'
import { findPolledBuilds } from '../pollers.ts'
import { findMissingSchedules } from '../schedules.ts'
import { type Check, type Result, missing, ok, warning } from './check.ts'

const PAGE = 'docs/running.md'
const DAY_SECONDS = 86_400

export const runChecksOf: readonly Check[] = [
  { name: 'temporal', page: PAGE, look: checkServer },
  { name: 'search attributes', page: PAGE, needs: ['temporal'], look: checkAttributes },
  { name: 'workers', page: `${PAGE}#the-processes`, needs: ['database', 'temporal'], look: checkWorkers },
  { name: 'schedules', page: 'docs/processes.md', needs: ['temporal'], look: checkSchedules },
]

async function checkServer(): Promise<readonly Result[]> {
  const { serverVersion } = await client.workflowService.getSystemInfo({})
  const { config: settings } = await client.workflowService.describeNamespace({ namespace: config.temporalNamespace })
  const days = Number(settings?.workflowExecutionRetentionTtl?.seconds ?? 0) / DAY_SECONDS
  const way = config.temporal.tls ? 'by TLS' : 'in clear, on this host or beside it'
  return [ok(`${serverVersion} answers ${way}; ${config.temporalNamespace} keeps ended runs for ${days} days`)]
}

async function checkAttributes(): Promise<readonly Result[]> {
  const lacking = (await findMissingAttributes()).map(([name]) => name)
  if (lacking.length === 0) return [ok('all are there')]
  return [missing(`${lacking.join(', ')} (Keyword): the first worker creates them, or says who has to`)]
}

async function checkWorkers(): Promise<readonly Result[]> {
  const [idle, polled, current] = await Promise.all([queuesWithoutWorker(), findPolledBuilds(), currentBuild()])
  const queues = [...config.queues.keys()]
  const found: Result =
    idle.length === 0
      ? ok(`one for each of ${queues.length} queues`)
      : missing(idle.length === queues.length ? 'none runs' : `none takes ${idle.join(', ')}`)
  if (current === null)
    return [found, missing('no build gets new runs: deploy:current is the last step of a deployment')]
  const isOurs = current === config.buildId
  if (!polled.has(current)) return [found, missing(`new runs go to build ${current}, which no worker runs`)]
  return [
    found,
    isOurs ? ok(`new runs go to build ${current}`) : warning(`new runs go to build ${current}, not to this one`),
  ]
}

async function checkSchedules(): Promise<readonly Result[]> {
  const lacking = await findMissingSchedules()
  return [
    lacking.length === 0 ? ok('all are there') : missing(`${lacking.join(', ')}: a worker creates them at its start`),
  ]
}

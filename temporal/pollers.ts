import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { beatingBuilds } from '../db/processes/worker-heartbeats.ts'
import { client, mainQueue } from './client.ts'

/** Age of a gone poller. A poll lasts at most a minute, but the server remembers pollers longer. */
const POLL_MAX_MS = 62_000
const WORKFLOW_TASKS = 1

export async function findPolledBuilds(): Promise<ReadonlySet<string>> {
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

/** Finds builds that poll and have a heartbeat: Temporal remembers dead pollers, and a worker may not poll. */
export async function workingBuilds(): Promise<ReadonlySet<string>> {
  const [polled, beating] = await Promise.all([findPolledBuilds(), beatingBuilds('main')])
  return new Set([...polled].filter((build) => beating.has(build)))
}

const SAMPLE_EVERY_MS = 5000
/** Samples before a decision: after a restart of Temporal each worker reconnects within seconds. */
const SAMPLES = 3

let samples: { readonly at: number; readonly builds: ReadonlySet<string> }[] = []

/** Samples the pollers every few seconds for `isGone`, until it is stopped. */
export function watchBuilds(): { stop: () => void } {
  const sample = async () => {
    try {
      samples = [...samples.slice(1 - SAMPLES), { at: Date.now(), builds: await findPolledBuilds() }]
    } catch (error) {
      samples = [] // workers may reconnect when Temporal is back
      log.debug({ err: error }, 'nobody says who polls')
    }
  }
  void sample()
  const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}

/** Tells whether no recent sample has a poller of the build. False with too few samples. */
export function isGone(build: string): boolean {
  const lately = samples.filter(({ at }) => at > Date.now() - (SAMPLES + 1) * SAMPLE_EVERY_MS)
  return lately.length >= SAMPLES && lately.every(({ builds }) => !builds.has(build))
}

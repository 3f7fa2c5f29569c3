import proto from '@temporalio/proto'
import type { WorkerDeploymentOptions } from '@temporalio/worker'
import { config } from '../platform/config.ts'
import { UnusableConfiguration } from '../platform/live.ts'
import { log } from '../platform/log.ts'
import { connection, grpcError, isAway } from './client.ts'
import { isGone, workingBuilds } from './pollers.ts'

const KEYWORD = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
const SEARCH_ATTRIBUTES = { OrganizationId: KEYWORD, BusinessStatus: KEYWORD, Rail: KEYWORD }
const GRPC_NOT_FOUND = 5
const GRPC_RESOURCE_EXHAUSTED = 8
const GRPC_FAILED_PRECONDITION = 9
/** Statuses while the server does not know a version yet, or is busy. */
const NOT_YET: ReadonlySet<unknown> = new Set([GRPC_NOT_FOUND, GRPC_RESOURCE_EXHAUSTED, GRPC_FAILED_PRECONDITION])
const ATTEMPTS = 50
const ATTEMPT_PAUSE_MS = 200

/** Versioning: every run stays with its build. Recorded histories show when that is not needed. */
export const deployment = {
  version: { deploymentName: `${config.taskQueuePrefix}business-finance-service`, buildId: config.buildId },
  useWorkerVersioning: true,
  defaultVersioningBehavior: 'PINNED',
} as const satisfies WorkerDeploymentOptions

const { deploymentName } = deployment.version
const namespace = config.temporalNamespace

/** Adds the search attributes of runs that the namespace lacks; says which ones to create where we may not. */
export async function registerSearchAttributes(): Promise<void> {
  const missing = await findMissingAttributes()
  if (missing.length === 0) return
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) })
  } catch (error) {
    if (!REFUSED.has(Number(grpcError(error).code))) throw error
    const names = missing.map(([name]) => `${name} (Keyword)`).join(', ')
    throw new UnusableConfiguration(`This Temporal lets us add no search attributes: create ${names} for ${namespace}.`)
  }
}

/** Lists the search attributes of runs that the namespace lacks, with their types. */
export async function findMissingAttributes(): Promise<readonly (readonly [name: string, type: number])[]> {
  const known = await listAttributes()
  return Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => !known.has(name))
}

/** Lists the search attributes of the namespace, also where we may not ask as operators. */
async function listAttributes(): Promise<ReadonlySet<string>> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
    return new Set(Object.keys(customAttributes))
  } catch (error) {
    if (!REFUSED.has(Number(grpcError(error).code))) throw error
    const { keys } = await connection.workflowService.getSearchAttributes({})
    return new Set(Object.keys(keys))
  }
}

/** Answers of servers where others administer namespaces: PERMISSION_DENIED, UNIMPLEMENTED. */
const REFUSED: ReadonlySet<number> = new Set([7, 12])

type Current = { readonly buildId: string | undefined; readonly conflictToken: Uint8Array | undefined }

async function currentVersion(): Promise<Current | undefined> {
  try {
    const { workerDeploymentInfo: info, conflictToken } = await connection.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    })
    const buildId = info?.routingConfig?.currentDeploymentVersion?.buildId || undefined
    return { buildId, conflictToken: conflictToken ?? undefined }
  } catch (error) {
    if (grpcError(error).code === GRPC_NOT_FOUND) return undefined
    throw error
  }
}

export const currentBuild = async (): Promise<string | null> => (await currentVersion())?.buildId ?? null

export async function currentIsWorking(): Promise<boolean> {
  const [build, builds] = await Promise.all([currentBuild(), workingBuilds()])
  return build !== null && builds.has(build)
}

/** Makes this build current if no build is, or the current one has no poller. Else the deploy step decides. */
export async function makeCurrentIfNone(): Promise<void> {
  const current = await currentVersion()
  if (current?.buildId === config.buildId) return
  if (current?.buildId !== undefined && !isGone(current.buildId)) return
  await setCurrent(current?.conflictToken)
  log.warn({ build: config.buildId, before: current?.buildId ?? null }, 'new runs go to this build from now on')
}

/** Sends new runs to this build, once the server has seen a worker of it. */
export async function makeCurrent(): Promise<void> {
  await untilSeen(() => setCurrent(undefined))
}

/** Sends a percentage of new runs to this build, once it has a worker; 0 ends the ramp. */
export async function setRamp(percentage: number): Promise<void> {
  await untilSeen(async () => {
    await connection.workflowService.setWorkerDeploymentRampingVersion({
      namespace,
      deploymentName,
      buildId: percentage > 0 ? config.buildId : '', // without a name there is no ramp at all
      percentage,
      identity: `build ${config.buildId}`,
      ignoreMissingTaskQueues: true,
    })
  })
}

/** Makes this build current if none is, once the server has seen its first poll. */
export async function joinDeployment(): Promise<void> {
  await untilSeen(makeCurrentIfNone)
}

async function setCurrent(conflictToken: Uint8Array | undefined): Promise<void> {
  await connection.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName,
    buildId: config.buildId,
    identity: `build ${config.buildId}`,
    ignoreMissingTaskQueues: true,
    ...(conflictToken && { conflictToken }),
  })
}

async function untilSeen(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const passing = NOT_YET.has(grpcError(error).code) || isAway(error)
      if (!passing || attempt === ATTEMPTS) throw error
      log.debug({ attempt }, 'the server has not seen this build yet')
      await new Promise((resume) => setTimeout(resume, ATTEMPT_PAUSE_MS))
    }
  }
}

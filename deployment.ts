/** What a worker tells Temporal of itself at boot: its version, and the search attributes that operators filter by. */
import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker'
import proto from '@temporalio/proto'
import { config } from './db/config.ts'
import { log } from './db/log.ts'

const KEYWORD = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
const SEARCH_ATTRIBUTES = { OrganizationId: KEYWORD, BusinessStatus: KEYWORD, Rail: KEYWORD }
const GRPC_NOT_FOUND = 5
const GRPC_FAILED_PRECONDITION = 9
const ATTEMPTS = 50
const ATTEMPT_PAUSE_MS = 200

/** Every run stays with the build that started it; recorded histories show when that is not needed. */
export const deployment = {
  version: { deploymentName: `${config.taskQueuePrefix}business-finance-service`, buildId: config.buildId },
  useWorkerVersioning: true,
  defaultVersioningBehavior: 'PINNED',
} as const satisfies WorkerDeploymentOptions

/** Registers what is missing; what exists stays. */
export async function registerSearchAttributes(connection: NativeConnection): Promise<void> {
  const namespace = config.temporalNamespace
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => !(name in customAttributes))
  if (missing.length === 0) return
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) })
}

/** New runs go to this build from now on. Waits until the server has seen the first poll of it. */
export async function makeCurrent(connection: NativeConnection): Promise<void> {
  const { deploymentName, buildId } = deployment.version
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connection.workflowService.setWorkerDeploymentCurrentVersion({
        namespace: config.temporalNamespace,
        deploymentName,
        buildId,
        identity: 'worker boot',
        ignoreMissingTaskQueues: true,
      })
      return
    } catch (error) {
      const code = (error as { code?: number }).code // a gRPC error carries its status code
      if ((code !== GRPC_NOT_FOUND && code !== GRPC_FAILED_PRECONDITION) || attempt === ATTEMPTS) throw error
      log.debug({ attempt }, 'the server has not seen this build yet')
      await new Promise((resume) => setTimeout(resume, ATTEMPT_PAUSE_MS))
    }
  }
}

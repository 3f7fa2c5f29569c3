import { Client, Connection } from '@temporalio/client'
import { dataConverter } from './data-converter.ts'
import { config } from '../platform/config.ts'

/** Retries by gRPC, about a second. The client's own take 15 s, and end the process on a closed connection. */
const retryPolicy = {
  maxAttempts: 4,
  initialBackoff: '0.1s',
  maxBackoff: '1s',
  backoffMultiplier: 2,
  retryableStatusCodes: ['UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'ABORTED', 'UNKNOWN'],
}
/** Deadlines of calls. Set here: a deadline at each call needs an AsyncLocalStorage, which slows every promise. */
const SERVICE = 'temporal.api.workflowservice.v1.WorkflowService'
const TELLING = { service: SERVICE, method: 'SignalWithStartWorkflowExecution' }
const QUERYING = { service: SERVICE, method: 'QueryWorkflow' }
const CALLS = {
  methodConfig: [
    { name: [{}], retryPolicy },
    { name: [TELLING], retryPolicy, timeout: '5s' },
    { name: [QUERYING], retryPolicy, timeout: '3s' },
  ],
}
export const connection = Connection.lazy({
  ...config.temporal,
  channelArgs: {
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    'grpc.service_config': JSON.stringify(CALLS),
  },
  interceptors: [],
})
export const client = new Client({ connection, namespace: config.temporalNamespace, dataConverter })

export const mainQueue = `${config.taskQueuePrefix}main`

const GRPC_UNAVAILABLE = 14
const GRPC_DEADLINE_EXCEEDED = 4
const GRPC_INVALID_ARGUMENT = 3
/** Refusal of a start while the server's frontends do not know new search attributes: they learn them in a minute. */
const NOT_LEARNED = /has no mapping defined for search attribute/

/** The gRPC failure, which the client wraps in some cases. */
export const grpcError = (error: unknown): { readonly code?: unknown; readonly message?: unknown } =>
  (error instanceof Error ? error.cause : null) ?? error ?? {}

/** Tells whether Temporal is unreachable, slow or not set up yet, instead of refusing. */
export function isAway(error: unknown): boolean {
  const { code, message } = grpcError(error)
  if (code === GRPC_INVALID_ARGUMENT) return NOT_LEARNED.test(String(message))
  return code === GRPC_UNAVAILABLE || code === GRPC_DEADLINE_EXCEEDED
}

export async function pingTemporal(): Promise<boolean> {
  await client.workflowService.getSystemInfo({})
  return true
}

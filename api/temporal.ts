/** Workflow starts and updates from HTTP, and what every error of Temporal means there. */
import {
  Client,
  Connection,
  type WithStartWorkflowOperation,
  type WorkflowHandle,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client'
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common'
import type { UpdateDefinition, Workflow } from '@temporalio/common'
import { dataConverter } from '../activities/data-converter.ts'
import { refusalIn } from '../activities/failures.ts'
import { config } from '../db/config.ts'
import { log } from '../db/log.ts'
import { refuse } from '../db/model/errors.ts'
import { look } from '../workflows/approval.ts'
import { clockMoved } from '../workflows/clock.ts'
import { inLanes } from './lanes.ts'

/** The server takes 10 updates in flight for one workflow; we stay below. */
const UPDATES_IN_FLIGHT = 8
const SIGNALS_AT_ONCE = 10
const RECHECK_FIRST_MS = 25
const RECHECK_MAX_MS = 400

/**
 * With Temporal away a call is tried again for about a second, then its caller is told to come again: the client's own
 * ten attempts go on for 15 s, past the deadline of a request, and its own pause before it connects again grows to 120 s.
 */
export const connection = Connection.lazy({
  address: config.temporalAddress,
  channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1000 },
  interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 4, initialIntervalMs: () => 100 }))],
})
export const client = new Client({ connection, namespace: config.temporalNamespace, dataConverter })

type Steering<Result, Args extends unknown[]> = {
  /** Each operation can be sent once. */
  start: () => WithStartWorkflowOperation<Workflow>
  update: UpdateDefinition<Result, Args>
  updateId: string
  args: Args
}

/**
 * Sends an update to a workflow that is started where it does not run. A refusal is thrown as one. Where the race was
 * lost, or Temporal cannot say, `recorded` reads the row and its answer counts; without one it is 503.
 */
export async function steer<Result, Args extends unknown[], Answer>(
  steering: Steering<Result, Args>,
  recorded: () => Promise<Answer | undefined>,
): Promise<Result | Answer> {
  const deadline = Date.now() + config.requestDeadlineMs
  const release = await takeTurn(steering.start().options.workflowId, deadline)
  if (!release) return (await recorded()) ?? refuse('service_unavailable', { retry_after_seconds: 1 })
  const send = () =>
    client.withDeadline(deadline, () =>
      client.workflow.executeUpdateWithStart(steering.update, {
        startWorkflowOperation: steering.start(),
        updateId: steering.updateId,
        args: steering.args,
      }),
    )
  try {
    return await send().catch(async (error: unknown) => {
      if (!ended(error) || (await recorded()) !== undefined) throw error
      return send() // the run ended under the update: what it waits for is in the row, and a new one takes it from there
    })
  } catch (error) {
    const refusal = error instanceof WorkflowUpdateFailedError ? refusalIn(error.cause) : undefined
    if (refusal) throw refusal
    return await answerFromRow(error, deadline, recorded)
  } finally {
    release()
  }
}

/** Types of failures that say that the run ended before it looked at the update, or while it did. */
const ENDED = new Set(['UnprocessedUpdate', 'AcceptedUpdateCompletedWorkflow'])

function ended(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined
  return cause instanceof ApplicationFailure && ENDED.has(cause.type ?? '')
}

/**
 * The other shapes of a lost race: the run completed, was closing, left the update unprocessed or accepted, had been
 * started before, or a bare gRPC error. The row says what is true; it may still be on its way.
 */
async function answerFromRow<Answer>(
  error: unknown,
  deadline: number,
  recorded: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const over = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isUnavailable(error)
  for (let pauseMs = RECHECK_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, RECHECK_MAX_MS)) {
    const answer = await recorded()
    if (answer !== undefined) return answer
    if (over || Date.now() + pauseMs > deadline) break
    await new Promise((resume) => setTimeout(resume, pauseMs))
  }
  log.warn({ err: error }, 'Temporal gave no answer and the row has none')
  refuse('service_unavailable', { retry_after_seconds: 1 })
}

const GRPC_UNAVAILABLE = 14
function isUnavailable(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return (cause as { code?: unknown } | undefined)?.code === GRPC_UNAVAILABLE // a gRPC error carries its status code
}

const turns = new Map<string, { active: number; waiting: (() => void)[] }>()

/** Lets few updates of this process at one workflow at a time; undefined when the deadline came first. */
async function takeTurn(id: string, deadline: number): Promise<(() => void) | undefined> {
  const turn = turns.get(id) ?? { active: 0, waiting: [] }
  turns.set(id, turn)
  if (turn.active < UPDATES_IN_FLIGHT) turn.active += 1
  else if (!(await waitFor(turn, deadline))) return undefined
  return () => {
    const next = turn.waiting.shift()
    if (next) return next() // the place is handed over
    turn.active -= 1
    if (turn.active === 0) turns.delete(id)
  }
}

function waitFor(turn: { waiting: (() => void)[] }, deadline: number): Promise<boolean> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(
      () => {
        turn.waiting.splice(turn.waiting.indexOf(go), 1)
        resolve(false)
      },
      Math.max(0, deadline - Date.now()),
    )
    turn.waiting.push(go)
  })
}

/** Tells workflows how far business time is ahead; one that does not run has nothing to be told. */
export const signalClock = (workflowIds: string[], offsetSeconds: number): Promise<void> =>
  tell(workflowIds, (run) => run.signal(clockMoved, { offset_seconds: offsetSeconds }))

/** Makes workflows read their row, whatever they believe of it. */
export const askToLook = (workflowIds: string[]): Promise<void> => tell(workflowIds, (run) => run.signal(look))

const LOOK_PATIENCE_MS = 2000

/**
 * The same for a request that changed what they wait for. What was done stays done where Temporal is away, or takes its time:
 * the reconciler tells them.
 */
export async function askToLookSoon(workflowIds: string[]): Promise<void> {
  await client
    .withDeadline(Date.now() + LOOK_PATIENCE_MS, () => askToLook(workflowIds))
    .catch((error: unknown) => log.warn({ err: error }, 'workflows could not be told; the reconciler will'))
}

async function tell(workflowIds: string[], signal: (run: WorkflowHandle) => Promise<void>): Promise<void> {
  await inLanes(workflowIds, SIGNALS_AT_ONCE, (id) =>
    signal(client.workflow.getHandle(id)).catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError) && !isClosing(error)) throw error
    }),
  )
}

/** The server takes no signal for a run that is on its last step: it is as good as over. */
const isClosing = (error: unknown): boolean =>
  error instanceof Error && /workflow is closing/.test(String((error.cause as Error | undefined)?.message))

/** Whether Temporal answers. */
export async function pingTemporal(): Promise<boolean> {
  await client.workflowService.getSystemInfo({})
  return true
}

/** A poll lasts a minute; the server remembers pollers that are gone for longer. */
const POLL_MAX_MS = 70_000

/** Whether a worker has polled the main queue lately. */
export async function workerPolls(): Promise<boolean> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: config.temporalNamespace,
    taskQueue: { name: `${config.taskQueuePrefix}main` },
    taskQueueType: 1, // workflow tasks
  })
  const lately = Date.now() - POLL_MAX_MS
  return (pollers ?? []).some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > lately)
}

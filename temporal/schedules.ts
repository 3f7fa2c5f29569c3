/** Temporal Schedules: updated when a worker starts, recreated if one is missing. */
import {
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
  type WorkflowHandleWithFirstExecutionRunId,
} from '@temporalio/client'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { client, mainQueue } from './client.ts'

/** Schedules; one for each partner, so that one that is away delays no other. */
const SCHEDULES = {
  'ledger-audit': { workflow: 'audit', args: [], summary: 'Audit of all books' },
  'reconciliation-bank': {
    workflow: 'reconciliation',
    args: [{ partner: 'bank' }],
    summary: 'Reconciliation with the lists of the bank',
  },
  'reconciliation-custodian': {
    workflow: 'reconciliation',
    args: [{ partner: 'custodian' }],
    summary: 'Reconciliation with the lists of the custodian',
  },
  'reconciliation-rates': {
    workflow: 'reconciliation',
    args: [{ partner: 'rates' }],
    summary: 'Reconciliation with the lists of the rates desk',
  },
  'accounting-syncs': { workflow: 'accountingSyncs', args: [], summary: 'Syncs with accounting programs' },
  'event-heads': { workflow: 'eventHeads', args: [], summary: 'Publication of the heads of all logs' },
  'file-purge': { workflow: 'filePurge', args: [], summary: 'Purge of files that nobody uses' },
} as const
export type ScheduleName = keyof typeof SCHEDULES

export const scheduleId = (name: ScheduleName): string => `${config.taskQueuePrefix}${name}`

const DAY_MINUTES = 1440
const EVERY_MINUTES: Partial<Record<ScheduleName, number>> = {
  'accounting-syncs': config.accountingSyncEveryMinutes,
  'event-heads': DAY_MINUTES,
}
const everyMinutes = (name: ScheduleName): number => EVERY_MINUTES[name] ?? config.auditEveryMinutes

const optionsOf = (name: ScheduleName) => {
  const { workflow, args, summary } = SCHEDULES[name]
  return {
    scheduleId: scheduleId(name),
    spec: { intervals: [{ every: `${everyMinutes(name)} minutes` }] },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: scheduleId(name),
      taskQueue: mainQueue,
      args: [...args],
      staticSummary: summary,
    },
    // no overlap, and no catch-up after an outage
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  } satisfies ScheduleOptions
}

/** Starts a schedule's work now, or joins a run that was started so; answers its handle. */
export const startNow = (name: ScheduleName): Promise<WorkflowHandleWithFirstExecutionRunId> => {
  const { workflowType, taskQueue, args, staticSummary } = optionsOf(name).action
  return client.workflow.start(workflowType, {
    workflowId: `${scheduleId(name)}-now`,
    taskQueue,
    args,
    staticSummary,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  })
}

/** Schedules that this installation has: one that reads the lists of a partner needs the partner. */
const NAMES = (Object.keys(SCHEDULES) as ScheduleName[]).filter((name) =>
  SCHEDULES[name].args.every(({ partner }) => config.partners[partner]),
)

export async function createSchedules(): Promise<void> {
  for (const name of NAMES) await createSchedule(name)
}

/** Updates all schedules to this build, concurrently too; a paused one stays paused. Failures are only logged. */
export async function updateSchedules(): Promise<void> {
  for (const name of NAMES) {
    await updateSchedule(name).catch((error: unknown) => {
      log.warn({ err: error, schedule: scheduleId(name) }, 'a schedule could not be updated')
    })
  }
}

async function createSchedule(name: ScheduleName): Promise<boolean> {
  try {
    await client.schedule.create(optionsOf(name))
    return true
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    return false
  }
}

async function updateSchedule(name: ScheduleName): Promise<void> {
  if (await createSchedule(name)) return
  const { spec, action, policies } = optionsOf(name)
  await client.schedule.getHandle(scheduleId(name)).update(({ state }) => ({ spec, action, policies, state }))
}

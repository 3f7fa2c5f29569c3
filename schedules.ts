/** What runs by the clock, as Temporal Schedules: made, or brought up to date, whenever a worker starts. */
import { ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client'
import { config } from './db/config.ts'
import { log } from './db/log.ts'
import { client } from './api/temporal.ts'

/** Each partner is reconciled by itself: one that is away keeps nobody else waiting. */
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
} as const
export type Scheduled = keyof typeof SCHEDULES

/** The id of a schedule: one for each service that shares the namespace. */
export const scheduleId = (name: Scheduled): string => `${config.taskQueuePrefix}${name}`

const optionsOf = (name: Scheduled) => {
  const { workflow, args, summary } = SCHEDULES[name]
  return {
    scheduleId: scheduleId(name),
    spec: { intervals: [{ every: `${config.auditEveryMinutes} minutes` }] },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: scheduleId(name),
      taskQueue: `${config.taskQueuePrefix}main`,
      args: [...args],
      staticSummary: summary,
    },
    // one that takes longer than the pause is not doubled; runs that fell into an outage are not made up for
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  } satisfies ScheduleOptions
}

/**
 * Makes each schedule what this build says. Several workers may start at once; one that an operator paused stays paused. A
 * schedule that cannot be written now is logged: it is there from before, or from the next worker on.
 */
export async function keepSchedules(): Promise<void> {
  for (const name of Object.keys(SCHEDULES) as Scheduled[]) {
    await keepSchedule(name).catch((error: unknown) => {
      log.warn({ err: error, schedule: scheduleId(name) }, 'a schedule was not brought up to date')
    })
  }
}

async function keepSchedule(name: Scheduled): Promise<void> {
  const options = optionsOf(name)
  try {
    await client.schedule.create(options)
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { spec, action, policies } = options
    await client.schedule.getHandle(options.scheduleId).update(({ state }) => ({ spec, action, policies, state }))
  }
}

/** Temporal Schedules: updated when a worker starts, recreated if one is missing. */
import {
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
  type WorkflowHandleWithFirstExecutionRunId,
} from '@temporalio/client'
import { type ConnectionName, DEFAULT_DESK } from '../domain/partner.ts'
import { FILE_BANKS, type FileBank } from '../services/bank-files/settings.ts'
import { BOOKED_CONNECTIONS } from '../services/connections/connections.ts'
import { LIST_CONNECTIONS } from '../services/screening/settings.ts'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { client, mainQueue } from './client.ts'

type Schedule = { readonly workflow: string; readonly args: readonly object[]; readonly summary: string }

/** Schedules; one for each connection with lists, so that one that is away delays no other. */
const SCHEDULES: Readonly<Record<string, Schedule>> = {
  'ledger-audit': { workflow: 'audit', args: [], summary: 'Audit of all books' },
  ...Object.fromEntries(
    BOOKED_CONNECTIONS.map(({ name }): [string, Schedule] => [
      reconciliationOf(name),
      {
        workflow: 'reconciliation',
        args: [{ partner: name }],
        summary: `Reconciliation with the lists of the ${titleOf(name)}`,
      },
    ]),
  ),
  ...Object.fromEntries(FILE_BANKS.map((bank): [string, Schedule] => [visitsOf(bank.name), visitsTo(bank)])),
  ...Object.fromEntries(
    LIST_CONNECTIONS.map(({ name }): [string, Schedule] => [
      listsOf(name),
      { workflow: 'screeningLists', args: [{ connection: name }], summary: `Lists of the ${titleOf(name)}` },
    ]),
  ),
  'accounting-syncs': { workflow: 'accountingSyncs', args: [], summary: 'Syncs with accounting programs' },
  'event-heads': { workflow: 'eventHeads', args: [], summary: 'Publication of the heads of all logs' },
  'proof-of-funds': { workflow: 'proofOfFunds', args: [], summary: 'Proof that partners hold the money' },
  'file-purge': { workflow: 'filePurge', args: [], summary: 'Purge of files that nobody uses' },
}
export type ScheduleName = string

/** Names a connection to operators. */
export function titleOf(name: ConnectionName): string {
  return name === DEFAULT_DESK ? 'rates desk' : name
}

/** Names the schedule that reads the lists of a connection. */
export function reconciliationOf(name: ConnectionName): ScheduleName {
  return `reconciliation-${name}`
}

/** Names the schedule that visits the folder of a bank. */
export function visitsOf(name: ConnectionName): ScheduleName {
  return `bank-folder-${name}`
}

/** Names the schedule that reads the lists of a connection which compares names. */
export function listsOf(name: ConnectionName): ScheduleName {
  return `screening-lists-${name}`
}

/** Makes the visits to a folder: several in a run, if they are less than a minute apart. */
function visitsTo({ name: connection, settings: { pollMinutes } }: FileBank): Schedule {
  const count = Math.max(1, Math.floor(1 / pollMinutes))
  const args = [{ connection, count, pauseSeconds: pollMinutes * 60 }]
  return { workflow: 'bankFolder', args, summary: `Files of the ${titleOf(connection)}` }
}

export const scheduleId = (name: ScheduleName): string => `${config.taskQueuePrefix}${name}`

const DAY_MINUTES = 1440
const EVERY_MINUTES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(FILE_BANKS.map(({ name, settings }) => [visitsOf(name), Math.max(1, settings.pollMinutes)])),
  'accounting-syncs': config.accountingSyncEveryMinutes,
  'event-heads': DAY_MINUTES,
  'proof-of-funds': DAY_MINUTES,
}
const everyMinutes = (name: ScheduleName): number => EVERY_MINUTES[name] ?? config.auditEveryMinutes

function unknownSchedule(name: ScheduleName): never {
  throw new Error(`no schedule ${name}`)
}

const optionsOf = (name: ScheduleName) => {
  const { workflow, args, summary } = SCHEDULES[name] ?? unknownSchedule(name)
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

const NAMES = Object.keys(SCHEDULES)

/** Lists the schedules that Temporal does not have. */
export async function findMissingSchedules(): Promise<readonly string[]> {
  const known = new Set<string>()
  for await (const { scheduleId: id } of client.schedule.list()) known.add(id)
  return NAMES.map(scheduleId).filter((id) => !known.has(id))
}

export async function createSchedules(): Promise<void> {
  for (const name of NAMES) await createSchedule(name)
}

/**
 * Updates all schedules to this build, concurrently too; a paused one stays paused. Deletes those of connections that
 * are not there any more. Failures are only logged.
 */
export async function updateSchedules(): Promise<void> {
  await deleteForgotten().catch((error: unknown) => log.warn({ err: error }, 'a schedule could not be updated'))
  for (const name of NAMES) {
    await updateSchedule(name).catch((error: unknown) => {
      log.warn({ err: error, schedule: scheduleId(name) }, 'a schedule could not be updated')
    })
  }
}

/** Deletes schedules of connections that are left out: nobody would take what they start. */
async function deleteForgotten(): Promise<void> {
  const known = new Set(NAMES.map(scheduleId))
  for await (const { scheduleId: id } of client.schedule.list()) {
    const isOfConnection = [reconciliationOf(''), visitsOf(''), listsOf('')].some((start) =>
      id.startsWith(scheduleId(start)),
    )
    if (isOfConnection && !known.has(id)) await client.schedule.getHandle(id).delete()
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

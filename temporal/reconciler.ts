/** Every minute: recreates missing search attributes, schedules and runs. */
import { wakeResumed } from '../services/connections/pauses.ts'
import { keySuppliers } from '../services/bills/suppliers.ts'
import { foldInvoiceWords } from '../services/maintenance/invoice-words.ts'
import { withLock } from '../services/maintenance/chores.ts'
import { forgetApprovalRequirements, purgeExpired } from '../services/maintenance/purge.ts'
import { warnOfEnds } from '../services/people/ends.ts'
import { log } from '../platform/log.ts'
import { waitingProcesses, wakeMissing } from '../db/processes/processes.ts'
import { reencryptAll } from '../services/maintenance/key-rotation.ts'
import { keepDailyRates } from './daily-rates.ts'
import { makeCurrentIfNone, registerSearchAttributes } from './deployment.ts'
import { type OpenRun, endOrphans, listOpenRuns } from './orphans.ts'
import { workflowIdOf } from './processes.ts'
import { repeatEvery } from './rounds.ts'
import { createSchedules } from './schedules.ts'
import { keepWitness } from './witness.ts'

const EVERY_MS = 60_000
const HOUSEKEEPING_EVERY_MS = 3_600_000

/** Starts the reconciler, and beside it the chores that may take long: each has a lock of its own. */
export function startReconciler(): { stop: () => Promise<void> } {
  const loops = [
    repeatEvery(EVERY_MS, () => reconcile().catch((error: unknown) => log.error({ err: error }, 'reconciler failed'))),
    repeatEvery(EVERY_MS, () => attempt(CHORES.keepWitness)),
    repeatEvery(EVERY_MS, () => attempt(CHORES.keepDailyRates)),
    repeatEvery(HOUSEKEEPING_EVERY_MS, () => attempt(CHORES.runMaintenance)),
  ]
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** Chores that ask others or go through all rows. */
export const CHORES = {
  keepWitness: () => withLock('witness', keepWitness),
  keepDailyRates: () => withLock('dailyRates', keepDailyRates),
  runMaintenance: () => withLock('maintenance', runMaintenance),
}

/** Reconciles once; answers how many processes were woken. The next round repeats failures. */
export async function reconcile(): Promise<number> {
  let woken = 0
  const first = await withLock('reconciler', async () => {
    await ensureAll()
    const open = await listOpenRuns()
    woken = await wakeWithoutRun(open)
    await attempt(wakeResumed)
    await attempt(() => endOrphans(open), 'endOrphans')
  })
  if (!first) await ensureAll()
  return woken
}

/**
 * Ensures what Temporal needs, only while Postgres answers: a worker whose views wait for it polls nothing, and is not
 * gone.
 */
async function ensureAll(): Promise<void> {
  for (const ensure of [registerSearchAttributes, makeCurrentIfNone, createSchedules]) await attempt(ensure)
}

/** Runs a chore; logs its failure, which stops no other. */
async function attempt(work: () => Promise<unknown>, name = work.name): Promise<void> {
  await work().catch((error: unknown) => log.warn({ err: error }, `${name} failed`))
}

/** Wakes each waiting process without a run; skips the last minute's changes, as Temporal's list lags. */
async function wakeWithoutRun(open: ReadonlyMap<string, OpenRun>): Promise<number> {
  let woken = 0
  for await (const page of waitingProcesses()) {
    const missing = page.filter((process) => !open.has(workflowIdOf(process)))
    if (missing.length > 0) woken += await wakeMissing(missing.map(({ id }) => id))
  }
  if (woken > 0) log.warn({ woken }, 'runs were missing and are started again')
  return woken
}

async function runMaintenance(): Promise<void> {
  const warned = await warnOfEnds()
  if (warned > 0) log.info({ warned }, 'people were warned that delegates of theirs end soon')
  const rows = (await purgeExpired()) + (await forgetApprovalRequirements())
  if (rows > 0) log.info({ rows }, 'expired rows were purged')
  const keyed = await keySuppliers()
  if (keyed > 0) log.info({ keyed }, 'suppliers of bills have keys now')
  const folded = await foldInvoiceWords()
  if (folded > 0) log.info({ folded }, 'words of invoices are folded now')
  const resealed = await reencryptAll()
  if (resealed > 0) log.info({ resealed }, 'all sealed data uses the first key now')
}

import { setTimeout as delay } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { afterAll, beforeAll } from 'vitest'
import { fetchBankFiles } from '../../activities/bank-files.ts'
import { FILE_BANKS } from '../../services/bank-files/settings.ts'
import { type RunningWorker, startWorker } from '../../worker.ts'
import './temporal-runtime.ts'

let worker: RunningWorker

/**
 * Starts a worker before the tests of this file and drains it after them. It drives and sweeps; `chains` is for tests
 * of growing logs, `whole` for builds, schedules and the reconciler's own rounds; without `ticks` it does nothing by the
 * clock.
 */
export function useWorker({ whole = false, chains = false, ticks = true } = {}): void {
  beforeAll(async () => {
    // workflows on the main thread: a thread of their own takes half a second to start. Tests of processes have
    // threads.
    if (!whole) process.env['TEMPORAL_DEBUG'] = '1'
    worker = await startWorker(whole ? {} : { versioned: false, reconciles: false, chains, ticks })
  })
  afterAll(() => worker.stop())
  if (!whole && process.env['SANDBOX_PARTNERS']) useVisits()
}

/** Pause between visits to a stand-in of a bank by files. */
const VISIT_PAUSE_MS = 200

/** Visits the stand-ins of banks by files, as their schedules do. */
function useVisits(): void {
  const ending = new AbortController()
  let visiting: Promise<void> = Promise.resolve()
  beforeAll(() => {
    visiting = visitAll(ending.signal)
  })
  afterAll(() => {
    ending.abort()
    return visiting
  })
}

function throwUnlessAway(error: unknown): void {
  if (!(error instanceof ApplicationFailure && error.type === 'PartnerUnclear')) throw error
}

async function visitAll(ending: AbortSignal): Promise<void> {
  while (FILE_BANKS.length > 0 && !ending.aborted) {
    // a bank that is away is visited again, as by the schedule
    for (const { name } of FILE_BANKS) await fetchBankFiles({ connection: name }).catch(throwUnlessAway)
    await delay(VISIT_PAUSE_MS)
  }
}

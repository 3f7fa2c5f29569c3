import { afterAll, beforeAll } from 'vitest'
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
}

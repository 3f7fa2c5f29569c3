/** A worker in this process for the tests of one file. */
import { afterAll, beforeAll } from 'vitest'
import { type RunningWorker, startWorker } from '../../worker.ts'
import './temporal-runtime.ts'

let worker: RunningWorker

/**
 * Starts a worker before the tests of this file and drains it after them. It drives and sweeps; `chains` is for tests
 * about logs that get longer, `whole` for those about what else a worker does: builds, schedules and the reconciler
 * that runs by itself.
 */
export function useWorker({ whole = false, chains = false } = {}): void {
  beforeAll(async () => {
    // workflows on the main thread: a thread of their own takes half a second to start. Tests of processes have
    // threads.
    if (!whole) process.env['TEMPORAL_DEBUG'] = '1'
    worker = await startWorker(whole ? {} : { versioned: false, reconciles: false, chains })
  })
  afterAll(() => worker.stop())
}

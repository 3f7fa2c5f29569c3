/** A worker in this process for the tests of one file. */
import { afterAll, beforeAll } from 'vitest'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { type RunningWorker, startWorker } from '../../worker.ts'

declare global {
  /** Temporal's runtime is one for the process, and outlives our modules. */
  var temporalRuntime: Runtime | undefined
}

globalThis.temporalRuntime ??= Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
let worker: RunningWorker

/** Starts a worker before the tests of this file and drains it after them. */
export function useWorker(): void {
  beforeAll(async () => {
    worker = await startWorker()
  })
  afterAll(() => worker.stop())
}

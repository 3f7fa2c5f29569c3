/**
 * Temporal's runtime: one for the process, which outlives our modules. Tests refuse and interrupt, so it tells errors
 * alone.
 */
import { promiseHooks } from 'node:v8'
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'

declare global {
  var temporalRuntime: Runtime | undefined
  var promisesOfWorkflows: true | undefined
}

globalThis.temporalRuntime ??= Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  shutdownSignals: [],
})

/**
 * The SDK looks up the workflow of every promise that is made. With workflows on the main thread those are all promises
 * of the service, too: a tenth of the processor time. A promise of a workflow is of another realm.
 */
const { createHook } = promiseHooks
if (!globalThis.promisesOfWorkflows) {
  globalThis.promisesOfWorkflows = true
  promiseHooks.createHook = ({ init, ...others }) =>
    createHook({
      ...others,
      ...(init && {
        init: (promise, parent) => {
          if (!(promise instanceof Promise)) init(promise, parent)
        },
      }),
    })
}

/**
 * Temporal's runtime: one for the process, which outlives our modules. Tests refuse and interrupt, so it tells errors
 * alone.
 */
import { createRequire } from 'node:module'
import { Script } from 'node:vm'
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'

/** What the SDK allows a call into a workflow on the main thread. */
const ENDLESS_MS = 2 ** 32 - 1

declare global {
  var temporalRuntime: Runtime | undefined
}

globalThis.temporalRuntime ??= installed()

function installed(): Runtime {
  tracePromisesNowhere()
  startNoWatchdogs()
  return Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    shutdownSignals: [],
  })
}

/**
 * With workflows on the main thread the SDK notes the stack of every promise of a workflow, for the query of its stack
 * trace, and asks of each promise of the process whether it is one of them.
 */
function tracePromisesNowhere(): void {
  const { globalHandlers } = createRequire(import.meta.url)('@temporalio/worker/lib/workflow/vm-shared') as {
    globalHandlers: { setPromiseHook: () => void }
  }
  globalHandlers.setPromiseHook = () => {}
}

/** There it also starts a thread for each call into a workflow, which would end it after 49 days. */
function startNoWatchdogs(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its script
  const { runInContext } = Script.prototype
  Script.prototype.runInContext = function (this: Script, context, { timeout, ...options } = {}) {
    return runInContext.call(this, context, timeout === ENDLESS_MS ? options : { timeout, ...options })
  }
}

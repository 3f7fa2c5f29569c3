/**
 * Temporal's runtime: one for the process, which outlives our modules. It logs errors alone, because tests refuse and
 * interrupt.
 */
import { createRequire } from 'node:module'
import { Script } from 'node:vm'
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'

/** The SDK's time limit of a call into a workflow on the main thread. */
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
 * Disables the SDK's tracking of promise stacks. With workflows on the main thread it records the stack of every
 * workflow promise, and checks every promise of the process.
 */
function tracePromisesNowhere(): void {
  const { globalHandlers } = createRequire(import.meta.url)('@temporalio/worker/lib/workflow/vm-shared') as {
    globalHandlers: { setPromiseHook: () => void }
  }
  globalHandlers.setPromiseHook = () => {}
}

/** Disables the SDK's watchdog threads, which end a call into a workflow after 49 days. */
function startNoWatchdogs(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its script
  const { runInContext } = Script.prototype
  Script.prototype.runInContext = function (this: Script, context, { timeout, ...options } = {}) {
    return runInContext.call(this, context, timeout === ENDLESS_MS ? options : { timeout, ...options })
  }
}

/**
 * Temporal's runtime: one for the process, which outlives our modules. Tests refuse and interrupt, so it tells errors
 * alone.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'

/** What the SDK allows a call into a workflow on the main thread. */
const ENDLESS_MS = 2 ** 32 - 1

declare global {
  var temporalRuntime: Runtime | undefined
  /** That something has run in since the last worker ended. */
  var usedContexts: Set<AsyncLocalStorage<unknown>> | undefined
}

const usedContexts = (globalThis.usedContexts ??= new Set())
globalThis.temporalRuntime ??= installed()

function installed(): Runtime {
  tracePromisesNowhere()
  noteUsedContexts()
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

function noteUsedContexts(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its storage
  const { run } = AsyncLocalStorage.prototype
  AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...given: Parameters<typeof run>) {
    usedContexts.add(this)
    return run.apply(this, given)
  }
}

/**
 * Every connection of a worker has an AsyncLocalStorage, of which Node notes what it holds for each promise of the
 * process, for ever: those of a worker that has ended are let go.
 */
export function forgetUsedContexts(): void {
  for (const context of usedContexts) context.disable()
  usedContexts.clear()
}

/** There it also starts a thread for each call into a workflow, which would end it after 49 days. */
function startNoWatchdogs(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its script
  const { runInContext } = Script.prototype
  Script.prototype.runInContext = function (this: Script, context, { timeout, ...options } = {}) {
    return runInContext.call(this, context, timeout === ENDLESS_MS ? options : { timeout, ...options })
  }
}

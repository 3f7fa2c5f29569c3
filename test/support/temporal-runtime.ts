/**
 * Temporal's runtime: one for the process, which outlives our modules. Tests refuse and interrupt, so it tells errors
 * alone.
 */
import { Script } from 'node:vm'
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'

/** What the SDK allows a call into a workflow on the main thread. */
const ENDLESS_MS = 2 ** 32 - 1

declare global {
  var temporalRuntime: Runtime | undefined
}

globalThis.temporalRuntime ??= installed()

function installed(): Runtime {
  compileLookupsOnce()
  startNoWatchdogs()
  return Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    shutdownSignals: [],
  })
}

/**
 * With workflows on the main thread the SDK looks up the workflow of every promise of the process, by a function that
 * it compiles each time: a tenth of the processor time. It finds that function compiled.
 */
function compileLookupsOnce(): void {
  const compile = Promise.constructor as (source: string) => () => unknown // what it compiles takes nothing
  const compiled = new Map<string, () => unknown>()
  Object.defineProperty(Promise, 'constructor', {
    value(source: string) {
      const made = compiled.get(source) ?? compile(source)
      compiled.set(source, made)
      return made
    },
  })
}

/** There it also starts a thread for each call into a workflow, which would end it after 49 days. */
function startNoWatchdogs(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its script
  const { runInContext } = Script.prototype
  Script.prototype.runInContext = function (this: Script, context, { timeout, ...options } = {}) {
    return runInContext.call(this, context, timeout === ENDLESS_MS ? options : { timeout, ...options })
  }
}

/**
 * Temporal's runtime: one for the process, which outlives our modules. Tests refuse and interrupt, so it tells errors
 * alone.
 */
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'

declare global {
  var temporalRuntime: Runtime | undefined
}

globalThis.temporalRuntime ??= installed()

function installed(): Runtime {
  compileLookupsOnce()
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

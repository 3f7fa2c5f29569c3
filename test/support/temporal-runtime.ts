/**
 * Temporal's runtime: one for the process, which outlives our modules. Tests refuse and interrupt, so it tells errors
 * alone.
 */
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker'

declare global {
  var temporalRuntime: Runtime | undefined
}

globalThis.temporalRuntime ??= Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  shutdownSignals: [],
})

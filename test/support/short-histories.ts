/** A Temporal that has runs continue as new long before their histories are long. */
import { join } from 'node:path'
import { freePort } from '../../dev/machine/ports.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { startTemporal } from '../../dev/temporal/server.ts'

/**
 * Starts one for the tests of one file, which the environment then names: a run goes on as another one after so many
 * events. Call it before anything that reads the environment is imported. Answers what stops it.
 */
export async function startTemporalOfShortHistories(events: number): Promise<() => Promise<void>> {
  const folder = makeTemporaryFolder()
  const { address, stop } = await startTemporal({
    port: await freePort(),
    namespace: 'default',
    logFile: join(folder.path, 'temporal.log'),
    settings: [`limit.historyCount.suggestContinueAsNew=${events}`],
    say: console.log,
    started: folder.holds,
  })
  process.env['TEMPORAL_ADDRESS'] = address
  return async () => (await stop(), folder.remove())
}

/** A Temporal whose runs continue as new after short histories. */
import { join } from 'node:path'
import { freePort } from '../../dev/machine/ports.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { startTemporal } from '../../dev/temporal/server.ts'

/**
 * Starts one for the tests of one file and sets the environment: runs continue as new after `events` events. Call it
 * before importing anything that reads the environment. Returns its stop function.
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

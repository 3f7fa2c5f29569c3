/** Scheduled visits to the folder of a bank: its new files are fetched. */
import { setCurrentDetails } from '@temporalio/workflow'
import type { ConnectionName } from '../domain/partner.ts'
import { visitAt } from './proxies.ts'
import { pauseRound } from './run.ts'

/** Visits of one run, when they are less than a minute apart: the schedule begins the next. */
type Visits = { readonly connection: ConnectionName; readonly count: number; readonly pauseSeconds: number }

/** Fetches new files, visit by visit; answers how many there were. */
export async function bankFolder({ connection, count, pauseSeconds }: Visits): Promise<number> {
  let files = 0
  for (let visits = 1; ; visits += 1) {
    for (let isWhole = false; !isWhole;) {
      const part = await visitAt(connection).fetchBankFiles({ connection })
      files += part.fetched
      isWhole = part.isWhole || part.fetched === 0
    }
    setCurrentDetails(`${files} files were fetched.`)
    if (visits >= count) return files
    await pauseRound(pauseSeconds, 'Next visit to the bank')
  }
}

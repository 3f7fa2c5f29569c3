/** Scheduled reading of lists of sanctions whose files have changed. */
import { setCurrentDetails } from '@temporalio/workflow'
import type { ReadLists } from '../activities/screening.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { filesOfLists } from './proxies.ts'

/** Reads the lists of a connection; answers how many were read, and refused. */
export async function screeningLists({ connection }: { readonly connection: ConnectionName }): Promise<ReadLists> {
  const done = await filesOfLists().readScreeningLists({ connection })
  setCurrentDetails(`${done.read} lists were read, ${done.refused} refused.`)
  return done
}

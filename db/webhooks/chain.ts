/** Hash chains of the logs: extended by each worker in turn, and by a request that needs its events chained. */
import type { OrganizationId } from '../../domain/ids.ts'
import { transaction, waitForDisk } from '../sql.ts'
import { wakeEndpoints } from './wakes.ts'

/**
 * Extends the hash chains by what was committed, in the order of the commits, and wakes webhook endpoints that wait for
 * it. Returns how many events were chained.
 */
export const extendEventChain = (most = 1000): Promise<number> =>
  transaction(async (tx) => {
    // what a crash takes away is chained again, to the same places: payments do not wait behind these commits
    await waitForDisk(tx, false)
    const [row] = await tx<{ chained: number; organization_ids: OrganizationId[] | null }[]>`
      select chained, organization_ids from extend_event_chain(${most})`
    if (row?.organization_ids) await wakeEndpoints(tx, row.organization_ids)
    return row?.chained ?? 0
  })

import * as steps from '../services/bills/steps.ts'
import { isConnectionLost } from '../db/postgres/driver.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { Refusal } from '../domain/errors.ts'
import type { BillId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { log } from '../platform/log.ts'

/** Merges the findings of a bill. A failed merge causes another reading, up to its tries. */
export async function mergeBill(ref: ProcessRef<BillId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  try {
    await asSystem(organizationId, (tx) => steps.mergeBill(tx, id))
  } catch (error) {
    if (error instanceof Refusal || isConnectionLost(error)) throw error
    log.warn({ err: error, bill_id: id }, 'findings of a bill could not be merged')
    await asSystem(organizationId, (tx) => steps.discardUnmerged(tx, id))
  }
}

/** Immediate rounds of the reconciler and the sweep, for tests that change rows directly. */
import { reconcile as round } from '../../../temporal/reconciler.ts'
import { sweepAll } from '../../../temporal/sweep.ts'
import { owner } from '../database.ts'

/**
 * Runs the reconciler as if a minute had passed, then makes every process look at its row; returns the number without a
 * run.
 */
export async function reconcile(): Promise<number> {
  await owner`update processes set changed_at = changed_at - interval '2 minutes' where told = 0 and ${locked()}`
  const woken = await round()
  await owner`update processes set look_at = business_now() where ${locked()}`
  await sweepAll()
  return woken
}

/** Locks the rows in the service's order. */
const locked = () => owner`id = any (array(select id from processes order by id for update))`

/** What the workers do by and by, done at once: for tests that change rows behind the service's back. */
import { reconcile as round } from '../../../temporal/reconciler.ts'
import { sweepAll } from '../../../temporal/sweep.ts'
import { owner } from '../database.ts'

/**
 * A round of the reconciler as if a minute had passed since the last change, then every process is told to look at its
 * row. Answers how many had no run.
 */
export async function reconcile(): Promise<number> {
  await owner`update processes set changed_at = changed_at - interval '2 minutes' where told = 0 and ${locked()}`
  const woken = await round()
  await owner`update processes set look_at = business_now() where ${locked()}`
  await sweepAll()
  return woken
}

/** The rows are locked in the order in which the service locks them. */
const locked = () => owner`id = any (array(select id from processes order by id for update))`

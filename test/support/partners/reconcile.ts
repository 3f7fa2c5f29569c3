/** Immediate rounds of the reconciler, the sweep and reconciliations. */
import { type Part, type ReconciliationResult, reconcilePartner } from '../../../activities/reconciliation.ts'
import type { ConnectionName } from '../../../domain/partner.ts'
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

/** Reconciles with a partner, as its run does; fails if a list cannot be read, after all others were. */
export async function reconcileWhole(partner: ConnectionName): Promise<ReconciliationResult> {
  const found = { records: 0, differences: 0, unknown: 0 }
  for (let part: Part = { partner }; ;) {
    const { next, ...done } = await reconcilePartner(part)
    for (const name of ['records', 'differences', 'unknown'] as const) found[name] += done[name]
    if (!next) return found
    if (next.pause_seconds) throw new Error(`unread: ${next.steps?.join(' ')}`)
    part = next
  }
}

/** Approvals that end undecided, with their organization or with the payee. */
import { cancelApprovals } from '../approvals/cancellation.ts'
import type { CancelWithTargets } from '../approvals/ends.ts'
import { targetOf } from './targets.ts'

/** Cancels locked approvals with what they are about, each kind in its own way. */
export const cancelWithTargets: CancelWithTargets = async (tx, waiting, { why, by }) => {
  const cause = await cancelApprovals(tx, waiting, { why, by })
  const targets = waiting.map(({ target }) => target)
  for (const type of new Set(targets.map((target) => target.type))) {
    const ids = targets.filter((target) => target.type === type).map(({ id }) => id)
    await targetOf(type).cancel(tx, ids, why, cause)
  }
}

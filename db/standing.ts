/** Who stands where in an organization while something is decided: memberships do not change under a decision. */
import type { Reviewer } from './model/consensus.ts'
import { type Tx, sql } from './sql.ts'

const LOCK_CLASS = 7_340_024

/**
 * `keep`: until this transaction ends nobody joins, leaves or changes role in its organization; many keep at once.
 * `change`: nobody decides or changes meanwhile. It is the first lock of whatever takes it, so that it never deadlocks.
 */
export async function lockStanding(tx: Tx, how: 'keep' | 'change'): Promise<void> {
  const lock = how === 'keep' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await tx`select ${lock}(${LOCK_CLASS}, hashtext(${tx.organizationId}))`
}

/** Everybody who is in the organization, with their role, in the order of their ids. */
export const reviewersOf = (tx: Tx): Promise<Reviewer[]> =>
  tx<(Reviewer & object)[]>`
    select user_id as "userId", role from members where organization_id = ${tx.organizationId}
    order by user_id`.then((rows) => [...rows])

/** Fair queue of long work: the files of an organization wait only for its own. */
import { type LongWork, acquireTurn, leaveTurn } from '../db/processes/turns.ts'
import type { ProcessRef } from '../domain/process.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'

/** Result of work whose row continues at once: the next step keeps the turn. */
export const KEEPS_TURN = 'keeps its turn'

/**
 * Makes an activity that waits for the turn of its organization. If queued, it returns at once, and its run is woken
 * when the turn comes. A repeat after a crash keeps the turn.
 */
export const inTurn =
  <Id extends string>(kind: LongWork, work: (ref: ProcessRef<Id>) => Promise<unknown>) =>
  async (ref: ProcessRef<Id>): Promise<void> => {
    const organizationId = organizationOf(ref)
    if (!(await asSystem(organizationId, (tx) => acquireTurn(tx, { ...kind, id: ref.id })))) return
    let done: unknown
    try {
      done = await work(ref)
    } finally {
      if (done !== KEEPS_TURN) await asSystem(organizationId, (tx) => leaveTurn(tx, ref.id))
    }
  }

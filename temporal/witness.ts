/** Witness in storage, which reveals a database restored to an earlier state. */
import { acceptBehind, isBehind, noteBehind } from '../services/audit/behind.ts'
import { missingHeads, readWitness, writeWitness } from '../services/events/witness.ts'
import { now } from '../platform/clock.ts'
import { log } from '../platform/log.ts'

/** Compares the log with its witness; rewrites that unless the database is behind. Throws `StorageAway`. */
export async function keepWitness(): Promise<void> {
  if (await isBehind()) return
  const known = await readWitness()
  if (known === 'unreadable') return noteBehind([{ organizationId: null, subject: `witness:${now().toISOString()}` }])
  const missing = known ? await missingHeads(known) : []
  if (missing.length === 0) return writeWitness(known)
  await noteBehind(missing.map((head) => ({ organizationId: head.organization_id, subject: `event:${head.event_id}` })))
  const latest = missing
    .map((head) => head.occurred_at)
    .toSorted()
    .at(-1)
  log.error({ organizations: missing.length, latest }, 'the database was restored to an earlier state')
}

/**
 * Accepts a loss: ends the warning, rewrites the witness, answers how many organizations were warned. Throws
 * `StorageAway`. Refuses `invalid_state` if the database is not behind.
 */
export async function acceptLoss(): Promise<number> {
  if (await isBehind()) await writeWitness(null)
  return acceptBehind()
}

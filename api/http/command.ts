/** Runs the one shape of a mutation: prepare, then claim, permission, work and answer in one transaction. */
import { type Claim, hashMatches, storedHashOf, takeClaim } from '../../db/idempotency.ts'
import { requirePermissionLocked } from '../../db/membership-lock.ts'
import { type Tx, transaction, within } from '../../db/sql.ts'
import { refuse } from '../../domain/errors.ts'
import type { Permission } from '../../domain/permissions.ts'
import { BRIEF_LOCKS, repeating } from './repeating.ts'
import type { AnyContext } from './route.ts'

type Command = {
  /** Permissions of which the person must still hold one inside the transaction; none to leave it to the work. */
  readonly can: readonly Permission[]
  /** Reads what a request with the same claim made; without it no claim is taken. */
  readonly find: ((context: AnyContext) => Promise<object>) | undefined
  readonly prepare: ((context: AnyContext) => Promise<object>) | undefined
  readonly deletes: boolean
  readonly work: (context: AnyContext) => Promise<object>
}

/** Another request has made the row of this claim: its transaction is rolled back, and the row is answered. */
class ClaimTaken extends Error {}

/**
 * Does the work of a command once and answers it. If another request has its claim, the same body gets that one's row.
 * Refuses `idempotency_key_reused` for another body, `not_found` and `forbidden` if the person lost the permission, and
 * `service_unavailable` if Postgres breaks the transaction off three times.
 */
export async function runCommand(command: Command, asked: AnyContext): Promise<object> {
  const context = command.prepare ? { ...asked, ...(await command.prepare(asked)) } : asked
  try {
    const answer = await inTransaction(command, context)
    return command.deletes ? { deleted: true, id: Object.values(asked.params as object).at(-1) } : answer
  } catch (error) {
    if (!(error instanceof ClaimTaken) || !command.find || !asked.claim) throw error
    await refuseOtherBody(asked.claim)
    return command.find(asked)
  }
}

function inTransaction(command: Command, context: AnyContext): Promise<object> {
  const { write } = context
  if (!write) return transaction((tx) => command.work({ ...context, tx }))
  return repeating(() => write((tx) => inside(command, context, tx), BRIEF_LOCKS), command.find !== undefined)
}

/** Permission and claim go out together; the work begins when both are there. */
async function inside({ can, find, work }: Command, context: AnyContext, tx: Tx): Promise<object> {
  const { person, claim } = context
  const permitted = can.length > 0 && person ? requirePermissionLocked(tx, person, can) : undefined
  const claimed = find && claim ? takeClaim(tx, claim) : true
  const [mine] = await Promise.all([claimed, permitted])
  if (!mine) throw new ClaimTaken()
  const own = { ...context, tx, read: within(tx) }
  return (await work(own)) ?? find?.(own)
}

/** Refuses a request if another one has its claim, with another body. */
export async function refuseOtherBody(claim: Claim): Promise<void> {
  if (!hashMatches(await storedHashOf(claim.id), claim.bodyHash)) refuse('idempotency_key_reused')
}

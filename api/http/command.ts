/** Pipeline of a mutation: prepare, then claim, permission, work and answer in one transaction. */
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, isConnectionLost } from '../../db/postgres/driver.ts'
import { isReadOnly } from '../../db/postgres/outages.ts'
import { type Claim, hashMatches, findHash, takeClaim } from '../../services/idempotency.ts'
import { requirePermissionLocked } from '../../services/membership-lock.ts'
import { type Transaction, type TransactionOptions, type Tx, transaction, within } from '../../db/postgres/sql.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import { type Permission, can } from '../../domain/permissions.ts'
import { refuseTaken, tableOfTaken } from '../../services/external.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import type { AnyContext } from './route.ts'

export type TransactionBinding = <Result>(work: () => Promise<Result>) => Promise<Result>

type Command = {
  /** Permissions of which the person must still hold one inside the transaction; none to leave it to the work. */
  readonly can: readonly Permission[]
  /** Only role that may; the person must still have it inside the transaction. */
  readonly only?: 'owner' | undefined
  /** The person must still be one who may decide. */
  readonly decides?: boolean | undefined
  /** Reads the row that a request with the same claim made; without it no claim is taken. */
  readonly find: ((context: AnyContext) => Promise<object>) | undefined
  readonly prepare: ((context: AnyContext) => Promise<object>) | undefined
  readonly bound: TransactionBinding | undefined
  readonly deletes: boolean
  /** Repeats after a lost connection too: it may have committed, so its repeat must be harmless. */
  readonly repeatsIfLost: boolean
  readonly work: (context: AnyContext) => Promise<object>
}

type InsideContext = AnyContext & { readonly tx: Tx | Transaction }

/** Signal that another request made the row of this claim: roll back, and answer that row. */
class ClaimTaken extends Error {}

/**
 * Does the work of a command once and answers it. If another request with the same body has its claim, answers that
 * one's row. Refuses `idempotency_key_reused` for another body, `not_found` and `forbidden` if the person lost the
 * permission or the role, and, for work of an organization, `service_unavailable` if Postgres breaks the transaction
 * off three times.
 */
export async function runCommand(command: Command, asked: AnyContext): Promise<object> {
  const context = command.prepare ? { ...asked, ...(await command.prepare(asked)) } : asked
  try {
    const { write } = context
    const once = write
      ? () => write((tx) => inside(command, { ...context, tx, read: within(tx) }), BRIEF_LOCKS)
      : () => transaction((tx) => inside(command, { ...context, tx }))
    const tries = () => (write ? repeating(once, command.repeatsIfLost) : once())
    const answer = await (command.bound ? command.bound(tries) : tries())
    if (answer instanceof Refusal) throw answer
    return command.deletes ? { deleted: true, id: Object.values(asked.params as object).at(-1) } : answer
  } catch (error) {
    await refuseIfTaken(error, asked)
    if (!(error instanceof ClaimTaken) || !command.find || !asked.claim) throw error
    await refuseOtherBody(asked.claim)
    return command.find(asked)
  }
}

/** Refuses `external_id_taken` if a unique index found the id of the body at another row. */
async function refuseIfTaken(error: unknown, { read, org, person, body }: AnyContext): Promise<void> {
  const table = tableOfTaken(error)
  if (table === undefined || !read || !org) return
  await refuseTaken(read, table, body, { userId: person?.userId, can: (permission) => can(org, permission) })
}

/** Checks permission and claim in one round trip; the work begins when both are there. */
async function inside({ can, only, decides, find, work }: Command, context: InsideContext): Promise<object> {
  const { tx, person, claim } = context
  const asksAgain = (can.length > 0 || only) && person && 'organizationId' in tx
  const [, mine] = await Promise.all([
    asksAgain && requirePermissionLocked(tx, person, can, { only, decides }),
    find && claim ? takeClaim(tx, claim) : true,
  ])
  if (!mine) throw new ClaimTaken()
  const answer = (await work(context)) ?? find?.(context)
  if (find && answer instanceof Refusal) throw answer // a claim is kept only with its row
  return answer
}

export async function refuseOtherBody(claim: Claim): Promise<void> {
  if (!hashMatches(await findHash(claim.id), claim.bodyHash)) refuse('idempotency_key_reused')
}

const TRIES = 3
const PAUSE_MS = 50

/** Limit for waiting on locks; a command that exceeds it is repeated. */
export const BRIEF_LOCKS: TransactionOptions = { lockTimeoutMs: 2000 }

/** Serialization failure, deadlock, lock timeout; payee or organization deleted in that moment. */
const BROKEN_OFF = new Set(['40001', '40P01', '55P03', 'BF003', 'BF004'])

const isBrokenOff = (error: unknown): boolean =>
  isConnectionLost(error) ||
  isReadOnly(error) || // nothing was written, and the next try may reach a server that takes it
  BROKEN_OFF.has(codeOf(error))

/**
 * Runs the work, up to three times within the request's deadline. It repeats if Postgres broke it off or, with
 * `alsoIfLost`, the connection was lost, also at the commit. Refuses `service_unavailable` if that did not help: the
 * same key is safe.
 */
export async function repeating<Result>(work: () => Promise<Result>, alsoIfLost = true): Promise<Result> {
  const deadline = Date.now() + config.requestDeadlineMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Refusal || !isBrokenOff(error) || (!alsoIfLost && isConnectionLost(error))) throw error
      if (attempt === TRIES || Date.now() > deadline) {
        log.warn({ err: error }, 'a transaction failed three times')
        refuse('service_unavailable', { retry_after_seconds: 1 })
      }
      // backoff with jitter, so that they do not collide again
      await delay(PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2))
    }
  }
}

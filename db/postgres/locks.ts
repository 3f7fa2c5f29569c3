/**
 * All advisory locks, and the order in which a transaction takes locks of any kind. It skips what it does not
 * need and takes several of one kind by their ids, ascending; so nothing deadlocks.
 *
 *  1. the memberships of its organization: `lockMemberships()`
 *  2. the organization
 * 2b. what is requested of an organization with limits, or to a new account: `lock_limits()`, `lock_requests()`
 * 2c. a user of SCIM: `lockUser()`, `lockManaged()`
 *  3. the person: `lockPerson()`, services/people/people.ts
 *  4. changes of a payment contact: `lockContactChanges()`; incoming money: `lockIncoming()`
 *  5. approvals
 *  6. what they are about: batches, contacts, invitations, quotes, payments, deposits, covers; an incoming payment
 *     or a credit note, then an invoice, then the transaction that pays it; a subscription; a connection with an accounting program,
 *     then its run; a webhook endpoint, then its replay and its deliveries
 *  7. that the organization which money is credited to is not deleted: `lockExistence()`, and `ledger_post`
 *  8. ledger accounts: `ledger_post`, once; `ledger_lock_for` before it takes all that it will
 * 8b. entries of an account at a bank by files: `lockBankAccount()`
 *  9. what is inserted
 * 10. the turns of an organization: `lockTurns()`
 * 11. processes: `sendWakes()`, the last statement
 *
 * docs/database.md says who takes them. A session that holds one of the others (migrations, a chore) holds no more.
 */
import type postgres from 'postgres'
import type { ContactId } from '../../domain/ids.ts'
import type { PartnersDeposit } from '../../domain/deposits/deposit.ts'
import type { Transaction, Tx } from './sql.ts'

/**
 * Any fixed numbers. Where db/functions/ writes one, a comment beside it names the lock: `existence`,
 * which `ledger_post` shares for each organization that is paid, `eventChain` and `limits`, which only SQL takes.
 */
export const LOCKS = {
  migrations: 7_340_021,
  reconciler: 7_340_022,
  maintenance: 7_340_030,
  witness: 7_340_031,
  dailyRates: 7_340_032,
  // the first of two keys; the other one is the hash of an id
  memberships: 7_340_024,
  contactChanges: 7_340_025,
  existence: 7_340_026,
  eventChain: 7_340_027,
  turns: 7_340_028,
  limits: 7_340_029,
  bankAccounts: 7_340_033,
} as const

/** Serializes migrations of several processes, until the session ends. */
export const lockMigrations = async (session: postgres.Sql): Promise<void> => {
  await session`select pg_advisory_lock(${LOCKS.migrations})`
}

/** Work that one worker does at a time. */
export type Chore = 'reconciler' | 'maintenance' | 'witness' | 'dailyRates'

/** Tries to become the only worker with a chore, until releaseChore() or the session ends. */
export async function tryChore(session: postgres.Sql, chore: Chore): Promise<boolean> {
  const [row] = await session<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCKS[chore]}) as taken`
  return row?.taken ?? false
}

export const releaseChore = async (session: postgres.Sql, chore: Chore): Promise<void> => {
  await session`select pg_advisory_unlock(${LOCKS[chore]})`
}

/**
 * Locks memberships, as the first lock, sent when called. `keep`: until this transaction ends no member joins, leaves
 * or changes role; shared. `change`: no concurrent decision or change.
 */
export const lockMemberships = (tx: Tx, how: 'keep' | 'change') =>
  how === 'keep'
    ? tx`select pg_advisory_xact_lock_shared(${LOCKS.memberships}, hashtext(${tx.organizationId}))`.execute()
    : tx`select pg_advisory_xact_lock(${LOCKS.memberships}, hashtext(${tx.organizationId}))`.execute()

/** Serializes the changes of one payment contact, sent when called. */
export async function lockContactChanges(tx: Tx, id: ContactId): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCKS.contactChanges}, hashtext(${id}))`.execute()
}

/**
 * Builds the statement that locks the existence of the organization. `keep`: it is not deleted until this transaction
 * ends, so that money may be credited to it; shared. `end`: all credits to it have committed, and no other begins.
 */
export const lockExistence = (tx: Tx, how: 'keep' | 'end') =>
  how === 'keep'
    ? tx`select pg_advisory_xact_lock_shared(${LOCKS.existence}, hashtext(${tx.organizationId}))`
    : tx`select pg_advisory_xact_lock(${LOCKS.existence}, hashtext(${tx.organizationId}))`

/** Builds the statement that serializes bookings of, and decisions about, a deposit. */
export const lockIncoming = (tx: Tx, { partner, partnerDepositId }: PartnersDeposit) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`arrival:${partner}:${partnerDepositId}`}, 0))`

/** Serializes the turns of one organization, sent when called. */
export async function lockTurns(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCKS.turns}, hashtext(${tx.organizationId}))`.execute()
}

/** Serializes what files of a bank say of an account; alone in its transaction, but for files and their payments. */
export async function lockBankAccount(tx: Transaction, connection: string, account: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCKS.bankAccounts}, hashtext(${`${connection} ${account}`}))`.execute()
}

/** Double entry. post() is the only way to the ledger; a transfer is known by its key and posted once. */
import postgres from 'postgres'
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { type Money, formatAmount, moneyOf } from '../../domain/money/money.ts'
import type { Clearing } from '../../domain/rails.ts'
import { type Fragment, type Reader, type Tx, sql } from '../../db/postgres/sql.ts'

/** The owner of the accounts that stand for the world outside: bank, custody, desk, fx, fees. */
const SYSTEM = '00000000-0000-0000-0000-000000000000'

type SystemKind =
  | Clearing
  | 'desk'
  | `desk:${string}`
  | 'fx'
  | 'fx_result'
  | 'fees'
  | 'charges'
  | 'subscriptions'
  | 'suspense'
  | 'receivable'
  | 'payable'
  | `charges:${string}`
export type Account = { readonly organization: string; readonly kind: 'available' | 'held' | SystemKind }
export type Leg = Account & { readonly currency: string; readonly amount: string }
export type Transfer = { readonly key: string; readonly organizationId: OrganizationId; readonly legs: readonly Leg[] }

export const available = (organization: OrganizationId): Account => ({ organization, kind: 'available' })
export const held = (organization: OrganizationId): Account => ({ organization, kind: 'held' })
export const system = (kind: SystemKind): Account => ({ organization: SYSTEM, kind })

export const debit = (account: Account, { amount, currency }: Money): Leg => ({
  ...account,
  currency,
  amount: `-${amount}`,
})
export const credit = (account: Account, { amount, currency }: Money): Leg => ({ ...account, currency, amount })

/** A posting; `balance` of its account and `total` (available + held) after it are null for system accounts. */
export type Posting = {
  key: string
  organization_id: OrganizationId
  kind: Account['kind']
  currency: string
  amount: string
  balance: string | null
  total: string | null
  posted_at: string
  feed_seq: string
}

const posted = new WeakSet<object>()

/**
 * Posts transfers, all or none, each once: a key that exists is left as it is and yields no postings. With `consume`
 * the postings feed a second statement in the same round trip, which must read all of them. Refuses
 * `insufficient_funds` from the locked balance.
 */
export async function post<Row extends object = Posting>(
  tx: Tx,
  transfers: readonly Transfer[],
  consume?: ((postings: Fragment) => Fragment) | undefined,
): Promise<Row[]> {
  if (posted.has(tx))
    throw new Error('post() was called twice in one transaction: crossing transactions would deadlock')
  posted.add(tx)
  const postings = postingsOf(transfers)
  try {
    const rows = await tx`${consume ? consume(postings) : postings}`.execute()
    // The caller names the row type of its own statement.
    return rows as unknown as Row[]
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === 'BF001') refuseOverdraft(error.detail ?? '{}')
    throw error
  }
}

function postingsOf(transfers: readonly Transfer[]): Fragment {
  const legs = transfers.flatMap((transfer, index) => transfer.legs.map((leg) => ({ ...leg, transfer: index + 1 })))
  return sql`
    select * from ledger_post(${transfers.map((t) => t.key)}::text[], ${transfers.map((t) => t.organizationId)}::uuid[],
      ${legs.map((leg) => leg.transfer)}::integer[], ${legs.map((leg) => leg.organization)}::uuid[],
      ${legs.map((leg) => leg.kind)}::text[], ${legs.map((leg) => leg.currency)}::text[],
      ${legs.map((leg) => leg.amount)}::numeric[])`
}

function refuseOverdraft(detail: string): never {
  // The detail is written by ledger_post with exactly these members.
  const { available: has, required, currency } = JSON.parse(detail) as Record<string, string>
  if (!has || !required || !currency) throw new Error('ledger_post raised an overdraft without its detail')
  refuse('insufficient_funds', {
    available: { amount: formatAmount(has, currency), currency },
    required: { amount: formatAmount(required, currency), currency },
  })
}

/** Reads what is available in a currency, with the locks that `post()` takes: it stays so. */
export async function availableLocked(tx: Tx, currency: string): Promise<Money> {
  const [found] = await tx<{ balance: string }[]>`
    select balance from ledger_lock_for(array[null]::uuid[], array[${currency}]::text[])`
  return moneyOf(found?.balance ?? '0', currency)
}

export type Integrity = { entries: string; transfers: string; violations: { check: string; subject: string }[] }

/** Checks the books of one organization: entries, balances, running balances, feed, approvals. */
export async function checkIntegrity(reader: Reader): Promise<Integrity> {
  const [integrity] = await reader<Integrity>(sql`select entries, transfers, violations from ledger_integrity()`)
  if (!integrity) throw new Error('ledger_integrity() answered nothing')
  return integrity
}

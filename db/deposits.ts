/** Everything said to Postgres about deposits. */
import { type Claim, takeClaim } from './claim.ts'
import { record } from './events.ts'
import { available, credit, debit, post, system } from './ledger.ts'
import type { Deposit } from './model/deposit.ts'
import { refuse } from './model/errors.ts'
import type { DepositId } from './model/ids.ts'
import { type Money, moneyOf } from './model/money.ts'
import { type Reader, type Tx, first, sql } from './sql.ts'

/**
 * Credits money that arrived by bank, at once: deposit, ledger, feed and event together. False when the claim was taken
 * by another request. Refuses `not_found` for an organization that is unknown, banned or deleted.
 */
export async function creditDeposit(
  tx: Tx,
  claim: Claim,
  deposit: { amount: Money; source: Deposit['source'] },
): Promise<boolean> {
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  const { amount, source } = deposit
  const [known] = await tx`
    select id from organizations where id = ${tx.organizationId} and status in ('active', 'paused')`
  if (!known) refuse('not_found')
  const key = `deposit:${claim.id}:credit`
  const transfer = {
    key,
    organizationId: tx.organizationId,
    legs: [debit(system('bank'), amount), credit(available(tx.organizationId), amount)],
  }
  const [, , fed] = await Promise.all([
    insertDeposit(tx, claim.id, amount, source), // sent first: the feed refers to it
    record(tx, { stream: 'deposits', subjectId: claim.id, type: 'deposit.credited', cause: key, payload: amount }),
    post<{ id: string }>(
      tx,
      [transfer],
      (postings) => sql`
        with posting as materialized (${postings})
        insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance,
          counterparty, description, deposit_id, posted_at, seq)
        select uuidv7(), organization_id, 'deposit', 'in', 'posted', amount, currency, total, ${source.name},
          ${source.reference}, ${claim.id}, posted_at, feed_seq
        from posting where organization_id = ${tx.organizationId}
        returning id`,
    ),
  ])
  if (fed.length !== 1) throw new Error(`deposit ${claim.id} wrote ${fed.length} rows to the feed`)
  return true
}

async function insertDeposit(tx: Tx, id: string, amount: Money, source: Deposit['source']): Promise<void> {
  await tx`
    insert into deposits (id, organization_id, rail, status, amount, currency, source)
    values (${id}, ${tx.organizationId}, 'fiat', 'credited', ${amount.amount}, ${amount.currency}, ${sql.json(source)})`
}

type DepositRow = Omit<Deposit, 'amount' | 'needs_sender_travel_rule'> & { amount: string; currency: string }

/** One deposit of the reader's organization; refuses `not_found`. */
export async function findDeposit(reader: Reader, id: DepositId): Promise<Deposit> {
  const row = await first(
    reader<DepositRow>(sql`
      select id, organization_id, rail, amount, currency, status, source, inserted_at as occurred_at
      from deposits where id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return row ? toDeposit(row) : refuse('not_found')
}

const toDeposit = ({ currency, ...row }: DepositRow): Deposit => ({
  ...row,
  amount: moneyOf(row.amount, currency),
  needs_sender_travel_rule: false, // asked only of the sender of a crypto deposit
})

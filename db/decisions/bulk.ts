/** Sets of approvals that are decided at once: what is recorded of them already, and what they take. */
import { type Claim, hashMatches, takeClaim } from '../idempotency.ts'
import type { Decision, TargetType } from '../../domain/approvals/approval.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, DecisionId, UserId } from '../../domain/ids.ts'
import { type Money, compare, moneyOf } from '../../domain/money/money.ts'
import { type Reader, type Tx, sql } from '../sql.ts'
import { sumsOf } from '../../domain/approvals/bulk.ts'
import { targetOf } from './targets.ts'

type Named = Pick<Decision, 'approval_id' | 'decision_id'>

/**
 * Finds those of the approvals that carry the decision already: recorded under its id, or the same by the same person
 * on one that has not ended otherwise since.
 */
export async function decidedAlready(
  reader: Reader,
  userId: UserId,
  kind: 'approve' | 'reject',
  decisions: readonly Named[],
): Promise<ReadonlySet<ApprovalId>> {
  const ids: DecisionId[] = decisions.map((decision) => decision.decision_id)
  const standing = ['pending', kind === 'approve' ? 'approved' : 'rejected']
  const rows = await reader<{ approval_id: ApprovalId }>(sql`
    select d.approval_id from approval_decisions d join approvals a on a.id = d.approval_id
    where d.organization_id = ${reader.organizationId}
      and d.approval_id = any (${decisions.map((decision) => decision.approval_id)})
      and (d.decision_id = any (${ids})
        or (d.user_id = ${userId} and d.decision = ${kind} and a.status = any (${standing})
          and not exists (select from voided_approvals v where v.decision_id = d.decision_id)))`)
  return new Set(rows.map((row) => row.approval_id))
}

/** The money that an approval would take; `short` if all of these together exceed its currency's balance. */
export type Reserving = { readonly money: Money; readonly short: boolean }

type Targeting = { readonly target_type: TargetType; readonly target_id: string }

/** Reads what these approvals would take from the balance, by the ids of their targets. */
export async function reservingOf(
  reader: Reader,
  approvals: readonly Targeting[],
): Promise<ReadonlyMap<string, Reserving>> {
  const [taken, balances] = await Promise.all([moneyTaken(reader, approvals), balancesOf(reader)])
  const sums = sumsOf([...taken.values()])
  const isShort = ({ currency }: Money): boolean => {
    const nothing = moneyOf('0', currency)
    return compare(balances.get(currency) ?? nothing, sums.get(currency) ?? nothing) < 0
  }
  return new Map([...taken].map(([id, money]) => [id, { money, short: isShort(money) }]))
}

/** Asks each kind of target once, however many of its types there are. */
async function moneyTaken(reader: Reader, approvals: readonly Targeting[]): Promise<ReadonlyMap<string, Money>> {
  const ids = approvals.map((approval) => approval.target_id)
  const kinds = new Set(approvals.flatMap((approval) => targetOf(approval.target_type).reserves ?? []))
  const found = await Promise.all([...kinds].map((reserves) => reserves(reader, ids)))
  return new Map(found.flatMap((some) => [...some]))
}

async function balancesOf(reader: Reader): Promise<ReadonlyMap<string, Money>> {
  const rows = await reader<{ currency: string; balance: string }>(sql`
    select currency, balance from ledger_accounts
    where organization_id = ${reader.organizationId} and kind = 'available'`)
  return new Map(rows.map(({ currency, balance }) => [currency, moneyOf(balance, currency)]))
}

/**
 * Keeps an Idempotency-Key for this one request: the same again goes on, another is refused `idempotency_key_reused`.
 */
export async function claimKey(tx: Tx, claim: Claim): Promise<void> {
  if (await takeClaim(tx, claim)) return
  const [taken] = await tx<{ body_hash: string }[]>`select body_hash from idempotency_claims where id = ${claim.id}`
  if (!hashMatches(taken?.body_hash, claim.bodyHash)) refuse('idempotency_key_reused')
}

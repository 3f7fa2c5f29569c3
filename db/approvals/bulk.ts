/** What is asked of Postgres about a set of approvals at once. */
import { type Claim, sameBody, takeClaim } from '../idempotency.ts'
import type { Decision } from '../model/approvals/approval.ts'
import { refuse } from '../model/errors.ts'
import type { ApprovalId, DecisionId, UserId } from '../model/ids.ts'
import { type Money, moneyOf } from '../model/money/money.ts'
import { type Reader, type Tx, sql } from '../sql.ts'

type Named = Pick<Decision, 'approval_id' | 'decision_id'>

/**
 * Those of the approvals that carry the decision already: recorded under its id, or the same by the same person on one
 * that has not ended otherwise since.
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

/** The money that a payment would reserve, and whether all of these together are more than its currency's balance. */
export type Reserving = { readonly money: Money; readonly short: boolean }

/** The payments among what these approvals are about, by their ids. */
export async function reservingOf(
  reader: Reader,
  approvals: readonly { readonly target_id: string }[],
): Promise<ReadonlyMap<string, Reserving>> {
  const rows = await reader<{ id: string; amount: string; currency: string; short: boolean }>(sql`
    select p.id, p.deducting_amount as amount, p.deducting_currency as currency,
      sum(p.deducting_amount) over (partition by p.deducting_currency) > coalesce(l.balance, 0) as short
    from payments p
    left join ledger_accounts l on l.organization_id = p.organization_id and l.kind = 'available'
      and l.currency = p.deducting_currency
    where p.organization_id = ${reader.organizationId} and p.id = any (${approvals.map((approval) => approval.target_id)})`)
  return new Map(rows.map(({ id, amount, currency, short }) => [id, { money: moneyOf(amount, currency), short }]))
}

/** Keeps an Idempotency-Key for this one request: the same again goes on, another is refused `idempotency_key_reused`. */
export async function bindKey(tx: Tx, claim: Claim): Promise<void> {
  if (await takeClaim(tx, claim)) return
  const [taken] = await tx<{ body_hash: string }[]>`select body_hash from idempotency_claims where id = ${claim.id}`
  if (!sameBody(taken?.body_hash, claim.bodyHash)) refuse('idempotency_key_reused')
}

/** The targets: all kinds of things that wait for approval, one line for each. */
import { mayAskFor } from '../../domain/approvals/action.ts'
import { type TargetType, actionOfTarget } from '../../domain/approvals/approval.ts'
import type { Subject } from '../../domain/approvals/subject.ts'
import type { Blocker } from '../../domain/errors.ts'
import type { RoleChange } from '../approvals/ends.ts'
import type { ApprovalTarget } from '../approvals/target.ts'
import { batchTarget } from '../batches/approval-target.ts'
import { contactTarget } from '../contacts/approval-target.ts'
import { invitationTarget } from '../invitations/approval-target.ts'
import { invoiceTarget } from '../invoices/approval-target.ts'
import { LEDGER_UNBALANCED } from '../ledger/books.ts'
import { cryptoOutgoing, fiatOutgoing, internalTransfer } from '../payments/approval-target.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'

const TARGETS: readonly ApprovalTarget[] = [
  internalTransfer,
  fiatOutgoing,
  cryptoOutgoing,
  contactTarget,
  invitationTarget,
  batchTarget,
  invoiceTarget,
]

const byType: ReadonlyMap<TargetType, ApprovalTarget> = new Map(TARGETS.map((target) => [target.type, target]))

/** Finds the target of a type; throws for one that nothing asks approval for yet. */
export function targetOf(type: TargetType): ApprovalTarget {
  const target = byType.get(type)
  if (!target) throw new Error(`nothing of the type ${type} waits for approval`)
  return target
}

/**
 * Ends what a person asked for and may not ask for with their present role, of each kind that does not go on without
 * them.
 */
export async function endRequests(tx: Tx, { userId, role, by }: RoleChange): Promise<void> {
  for (const { type, endRequestsOf } of TARGETS) {
    if (!mayAskFor(actionOfTarget(type), role)) await endRequestsOf?.(tx, userId, by)
  }
}

/** The state of an organization that approvals depend on. */
export type Payer = { readonly organization_status: string; readonly books_stopped: boolean }

/**
 * Lists what stands against any approval, in the order in which it is refused. A short balance is not among it: the
 * ledger refuses that, from the balance that it has locked. Stopped books stand against the `last` one.
 */
export const blockersOf = <Of extends { readonly status: string }>(
  target: ApprovalTarget<Of>,
  state: Of,
  { organization_status: status, books_stopped: stopped }: Payer,
  { last }: { readonly last: boolean },
): Blocker[] => [
  ...(status === 'active' ? [] : [{ type: 'organization_unavailable' } as const]),
  ...target.blockers(state),
  ...(last && stopped && target.movesMoney ? [LEDGER_UNBALANCED] : []),
]

/**
 * Selects the subject of `approvals` as json. Its members are those of the variant but for amounts, which are as they
 * are kept.
 */
export const subjectColumn = (): Fragment => {
  const cases = TARGETS.map(({ type, subject }) => sql`when ${type} then ${subject.column()}`)
  return sql`case approvals.target_type ${cases.reduce((before, next) => sql`${before} ${next}`, sql``)} end`
}

/**
 * Writes instants as all answers do. Postgres writes them into JSON by itself, at a fraction of what to_char() costs.
 */
const instants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name.endsWith('_at') && typeof value === 'string') return [name, value.replace('+00:00', 'Z')]
      return [name, value && typeof value === 'object' && !Array.isArray(value) ? instants(value as typeof row) : value]
    }),
  )

/** Converts a row of subjectColumn() to its variant. */
export const toSubject = (type: TargetType, row: Record<string, unknown>): Subject =>
  // the target wrote exactly the members of the variant that the type names
  ({ type, [type]: targetOf(type).subject.parse(instants(row)) }) as unknown as Subject

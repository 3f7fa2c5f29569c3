import { type Subject, type TargetType, contractTypeOf, sumsOf } from '../../domain/approvals/approval.ts'
import type { Blocker } from '../../domain/errors.ts'
import { type Money, compare, moneyOf } from '../../domain/money/money.ts'
import type { ApprovalTarget } from '../approvals/target.ts'
import { batchTarget } from '../batches/approval-target.ts'
import { contactTarget } from '../contacts/approval-target.ts'
import { creditNoteTarget } from '../credit-notes/approval-target.ts'
import { invitationTarget } from '../invitations/approval-target.ts'
import { invoiceTarget } from '../invoices/approval-target.ts'
import { LEDGER_UNBALANCED } from '../ledger/books.ts'
import { cryptoOutgoing, fiatOutgoing, internalTransfer } from '../payments/approval-target.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

export const TARGETS: readonly ApprovalTarget[] = [
  internalTransfer,
  fiatOutgoing,
  cryptoOutgoing,
  contactTarget,
  invitationTarget,
  batchTarget,
  invoiceTarget,
  creditNoteTarget,
]

/** Finds the target of a type; throws for a type that has none yet. */
export function targetOf(type: TargetType): ApprovalTarget {
  const target = TARGETS.find((one) => one.type === type)
  if (!target) throw new Error(`nothing of the type ${type} waits for approval`)
  return target
}

/** Completes the state of a target where more of it is needed. */
export const completeState = async <Of extends { readonly status: string }>(
  target: ApprovalTarget<Of>,
  reader: Reader,
  state: Of,
): Promise<Of> => (await target.complete?.(reader, state)) ?? state

/** State of an organization that approvals depend on. */
export type Payer = { readonly organization_status: string; readonly books_stopped: boolean }

/** Lists the blockers of any approval, in the order of refusal. The ledger itself refuses a short balance. */
export const blockersOf = <Of extends { readonly status: string }>(
  target: ApprovalTarget<Of>,
  state: Of,
  { organization_status: status, books_stopped: stopped }: Payer,
  { last }: { readonly last: boolean },
): Blocker[] => [
  ...(status === 'active' ? [] : [{ type: 'organization_unavailable' } as const]),
  ...target.blockers(state),
  ...((last && target.lastBlockers?.(state)) || []),
  ...(last && stopped && target.movesMoney ? [LEDGER_UNBALANCED] : []),
]

/** Money that an approval would take; `short` if all of these together exceed the balance of its currency. */
export type Reservation = { readonly money: Money; readonly short: boolean }

/** Reads the amounts that these approvals would take, by the ids of their targets. */
export async function reservingOf(
  reader: Reader,
  approvals: readonly { readonly target_type: TargetType; readonly target_id: string }[],
): Promise<ReadonlyMap<string, Reservation>> {
  const ids = approvals.map((approval) => approval.target_id)
  // asks each kind of target once, for any number of types
  const kinds = new Set(approvals.flatMap((approval) => targetOf(approval.target_type).reserves ?? []))
  const [balances, ...taken] = await Promise.all([
    reader<{ currency: string; balance: string }>(sql`
      select currency, balance from ledger_accounts
      where organization_id = ${reader.organizationId} and kind = 'available'`),
    ...[...kinds].map((reserves) => reserves(reader, ids)),
  ])
  const amounts = taken.flatMap((some) => [...some])
  const sums = sumsOf(amounts.map(([, money]) => money))
  const isShort = ({ currency }: Money): boolean => {
    const balance = balances.find((one) => one.currency === currency)?.balance ?? '0'
    return compare(moneyOf(balance, currency), sums.get(currency) ?? moneyOf('0', currency)) < 0
  }
  return new Map(amounts.map(([id, money]) => [id, { money, short: isShort(money) }]))
}

/**
 * Selects the subject of `approvals` as json: the members of its variant, with amounts as the row keeps them. If all are
 * of one known type, the others are left out: to set up their plans takes a decision 0.3 ms.
 */
export const subjectColumn = (known?: TargetType): Fragment => {
  if (known) return targetOf(known).subject.column()
  const cases = TARGETS.map(({ type, subject }) => sql`when ${type} then ${subject.column()}`)
  return sql`case approvals.target_type ${cases.reduce((before, next) => sql`${before} ${next}`, sql``)} end`
}

/** Formats the instants of a JSON row like all answers; to_char() would cost many times as much. */
export const withInstants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (/(^|_)at$/.test(name) && typeof value === 'string') return [name, value.replace('+00:00', 'Z')]
      const isRow = value && typeof value === 'object' && !Array.isArray(value)
      return [name, isRow ? withInstants(value as typeof row) : value]
    }),
  )

/** Names the target by its type and id of the contract, with its subject. */
export function toTarget(type: TargetType, id: string, row: Record<string, unknown>) {
  const { subject } = targetOf(type)
  const read = withInstants(row)
  const answered = 'answered' in subject ? subject.answered(read) : { id, members: { [type]: subject.parse(read) } }
  const target_type = contractTypeOf(type)
  // the target wrote exactly the members of the variant that the type names
  const variant = { type: target_type, ...answered.members } as unknown as Subject
  return { target_type, target_id: answered.id, subject: variant }
}

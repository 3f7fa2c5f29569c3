/** All that approvals know of the things that wait for them: each kind of thing is a target. */
import { LEDGER_UNBALANCED } from '../ledger/books.ts'
import type { Person } from '../../domain/actor.ts'
import { type Action, mayAskFor } from '../../domain/approvals/action.ts'
import type { TargetType } from '../../domain/approvals/approval.ts'
import type { Subject } from '../../domain/approvals/subject.ts'
import type { Blocker } from '../../domain/errors.ts'
import type { Flow } from '../../domain/flows/flow.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Role } from '../../domain/permissions.ts'
import { type Fragment, type Reader, type Tx, sql } from '../sql.ts'

/** How an approval ends without being given. The last two end with its target or its organization. */
export type CancellationReason = 'rejected' | 'withdrawn' | 'expired' | `${string} deleted` | `${string} banned`

/** Members of a subject's row that an effect changed, as the column would write them now. */
export type Changed = Readonly<Record<string, unknown>>

/** What a decision needs to know of a thing. */
type State = { readonly status: string }

// Methods, so that targets with states of their own are targets.
export type ApprovalTarget<Of extends State = State> = {
  readonly type: TargetType
  readonly action: Action
  /** Whose workflow waits for the decision. */
  readonly flow: Pick<Flow, 'workflow'>
  /** Whether the last approval moves money: stopped books stand against it then. */
  readonly movesMoney: boolean
  /** What an approver sees: read as json from `approvals.target_id`, and written as the variant of the type. */
  readonly subject: {
    column(): Fragment
    parse(row: Record<string, unknown>): object
  }
  /** Refuses `not_found`. */
  read(reader: Reader, id: string): Promise<Of>
  /** All that the thing itself has against an approval, whoever gives it, in the order in which it is refused. */
  blockers(state: Of): readonly Blocker[]
  /** What the last approval takes from the balance, of those of these things that take money, by their ids. */
  readonly reserves?: (reader: Reader, ids: readonly string[]) => Promise<ReadonlyMap<string, Money>>
  /** The effect of the last approval, guarded by the thing's own state. Answers what it changed of the subject. */
  approve(tx: Tx, state: Of, cause: string): Promise<Changed>
  /** The effect on a set of things whose approvals ended, each with a cause of its own. Answers the same of each. */
  cancel(
    tx: Tx,
    ids: readonly string[],
    how: CancellationReason,
    cause: (id: string) => string,
  ): Promise<(id: string) => Changed>
  /** Ends what is open of what a person asked for; absent if that goes on without them. */
  readonly endRequestsOf?: (tx: Tx, requester: UserId, by: Person) => Promise<void>
}

let targets: ReadonlyMap<TargetType, ApprovalTarget> = new Map()

/** Called once, by the registry: approvals stand below the things that wait for them, and import none of these. */
export function registerTargets(all: readonly ApprovalTarget[]): void {
  targets = new Map(all.map((target) => [target.type, target]))
}

/** The target of a type; throws for one that nothing asks approval for yet, and if the registry is not loaded. */
export function targetOf(type: TargetType): ApprovalTarget {
  const target = targets.get(type)
  if (!target) throw new Error(`nothing of the type ${type} waits for approval`)
  return target
}

/** Somebody's role as it is now, null if they left, and who changed it. */
export type RoleChange = { readonly userId: UserId; readonly role: Role | null; readonly by: Person }

/**
 * Ends what a person asked for and may not ask for with the role that they have now, of each kind that does not go on
 * without them. The caller holds `lockMemberships(tx, 'change')`.
 */
export async function endRequests(tx: Tx, { userId, role, by }: RoleChange): Promise<void> {
  for (const { action, endRequestsOf } of targets.values()) {
    if (!mayAskFor(action, role)) await endRequestsOf?.(tx, userId, by)
  }
}

/** An organization as far as approvals depend on it. */
export type Payer = { readonly organization_status: string; readonly books_stopped: boolean }

/**
 * All that stands against an approval whoever gives it, in the order in which it is refused. That the balance is short
 * is not among it: the ledger refuses that, from the balance that it has locked. Stopped books stand against the `last`
 * one.
 */
export const blockersOf = <Of extends State>(
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
 * The subject of `approvals` as json. Its members are those of the variant but for amounts, which are as they are kept.
 */
export const subjectColumn = (): Fragment => {
  const cases = [...targets.values()].map(({ type, subject }) => sql`when ${type} then ${subject.column()}`)
  return sql`case approvals.target_type ${cases.reduce((before, next) => sql`${before} ${next}`, sql``)} end`
}

/** As all answers write instants. Postgres writes them into JSON by itself, at a fraction of what to_char() costs. */
const instants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name.endsWith('_at') && typeof value === 'string') return [name, value.replace('+00:00', 'Z')]
      return [name, value && typeof value === 'object' && !Array.isArray(value) ? instants(value as typeof row) : value]
    }),
  )

/** A row of subjectColumn() as its variant. */
export const toSubject = (type: TargetType, row: Record<string, unknown>): Subject =>
  // the target wrote exactly the members of the variant that the type names
  ({ type, [type]: targetOf(type).subject.parse(instants(row)) }) as unknown as Subject

/** Targets: the kinds of things that wait for approval, as decisions know them. Each is declared in its own room. */
import type { Person } from '../../domain/people/actor.ts'
import type { TargetType } from '../../domain/approvals/approval.ts'
import type { Warning } from '../../domain/approvals/warning.ts'
import type { Blocker } from '../../domain/errors.ts'
import type { OrganizationId, UserId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Standing } from '../../domain/permissions.ts'
import type { Fragment, Reader, Tx } from '../../db/postgres/sql.ts'
import type { Cancellation, WaitingApproval } from './requests.ts'

/** Reasons of an end without approval. The last two end with its target or its organization. */
export type CancellationReason =
  | 'rejected'
  | 'withdrawn'
  | 'expired'
  | 'payee check changed'
  | `${string} deleted`
  | `${string} banned`

/** Members of a subject's row that an effect changed, as its column would write them now. */
export type TargetChange = Readonly<Record<string, unknown>>

/** Minimum that a decision knows of a target. */
type State = { readonly status: string }

// methods, not properties, so that targets with states of their own are assignable
export type ApprovalTarget<Of extends State = State> = {
  readonly type: TargetType
  /** True if the last approval moves money: then it is refused while books are stopped. */
  readonly movesMoney: boolean
  /** Subject for approvers: read as json from `approvals.target_id`, and written as the variant of the type. */
  readonly subject: {
    column(): Fragment
  } & (
    | { parse(row: Record<string, unknown>): object }
    /** Names the target that the thing is answered as, by its id and the members of its variant. */
    | { answered(row: Record<string, unknown>): { readonly id: string; readonly members: object } }
  )
  /** Selects the state of one target of the organization; no row if there is none. */
  state(of: { readonly organizationId: OrganizationId }, id: string): Fragment
  /** Reads what the state has only where it is needed; absent if `state` selects all. */
  complete?(reader: Reader, state: Of): Promise<Of>
  /** Lists the blockers of any approval in the state of the target, in the order of refusal. */
  blockers(state: Of): readonly Blocker[]
  /** Lists what blocks the last approval alone. */
  lastBlockers?(state: Of): readonly Blocker[]
  /** Reads the amounts that approvals of these targets take from the balance, by their ids. */
  readonly reserves?: (reader: Reader, ids: readonly string[]) => Promise<ReadonlyMap<string, Money>>
  /** Lists what an approver is warned of; absent if there is nothing to compare with. */
  readonly warnings?: (reader: Reader, id: string) => Promise<Warning[]>
  /** Carries out the last approval, guarded by the target's state. Answers the changes to the subject. */
  approve(tx: Tx, state: Of, cause: string): Promise<TargetChange>
  /** Cancels targets whose approvals ended, each with its own cause. Answers the changes to each subject. */
  cancel(
    tx: Tx,
    ids: readonly string[],
    how: CancellationReason,
    cause: (id: string) => string,
  ): Promise<(id: string) => TargetChange>
  /** Ends the open requests of a person that their standing does not allow; absent if they go on without them. */
  readonly endRequestsOf?: (tx: Tx, change: RoleChange) => Promise<void>
}

/** Type of `cancelWithTargets()` of services/decisions, which knows all targets; lower rooms get it from their caller. */
export type CancelWithTargets = (
  tx: Tx,
  waiting: readonly WaitingApproval[],
  cancellation: Cancellation & { readonly why: CancellationReason },
) => Promise<void>

/** Role that a member has now, null for one who left, and the person who changed it; null for a provider. */
export type RoleChange = { readonly userId: UserId; readonly standing: Standing | null; readonly by: Person | null }

/** Type of `endWithRole()` of services/decisions, likewise. */
export type EndWithRole = (tx: Tx, change: RoleChange) => Promise<void>

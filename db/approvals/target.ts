/** Targets: the kinds of things that wait for approval, as decisions know them. Each is declared in its own room. */
import type { Person } from '../../domain/actor.ts'
import type { TargetType } from '../../domain/approvals/approval.ts'
import type { Blocker } from '../../domain/errors.ts'
import type { OrganizationId, UserId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Role } from '../../domain/permissions.ts'
import type { Fragment, Reader, Tx } from '../sql.ts'
import type { Cancellation, WaitingApproval } from './requests.ts'

/** Reasons for which an approval ends ungiven. The last two end with its target or its organization. */
export type CancellationReason = 'rejected' | 'withdrawn' | 'expired' | `${string} deleted` | `${string} banned`

/** Members of a subject's row that an effect changed, as the column would write them now. */
export type Changed = Readonly<Record<string, unknown>>

/** The least that a decision knows of a thing. */
type State = { readonly status: string }

// Methods, so that targets with states of their own are targets.
export type ApprovalTarget<Of extends State = State> = {
  readonly type: TargetType
  /** True if the last approval moves money: then it is refused while books are stopped. */
  readonly movesMoney: boolean
  /** Shown to approvers: read as json from `approvals.target_id`, and written as the variant of the type. */
  readonly subject: {
    column(): Fragment
    parse(row: Record<string, unknown>): object
  }
  /** Selects the state of one thing of the organization; no row if there is none. */
  state(of: { readonly organizationId: OrganizationId }, id: string): Fragment
  /** Lists what the thing itself has against any approval, in the order in which it is refused. */
  blockers(state: Of): readonly Blocker[]
  /** Reads the amounts that approvals of these things take from the balance, by their ids. */
  readonly reserves?: (reader: Reader, ids: readonly string[]) => Promise<ReadonlyMap<string, Money>>
  /** Carries out the last approval, guarded by the thing's own state. Answers what it changed of the subject. */
  approve(tx: Tx, state: Of, cause: string): Promise<Changed>
  /** Cancels things whose approvals ended, each with a cause of its own. Answers the same of each. */
  cancel(
    tx: Tx,
    ids: readonly string[],
    how: CancellationReason,
    cause: (id: string) => string,
  ): Promise<(id: string) => Changed>
  /** Ends what is open of what a person asked for; absent if that goes on without them. */
  readonly endRequestsOf?: (tx: Tx, requester: UserId, by: Person) => Promise<void>
}

/** `cancelWithTargets()` of db/decisions, which knows all targets; rooms below it get it from their caller. */
export type CancelWithTargets = (
  tx: Tx,
  waiting: readonly WaitingApproval[],
  cancellation: Cancellation & { readonly why: CancellationReason },
) => Promise<void>

/** The role that a member has now, null for one who left, and the person who changed it. */
export type RoleChange = { readonly userId: UserId; readonly role: Role | null; readonly by: Person }

/** `endWithRole()` of db/decisions, likewise. */
export type EndWithRole = (tx: Tx, change: RoleChange) => Promise<void>

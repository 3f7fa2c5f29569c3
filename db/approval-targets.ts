/** What each kind of thing that waits for approval does with the decision: one entry for each target type. */
import { contactTarget } from './contact-decisions.ts'
import { invitationTarget } from './invitation-decisions.ts'
import { paymentTarget } from './payment-decisions.ts'
import type { TargetType } from './model/approval.ts'
import type { Flow } from './model/flow.ts'
import type { Tx } from './sql.ts'

/** How an approval ends without being given. */
export type Ending =
  | 'rejected'
  | 'withdrawn'
  | 'expired'
  | 'organization banned'
  | 'organization deleted'
  | 'contact deleted'
  | 'destination deleted'

export type ApprovalTarget<State extends { readonly status: string } = { readonly status: string }> = {
  /** Whose workflow waits for the decision. */
  readonly machine: Pick<Flow, 'workflow'>
  /** What the decision needs to know of the thing; refuses `not_found`. */
  readonly read: (tx: Tx, id: string) => Promise<State>
  /** Refuses an approval that the thing itself stands against, whoever gives it. */
  readonly guard: (state: State) => void
  /** The effect of the last approval, guarded by the thing's own state. Answers its status then. */
  readonly approve: (tx: Tx, state: State, cause: string) => Promise<string>
  /** The effect on a set of things whose approvals ended, each with a cause of its own. Answers their status then. */
  readonly stop: (tx: Tx, ids: readonly string[], how: Ending, cause: (id: string) => string) => Promise<string>
}

const TARGETS: Readonly<Partial<Record<TargetType, ApprovalTarget<any>>>> = {
  internal_transfer: paymentTarget,
  fiat_outgoing: paymentTarget,
  crypto_outgoing: paymentTarget,
  payment_contact: contactTarget,
  organization_invitation: invitationTarget,
}

/** The target of a type; throws for one that nothing asks approval for yet. */
export function targetOf(type: TargetType): ApprovalTarget<any> {
  const target = TARGETS[type]
  if (!target) throw new Error(`nothing of the type ${type} waits for approval`)
  return target
}

/** The view of a run whose row waits for people. */
import type { Standing } from '../process.ts'

export type ApprovalView = {
  /** The step that is due: the approvers are reminded, or the approval expires. */
  readonly due: 'expiry' | 'reminder' | null
  /** The step of the policy that is open: "1 of 2". */
  readonly open_step: string
}

/** A row that waits for people. */
export type AwaitingApproval<Status extends string> = Standing<Status> & { readonly approval: ApprovalView }

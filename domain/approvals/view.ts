import type { Standing } from '../process.ts'

export type ApprovalView = {
  /** Due step of the run: remind the approvers, or expire the approval. */
  readonly due: 'expiry' | 'reminder' | null
  /** Open step of the policy: "1 of 2". */
  readonly open_step: string
}

export type AwaitingApproval<Status extends string> = Standing<Status> & { readonly approval: ApprovalView }

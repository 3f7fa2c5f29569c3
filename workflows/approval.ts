import type { ApprovalView } from '../domain/approvals/view.ts'
import { record } from './proxies.ts'
import type { RunActions } from './run.ts'

/** Waits for the decision; sends reminders and expires the approval when due. */
export async function awaitApproval(run: RunActions, { approval }: { readonly approval: ApprovalView }): Promise<void> {
  switch (approval.due) {
    case 'expiry':
      return run.step(record.expireApproval)
    case 'reminder':
      return run.step(record.remindApprovers)
    case null:
      return run.wait(`Approval, step ${approval.open_step}`)
    default:
      approval.due satisfies never
  }
}

/** What is due by business time is told to the workflows that wait for it, and to no others. */
import { dueApprovals, dueDeposits, dueInvitations } from '../db/deadlines.ts'
import { depositFlow } from '../db/model/deposit-flow.ts'
import { workflowId } from '../db/model/flow.ts'
import { invitationFlow } from '../db/model/invitation-flow.ts'
import { waitingWorkflowId } from './processes.ts'
import { askToLook, signalClock } from './temporal.ts'

/**
 * Tells each workflow whose deadline has come how far business time is ahead, and with `look` to read its row: one that was
 * not told of a deadline that moved would sleep until the one it knows.
 */
export async function signalDue(offsetSeconds: number, look = false): Promise<void> {
  const [approvals, invitations, deposits] = await Promise.all([dueApprovals(), dueInvitations(), dueDeposits()])
  const due = [
    ...approvals.map(waitingWorkflowId),
    ...invitations.map((id) => workflowId(invitationFlow, id)),
    ...deposits.map((id) => workflowId(depositFlow, id)),
  ]
  await signalClock(due, offsetSeconds)
  if (look) await askToLook(due)
}

/** What is due by business time is told to the workflows that wait for it, and to no others. */
import { dueApprovals, dueInvitations } from '../db/deadlines.ts'
import { workflowId } from '../db/model/flow.ts'
import { invitationFlow } from '../db/model/invitation-flow.ts'
import { waitingWorkflowId } from './processes.ts'
import { signalClock } from './temporal.ts'

/** Tells each workflow whose deadline has come how far business time is ahead. */
export async function signalDue(offsetSeconds: number): Promise<void> {
  const [approvals, invitations] = await Promise.all([dueApprovals(), dueInvitations()])
  await signalClock(
    [...approvals.map(waitingWorkflowId), ...invitations.map((id) => workflowId(invitationFlow, id))],
    offsetSeconds,
  )
}

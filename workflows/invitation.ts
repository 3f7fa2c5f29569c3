/** An invitation: approved if the policy asks for it; then answered, taken back or expired. */
import type { InvitationId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { record } from './proxies.ts'
import { Run } from './run.ts'

export async function invitation(ref: ProcessRef<InvitationId>): Promise<string> {
  const run = new Run(ref, record.viewInvitation)
  for await (const invitation of run.rows()) {
    switch (invitation.status) {
      case 'pending_approval':
        await awaitApproval(run, invitation)
        break
      case 'pending':
        if (invitation.expiry_due) await run.step(record.expireInvitation)
        else await run.wait('Expiry of the invitation')
        break
      default:
        invitation satisfies never
    }
  }
  return run.status
}

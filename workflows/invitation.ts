/** An invitation: people approve it if the policy asks for that; then it is answered, taken back or expires. */
import type { InvitationId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { record } from './proxies.ts'
import { Run } from './run.ts'

/** Returns the status that the invitation ended in. */
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

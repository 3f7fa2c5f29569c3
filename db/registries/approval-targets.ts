/** The registry of what waits for approval: one entry for each target type. Every process that decides loads it. */
import { registerTargets } from '../approvals/target.ts'
import { contactTarget } from '../contacts/approval-target.ts'
import { invitationTarget } from '../invitations/approval-target.ts'
import { paymentTarget } from '../payments/approval-target.ts'

registerTargets({
  internal_transfer: paymentTarget('internal_transfer'),
  fiat_outgoing: paymentTarget('fiat_outgoing'),
  crypto_outgoing: paymentTarget('crypto_outgoing'),
  payment_contact: contactTarget,
  organization_invitation: invitationTarget,
})

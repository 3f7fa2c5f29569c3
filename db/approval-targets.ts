/** The registry of what waits for approval: one entry for each target type. Every process that decides loads it. */
import { registerTargets } from './approval-target.ts'
import { contactTarget } from './contact-decisions.ts'
import { invitationTarget } from './invitation-decisions.ts'
import { paymentTarget } from './payment-decisions.ts'

registerTargets({
  internal_transfer: paymentTarget,
  fiat_outgoing: paymentTarget,
  crypto_outgoing: paymentTarget,
  payment_contact: contactTarget,
  organization_invitation: invitationTarget,
})

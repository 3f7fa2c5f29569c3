/** The registry: everything a workflow may ask for, by queue. */
import '../db/approval-targets.ts' // approvals find what waits for them there
import * as audits from './audits.ts'
import { pursueDeposit } from './deposit-partners.ts'
import * as looks from './looks.ts'
import { sendMail } from './partners/mail.ts'
import { pursuePayout } from './payouts.ts'
import * as reconciliations from './reconciliations.ts'
import { openReceivingAccount } from './receiving-account-partners.ts'
import { coverSwap } from './swap-trades.ts'

/** Looks, beside the workflows. */
export const main = looks

/** The outside. */
export const partners = {
  ...audits,
  ...reconciliations,
  coverSwap,
  openReceivingAccount,
  pursueDeposit,
  pursuePayout,
  sendMail,
}

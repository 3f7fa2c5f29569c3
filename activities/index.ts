/** The registry: everything a workflow may ask for, by queue. */
import '../db/registries/approval-targets.ts' // approvals find what waits for them there
import * as audits from './partners/audits.ts'
import { pursueDeposit } from './partners/deposits.ts'
import * as looks from './looks.ts'
import { sendMail } from './clients/mail.ts'
import { pursuePayout } from './partners/payouts.ts'
import * as reconciliations from './partners/reconciliation.ts'
import { openReceivingAccount } from './partners/receiving-accounts.ts'
import { coverSwap } from './partners/swaps.ts'

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

/** The registry: everything a workflow may ask for, by queue. */
import * as approvals from './approvals.ts'
import * as audits from './audits.ts'
import * as deposits from './deposits.ts'
import { lookAtDeposit, receiveDeposit, returnDeposit } from './deposit-partners.ts'
import * as contacts from './payment-contacts.ts'
import * as invitations from './invitations.ts'
import * as messages from './messages.ts'
import { sendMail } from './partners/mail.ts'
import * as payments from './payments.ts'
import * as payouts from './payouts.ts'
import * as reconciliations from './reconciliations.ts'
import { openReceivingAccount } from './receiving-account-partners.ts'
import { receivingAccountStatus } from './receiving-accounts.ts'
import { tradeSwap } from './swap-trades.ts'
import * as swaps from './swaps.ts'

/** Recording, beside the workflows. */
export const main = {
  ...approvals,
  ...contacts,
  ...invitations,
  ...messages,
  ...payments,
  ...deposits,
  receivingAccountStatus,
  ...swaps,
}

/** The outside. */
export const partners = {
  ...audits,
  ...payouts,
  ...reconciliations,
  lookAtDeposit,
  openReceivingAccount,
  receiveDeposit,
  returnDeposit,
  sendMail,
  tradeSwap,
}

/** What each process finds when it looks at its row: one transaction, which does what is due and acknowledges what it saw. */
import { findContactState } from '../db/contact-looks.ts'
import { findDepositState } from '../db/deposit-looks.ts'
import { findInvitationState } from '../db/invitation-looks.ts'
import { findMessageState } from '../db/messages.ts'
import { contactFlow } from '../db/model/contact-flow.ts'
import { depositFlow } from '../db/model/deposit-flow.ts'
import { invitationFlow } from '../db/model/invitation-flow.ts'
import { messageFlow } from '../db/model/message-flow.ts'
import { paymentFlow } from '../db/model/payment-flow.ts'
import { receivingAccountFlow } from '../db/model/receiving-account-flow.ts'
import { swapFlow } from '../db/model/swap-flow.ts'
import { findPaymentState } from '../db/payment-looks.ts'
import { lookAt, lookAtUnowned } from '../db/processes.ts'
import { findAccountState } from '../db/receiving-accounts.ts'
import { findSwapState } from '../db/swaps.ts'

export const lookAtPayment = lookAt(paymentFlow, findPaymentState)
/** @public the workflow calls it by its proxy */
export const lookAtContact = lookAt(contactFlow, findContactState)
/** @public the workflow calls it by its proxy */
export const lookAtInvitation = lookAt(invitationFlow, findInvitationState)
export const lookAtSwap = lookAt(swapFlow, findSwapState)
/** @public the workflow calls it by its proxy */
export const lookAtReceivingAccount = lookAt(receivingAccountFlow, findAccountState)
export const lookAtDeposit = lookAtUnowned(depositFlow, findDepositState)
/** A mail server may take its time (`mailing`, workflows/proxies.ts). */
const MAIL_MINUTES = 70
export const lookAtMessage = lookAtUnowned(messageFlow, findMessageState, MAIL_MINUTES)

/** What each process finds when it looks at its row: one transaction, which does what is due and acknowledges what it saw. */
import { findContactState } from '../db/contacts/look.ts'
import { findDepositState } from '../db/deposits/look.ts'
import { findInvitationState } from '../db/invitations/look.ts'
import { findMessageState } from '../db/messages/messages.ts'
import { contactFlow } from '../db/model/flows/contact.ts'
import { depositFlow } from '../db/model/flows/deposit.ts'
import { invitationFlow } from '../db/model/flows/invitation.ts'
import { messageFlow } from '../db/model/flows/message.ts'
import { paymentFlow } from '../db/model/flows/payment.ts'
import { receivingAccountFlow } from '../db/model/flows/receiving-account.ts'
import { swapFlow } from '../db/model/flows/swap.ts'
import { findPaymentState } from '../db/payments/look.ts'
import { lookAt, lookAtUnowned } from '../db/processes.ts'
import { findAccountState } from '../db/accounts/receiving-accounts.ts'
import { findSwapState } from '../db/swaps/swaps.ts'

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

/** Registry of activities by task queue. */
import { expireApproval, remindApprovers } from '../services/decisions/steps.ts'
import { giveUpRevocation, giveUpSync, stopSync } from '../services/accounting/steps.ts'
import { viewAccountingConnection, viewAccountingSync } from '../services/accounting/view.ts'
import { endBatch, recountBatch } from '../services/batches/steps.ts'
import { viewBatch } from '../services/batches/view.ts'
import { giveUpBill } from '../services/bills/steps.ts'
import { viewBankFile } from '../services/bank-files/view.ts'
import { closeFile, writeFile } from '../services/bank-files/outgoing.ts'
import { viewBill } from '../services/bills/view.ts'
import { giveUpBatchDay, payBatchRows, putOffBatch, skipBatchRows } from '../services/batches/paying.ts'
import { viewContact } from '../services/contacts/view.ts'
import { viewReceivingAccount } from '../services/accounts/view.ts'
import { viewCover } from '../services/covers/view.ts'
import { viewExport } from '../services/exports/view.ts'
import { logCreditNoteMails, mailCreditNote, resendCreditNoteMails } from '../services/credit-notes/steps.ts'
import { viewCreditNote } from '../services/credit-notes/view.ts'
import { takeInCalls } from '../services/callbacks/callbacks.ts'
import { startReturn } from '../services/deposits/steps.ts'
import { ownerOf, viewDeposit } from '../services/deposits/view.ts'
import { purgeJournals } from '../services/bank-files/journal.ts'
import { purgeFiles } from '../services/files/purge.ts'
import { expireInvitation } from '../services/invitations/steps.ts'
import { viewInvitation } from '../services/invitations/view.ts'
import {
  matchIncomingPayment,
  passIncomingPayment,
  proposeInvoices,
  reconsiderProposal,
} from '../services/incoming-payments/steps.ts'
import { viewIncomingPayment } from '../services/incoming-payments/view.ts'
import { viewInboundMail } from '../services/inbound-mails/view.ts'
import { noteInvoiceMail } from '../services/invoices/mails.ts'
import { logInvoiceMails, mailInvoice, remindCustomer, resendInvoiceMails } from '../services/invoices/steps.ts'
import { viewInvoice } from '../services/invoices/view.ts'
import { dropLateMessage, giveUpMessage } from '../services/messages/steps.ts'
import { viewMessage } from '../services/messages/view.ts'
import { PROCESSES } from '../domain/registries/flows.ts'
import {
  beginReview,
  purgeOnboarding,
  remindOnboarding,
  requirePeriodicReview,
  settleReview,
} from '../services/onboarding/steps.ts'
import { viewOnboarding } from '../services/onboarding/view.ts'
import { failHeldPayee } from '../services/payments/steps.ts'
import { viewPayment } from '../services/payments/view.ts'
import { chargeMonth, expireSubscription, holdRenewal } from '../services/subscriptions/steps.ts'
import { viewScreening } from '../services/screening/view.ts'
import { viewSubscription } from '../services/subscriptions/view.ts'
import { stepForOwner, stepOf, stepOfTarget, stepOfUnowned, viewOf, viewOfUnowned } from '../db/processes/views.ts'
import { viewWebhookEndpoint } from '../services/webhooks/view.ts'
import { publishEventHeads } from './event-heads.ts'
import { checkBatchPayees } from '../partners/batch-payees.ts'
import { importBatch } from './import-batch.ts'
import { mergeBill } from './merge-bill.ts'
import { askLanguageModel, readBill } from './read-bill.ts'
import { readInboundMail } from './read-inbound-mail.ts'
import { writeExport } from './write-export.ts'
import { writeCreditNoteDocuments, writeInvoiceDocuments } from './write-invoice.ts'
import { revokeConnection } from './accounting/session.ts'
import { beginSyncs, postSyncPage, readAccounts } from './accounting/sync.ts'
import * as audits from './audits.ts'
import { tradeCover } from './covers.ts'
import { askAboutDeposit, bookAnnouncedDeposit, sendDepositBack } from './deposits.ts'
import { askBalances, listFundsConnections, proveBalances } from './funds.ts'
import * as bankFiles from './bank-files.ts'
import { deliverMessage } from './messages.ts'
import { reviewAtPartner, sealPapers } from './onboarding.ts'
import { checkPayee } from './payee-checks.ts'
import { cancelPayout, orderPayout, pollPayout } from './payouts.ts'
import { openReceivingAccount } from './receiving-accounts.ts'
import * as reconciliations from './reconciliation.ts'
import { executeScheduled } from './schedules.ts'
import { readScreeningLists, screenName } from './screening.ts'
import { deliverEvents } from './webhooks.ts'

/** Longest time of a mail server (`mailing`, workflows/proxies.ts). */
const MAIL_MINUTES = 70
/** Five minutes for a file, and for its wait in the queue (workflows/proxies.ts). */
const FILE_MINUTES = 11

/** Views and steps on our own rows. Each is one transaction; a view changes nothing. */
export const main = {
  expireApproval: stepOfTarget(expireApproval),
  remindApprovers: stepOfTarget(remindApprovers),

  viewPayment: viewOf(PROCESSES.payment, viewPayment),
  failHeldPayee: stepOf(PROCESSES.payment, failHeldPayee),

  viewContact: viewOf(PROCESSES.paymentContact, viewContact),

  viewInvitation: viewOf(PROCESSES.invitation, viewInvitation),
  expireInvitation: stepOf(PROCESSES.invitation, expireInvitation),

  viewCover: viewOf(PROCESSES.cover, viewCover),

  viewReceivingAccount: viewOf(PROCESSES.receivingAccount, viewReceivingAccount),

  viewDeposit: viewOfUnowned(PROCESSES.deposit, viewDeposit),
  takeInCalls: stepForOwner(PROCESSES.deposit, ownerOf, takeInCalls),
  startReturn: stepForOwner(PROCESSES.deposit, ownerOf, startReturn),

  viewSubscription: viewOf(PROCESSES.subscription, viewSubscription),
  chargeMonth: stepOf(PROCESSES.subscription, chargeMonth),
  holdRenewal: stepOf(PROCESSES.subscription, holdRenewal),
  expireSubscription: stepOf(PROCESSES.subscription, expireSubscription),

  viewExport: viewOf(PROCESSES.export, viewExport, FILE_MINUTES),

  viewInvoice: viewOf(PROCESSES.invoice, viewInvoice, FILE_MINUTES),
  mailInvoice: stepOf(PROCESSES.invoice, mailInvoice),
  logInvoiceMails: stepOf(PROCESSES.invoice, logInvoiceMails),
  resendInvoiceMails: stepOf(PROCESSES.invoice, resendInvoiceMails),
  remindCustomer: stepOf(PROCESSES.invoice, remindCustomer),

  viewCreditNote: viewOf(PROCESSES.creditNote, viewCreditNote, FILE_MINUTES),
  mailCreditNote: stepOf(PROCESSES.creditNote, mailCreditNote),
  logCreditNoteMails: stepOf(PROCESSES.creditNote, logCreditNoteMails),
  resendCreditNoteMails: stepOf(PROCESSES.creditNote, resendCreditNoteMails),

  viewIncomingPayment: viewOf(PROCESSES.incomingPayment, viewIncomingPayment),
  matchIncomingPayment: stepOf(PROCESSES.incomingPayment, matchIncomingPayment),
  proposeInvoices: stepOf(PROCESSES.incomingPayment, proposeInvoices),
  passIncomingPayment: stepOf(PROCESSES.incomingPayment, passIncomingPayment),
  reconsiderProposal: stepOf(PROCESSES.incomingPayment, reconsiderProposal),

  viewBatch: viewOf(PROCESSES.paymentBatch, viewBatch),
  putOffBatch: stepOf(PROCESSES.paymentBatch, putOffBatch),
  giveUpBatchDay: stepOf(PROCESSES.paymentBatch, giveUpBatchDay),
  endBatch: stepOf(PROCESSES.paymentBatch, endBatch),
  recountBatch: stepOf(PROCESSES.paymentBatch, recountBatch),

  viewBill: viewOf(PROCESSES.bill, viewBill, FILE_MINUTES),
  mergeBill,
  giveUpBill: stepOf(PROCESSES.bill, giveUpBill),

  viewInboundMail: viewOf(PROCESSES.inboundMail, viewInboundMail, FILE_MINUTES),

  viewBankFile: viewOfUnowned(PROCESSES.bankFile, viewBankFile),
  closeBankFile: stepOfUnowned(closeFile),

  viewOnboarding: viewOf(PROCESSES.onboarding, viewOnboarding, FILE_MINUTES),
  beginReview: stepOf(PROCESSES.onboarding, beginReview),
  settleReview: stepOf(PROCESSES.onboarding, settleReview),
  remindOnboarding: stepOf(PROCESSES.onboarding, remindOnboarding),
  requirePeriodicReview: stepOf(PROCESSES.onboarding, requirePeriodicReview),
  purgeOnboarding: stepOf(PROCESSES.onboarding, purgeOnboarding),

  viewMessage: viewOfUnowned(PROCESSES.delivery, viewMessage, MAIL_MINUTES),
  dropLateMessage: stepOfUnowned(dropLateMessage(noteInvoiceMail)),
  giveUpMessage: stepOfUnowned(giveUpMessage(noteInvoiceMail)),

  viewAccountingConnection: viewOf(PROCESSES.accountingConnection, viewAccountingConnection),
  giveUpRevocation: stepOf(PROCESSES.accountingConnection, giveUpRevocation),

  viewAccountingSync: viewOf(PROCESSES.accountingSync, viewAccountingSync),
  stopSync: stepOf(PROCESSES.accountingSync, stopSync),
  giveUpSync: stepOf(PROCESSES.accountingSync, giveUpSync),

  viewScreening: viewOf(PROCESSES.screening, viewScreening),

  viewWebhookEndpoint: viewOf(PROCESSES.webhookEndpoint, viewWebhookEndpoint),
}

/** Pages of our own rows that take longer than a look, and call nobody. */
export const rows = {
  ...audits,
  beginSyncs,
  executeScheduled,
  holdBankFile: bankFiles.holdBankFile,
  listFundsConnections,
  payBatchRows: stepOf(PROCESSES.paymentBatch, payBatchRows),
  proveBalances,
  skipBatchRows: stepOf(PROCESSES.paymentBatch, skipBatchRows),
  writeBankFile: bankFiles.writeBankFile(stepOfUnowned(writeFile)),
}

/** Calls to a partner that moves money. */
const money = {
  ...reconciliations,
  askAboutDeposit,
  askBalances,
  bookAnnouncedDeposit,
  cancelPayout,
  openReceivingAccount,
  orderPayout,
  pollPayout,
  reviewAtPartner,
  sendDepositBack,
}

// Each partner has a queue, and an activity there calls this partner alone: a slow one holds no slot of another.
const { fetchBankFiles, uploadBankFile, visitForBankFile } = bankFiles
export const bank = { ...money, checkBatchPayees, checkPayee, fetchBankFiles, uploadBankFile, visitForBankFile }
export const custodian = money
export const rates = { ...reconciliations, executeScheduled, tradeCover }
export const mail = { deliverMessage }
export const messenger = { deliverMessage }
export const screening = { screenName }
export const accounting = { postSyncPage, readAccounts, revokeConnection }
export const model = { askLanguageModel }

/** Calls to receivers of customers; apart, so that they never delay calls to partners. */
export const webhooks = { deliverEvents }

/** Long work: files that are read or written row by row. */
export const heavy = {
  importBatch,
  publishEventHeads,
  purgeFiles: async () => (await purgeFiles()) + (await purgeJournals()),
  sealPapers,
  writeCreditNoteDocuments,
  writeExport,
  writeInvoiceDocuments,
}

/** Untrusted files, each opened in a process that can be killed. */
export const bills = { readBankFile: bankFiles.readBankFile, readBill, readInboundMail, readScreeningLists }

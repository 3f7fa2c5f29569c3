/** Addresses of invoices, of what belongs to them, and of deposits. */
import type { Routes } from '../frame/routes.ts'
import {
  acceptInvoice,
  deleteInvoice,
  markPaid,
  matchMoney,
  resendInvoice,
  revokePage,
  submitInvoice,
  unmatchMoney,
  withdrawInvoice,
} from './acts.ts'
import { deleteNote, resendNote, showCreditNote, submitNote, withdrawNote } from './credit-notes/credit-note.ts'
import { addCreditNote, showCreditForm } from './credit-notes/form.ts'
import { showCreditNotes } from './credit-notes/list.ts'
import { showCustomer, showCustomers } from './customers/customers.ts'
import { addCustomer, changeCustomer, removeCustomer, showChangeCustomer, showNewCustomer } from './customers/form.ts'
import { answerSender, matchDeposit, showDeposit } from './deposits/deposit.ts'
import { showDeposits } from './deposits/list.ts'
import { addInvoice, changeInvoice, showChangeInvoice, showNewInvoice } from './drafts/form.ts'
import { showNotePdf, showNotePreview, showNoteXml, showPdf, showPreview, showXml } from './files.ts'
import { showInvoice } from './invoice.ts'
import { showInvoices } from './list.ts'

export const INVOICES: Routes = {
  shown: {
    '/o/:company/invoices': showInvoices,
    '/o/:company/invoices/new': showNewInvoice,
    '/o/:company/invoices/customers': showCustomers,
    '/o/:company/invoices/customers/new': showNewCustomer,
    '/o/:company/invoices/customers/:id': showCustomer,
    '/o/:company/invoices/customers/:id/change': showChangeCustomer,
    '/o/:company/invoices/credit-notes': showCreditNotes,
    '/o/:company/invoices/credit-notes/:id': showCreditNote,
    '/o/:company/invoices/credit-notes/:id/preview': showNotePreview,
    '/o/:company/invoices/credit-notes/:id/pdf': showNotePdf,
    '/o/:company/invoices/credit-notes/:id/xml': showNoteXml,
    '/o/:company/invoices/:id': showInvoice,
    '/o/:company/invoices/:id/change': showChangeInvoice,
    '/o/:company/invoices/:id/credit': showCreditForm,
    '/o/:company/invoices/:id/preview': showPreview,
    '/o/:company/invoices/:id/pdf': showPdf,
    '/o/:company/invoices/:id/xml': showXml,
    '/o/:company/deposits': showDeposits,
    '/o/:company/deposits/:id': showDeposit,
  },
  sent: {
    '/o/:company/invoices': addInvoice,
    '/o/:company/invoices/customers': addCustomer,
    '/o/:company/invoices/customers/:id/change': changeCustomer,
    '/o/:company/invoices/customers/:id/remove': removeCustomer,
    '/o/:company/invoices/credit-notes/:id/submit': submitNote,
    '/o/:company/invoices/credit-notes/:id/withdraw': withdrawNote,
    '/o/:company/invoices/credit-notes/:id/delete': deleteNote,
    '/o/:company/invoices/credit-notes/:id/resend': resendNote,
    '/o/:company/invoices/:id/change': changeInvoice,
    '/o/:company/invoices/:id/credit': addCreditNote,
    '/o/:company/invoices/:id/submit': submitInvoice,
    '/o/:company/invoices/:id/withdraw': withdrawInvoice,
    '/o/:company/invoices/:id/delete': deleteInvoice,
    '/o/:company/invoices/:id/revoke': revokePage,
    '/o/:company/invoices/:id/resend': resendInvoice,
    '/o/:company/invoices/:id/accept': acceptInvoice,
    '/o/:company/invoices/:id/paid': markPaid,
    '/o/:company/invoices/:id/match': matchMoney,
    '/o/:company/invoices/:id/unmatch': unmatchMoney,
    '/o/:company/deposits/:id/sender': answerSender,
    '/o/:company/deposits/:id/match': matchDeposit,
  },
}

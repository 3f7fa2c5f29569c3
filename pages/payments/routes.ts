/** Addresses of payments. */
import type { Routes } from '../frame/routes.ts'
import { showPayments } from './list.ts'
import { askForPayment, checkPayment, showNewPayment } from './pay.ts'
import { cancel, showPayment, showReceipt, unschedule, withdraw } from './payment.ts'

export const PAYMENTS: Routes = {
  shown: {
    '/o/:company/payments': showPayments,
    '/o/:company/payments/new': showNewPayment,
    '/o/:company/payments/check': checkPayment,
    '/o/:company/payments/:id': showPayment,
    '/o/:company/payments/:id/receipt': showReceipt,
  },
  sent: {
    '/o/:company/payments': askForPayment,
    '/o/:company/payments/:id/withdraw': withdraw,
    '/o/:company/payments/:id/unschedule': unschedule,
    '/o/:company/payments/:id/cancel': cancel,
  },
}

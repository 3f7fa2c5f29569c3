/** Addresses of bills. */
import type { Routes } from '../frame/routes.ts'
import { cancelBill, changeBill, readAgain, typeBill } from './acts.ts'
import { showBill } from './bill.ts'
import { saveCoding, showCoding } from './code.ts'
import { showBills } from './list.ts'
import { payBill, showPayBill } from './pay.ts'
import { showFile, showSheet } from './sheet.ts'
import { showNewBill } from './type.ts'
import { leaveFiles, takeFiles } from './upload.ts'

export const BILLS: Routes = {
  shown: {
    '/o/:company/bills': showBills,
    '/o/:company/bills/new': showNewBill,
    '/o/:company/bills/files': leaveFiles,
    '/o/:company/bills/:id': showBill,
    '/o/:company/bills/:id/code': showCoding,
    '/o/:company/bills/:id/pay': showPayBill,
    '/o/:company/bills/:id/page.png': showSheet,
    '/o/:company/bills/:id/file': showFile,
  },
  sent: {
    '/o/:company/bills': typeBill,
    '/o/:company/bills/files': takeFiles,
    '/o/:company/bills/:id': changeBill,
    '/o/:company/bills/:id/extract': readAgain,
    '/o/:company/bills/:id/cancel': cancelBill,
    '/o/:company/bills/:id/code': saveCoding,
    '/o/:company/bills/:id/pay': payBill,
  },
}

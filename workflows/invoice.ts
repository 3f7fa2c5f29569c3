/** An invoice: approved if somebody has to, written as PDF, mailed, and open until it is paid. */
import type { invoiceFlow } from '../domain/flows/invoice.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { heavy, record } from './proxies.ts'

/** Answers the state that the invoice is at rest in. One whose payment is taken back is started again. */
export function invoice(ref: ProcessRef) {
  const { writeInvoice } = heavy()
  return drive<typeof invoiceFlow>(ref, record.lookAtInvoice, {
    awaiting_approval: 'waits',
    sent: writeInvoice,
    finalized: writeInvoice,
    paid: writeInvoice,
  })
}

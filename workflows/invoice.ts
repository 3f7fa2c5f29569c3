/** An invoice: approved if its policy asks for it, written as PDF, mailed, reminded of, paid. */
import type { InvoiceId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { deliver } from './invoice-delivery.ts'
import { heavy, record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives an invoice. A payment taken back starts a new run. */
export async function invoice(ref: ProcessRef<InvoiceId>): Promise<string> {
  const steps = {
    write: heavy().writeInvoiceDocuments,
    mail: record.mailInvoice,
    log: record.logInvoiceMails,
    resend: record.resendInvoiceMails,
  }
  const run = new Run(ref, record.viewInvoice)
  for await (const invoice of run.rows()) {
    switch (invoice.status) {
      case 'awaiting_approval':
        await awaitApproval(run, invoice)
        break
      case 'sent':
      case 'finalized':
      case 'paid': // before it was written or mailed, or while a mail is to be sent again
        if (invoice.halted) await run.wait('Organization active again')
        else if (await deliver(run, invoice, steps)) break
        else if (invoice.reminder_due) await run.step(record.remindCustomer)
        else await run.wait(invoice.status === 'paid' ? 'Next try of a mail' : 'Payment by the customer')
        break
      default:
        invoice satisfies never
    }
  }
  return run.status
}

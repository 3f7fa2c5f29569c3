/** An invoice: approved if its policy asks for it, written as PDF, mailed, reminded of, paid. */
import type { InvoiceId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { heavy, record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives an invoice. A payment taken back starts a new run. */
export async function invoice(ref: ProcessRef<InvoiceId>): Promise<string> {
  const { writeInvoiceDocuments } = heavy()
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
        else if (invoice.waits_for_turn) await run.wait('Turn of the organization')
        else if (invoice.write_due) await run.step(writeInvoiceDocuments)
        else if (!invoice.documents_written) await run.wait('Next try to write the documents')
        else if (!invoice.mailed) await run.step(record.mailInvoice)
        else if (invoice.mails_to_log) await run.step(record.logInvoiceMails)
        else if (invoice.failed_mail_due) await run.step(record.resendInvoiceMails)
        else if (invoice.reminder_due) await run.step(record.remindCustomer)
        else await run.wait(invoice.status === 'paid' ? 'Next try of a mail' : 'Payment by the customer')
        break
      default:
        invoice satisfies never
    }
  }
  return run.status
}

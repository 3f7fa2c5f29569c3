/** A credit note: approved if its policy asks for it, written as PDF, and mailed. */
import type { CreditNoteId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { deliver } from './invoice-delivery.ts'
import { heavy, record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a credit note until its documents are written and its mails are delivered. */
export async function creditNote(ref: ProcessRef<CreditNoteId>): Promise<string> {
  const steps = {
    write: heavy().writeCreditNoteDocuments,
    mail: record.mailCreditNote,
    log: record.logCreditNoteMails,
    resend: record.resendCreditNoteMails,
  }
  const run = new Run(ref, record.viewCreditNote)
  for await (const note of run.rows()) {
    switch (note.status) {
      case 'awaiting_approval':
        await awaitApproval(run, note)
        break
      case 'sent':
        if (!(await deliver(run, note, steps))) await run.wait('Next try of a mail')
        break
      default:
        note satisfies never
    }
  }
  return run.status
}

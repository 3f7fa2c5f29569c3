/** A credit note: approved if its policy asks for it, written as PDF, and mailed. */
import type { CreditNoteId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { heavy, record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a credit note until its documents are written and its mails are delivered. */
export async function creditNote(ref: ProcessRef<CreditNoteId>): Promise<string> {
  const { writeCreditNoteDocuments } = heavy()
  const run = new Run(ref, record.viewCreditNote)
  for await (const note of run.rows()) {
    switch (note.status) {
      case 'awaiting_approval':
        await awaitApproval(run, note)
        break
      case 'sent':
        if (note.waits_for_turn) await run.wait('Turn of the organization')
        else if (note.write_due) await run.step(writeCreditNoteDocuments)
        else if (!note.documents_written) await run.wait('Next try to write the documents')
        else if (!note.mailed) await run.step(record.mailCreditNote)
        else if (note.mails_to_log) await run.step(record.logCreditNoteMails)
        else if (note.failed_mail_due) await run.step(record.resendCreditNoteMails)
        else await run.wait('Next try of a mail')
        break
      default:
        note satisfies never
    }
  }
  return run.status
}

import type { Delivery } from '../services/invoice-delivery/view.ts'
import type { RunActions, Step } from './run.ts'

type Steps<Id extends string> = Readonly<Record<'write' | 'mail' | 'log' | 'resend', Step<Id>>>

/** Takes the due step of the delivery: written, mailed, logged, sent again; false if none is due. */
export async function deliver<Id extends string>(
  run: RunActions<Id>,
  sent: Delivery,
  { write, mail, log, resend }: Steps<Id>,
): Promise<boolean> {
  if (sent.waits_for_turn) await run.wait('Turn of the organization')
  else if (sent.write_due) await run.step(write)
  else if (!sent.documents_written) await run.wait('Next try to write the documents')
  else if (!sent.mailed) await run.step(mail)
  else if (sent.mails_to_log) await run.step(log)
  else if (sent.failed_mail_due) await run.step(resend)
  else return false
  return true
}

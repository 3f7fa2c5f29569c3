/** A mail that brings bills: it is read in its turn, and its files become bills. What people decide commits in the API. */
import type { InboundMailId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { bills, record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a mail until it is read. */
export async function inboundMail(ref: ProcessRef<InboundMailId>): Promise<string> {
  const { readInboundMail } = bills()
  const run = new Run(ref, record.viewInboundMail)
  for await (const mail of run.rows()) {
    if (mail.waits_for_turn) await run.wait('Turn of the organization')
    else if (mail.try_due) await run.step(readInboundMail)
    else await run.wait('Next try to read the mail')
  }
  return run.status
}

/** A message: handed over until the mail server or the messenger takes it, it is too late, or a day was in vain. */
import type { MessageId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { mailing, record } from './proxies.ts'
import { Run } from './run.ts'

/** Returns the status that the message ended in. */
export async function delivery(ref: ProcessRef<MessageId>): Promise<string> {
  const { deliverMessage } = mailing()
  const run = new Run(ref, record.viewMessage)
  for await (const message of run.rows()) {
    if (message.late) await run.step(record.dropLateMessage)
    else if (message.tried_in_vain) await run.step(record.giveUpMessage)
    else if (message.try_due) await run.step(deliverMessage)
    else await run.wait('The message is tried again')
  }
  return run.status
}

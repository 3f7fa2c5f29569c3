/** A message: handed over until it is taken, is too late, or has failed for a day. */
import type { MessageId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { mailing, record } from './proxies.ts'
import { Run } from './run.ts'

export async function delivery(ref: ProcessRef<MessageId>): Promise<string> {
  const run = new Run(ref, record.viewMessage)
  for await (const message of run.rows()) {
    if (message.late) await run.step(record.dropLateMessage)
    else if (message.tried_in_vain) await run.step(record.giveUpMessage)
    else if (message.try_due) await run.step(mailing(message).deliverMessage)
    else await run.wait('Next try of the message')
  }
  return run.status
}

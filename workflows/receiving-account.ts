/** A receiving account: requested here, polled until its partner opens it. */
import type { ReceivingAccountId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { mover, record } from './proxies.ts'
import { Run } from './run.ts'

export async function receivingAccount(ref: ProcessRef<ReceivingAccountId>): Promise<string> {
  const run = new Run(ref, record.viewReceivingAccount)
  for await (const account of run.rows()) {
    if (account.opening_due) await run.step(mover(account).openReceivingAccount)
    else await run.wait('Next poll of the partner')
  }
  return run.status
}

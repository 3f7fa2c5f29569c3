/** Connection with an accounting program that people ended: revoked there, or dropped after a day. */
import type { AccountingConnectionId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { accounting, record } from './proxies.ts'
import { Run } from './run.ts'

export async function accountingConnection(ref: ProcessRef<AccountingConnectionId>): Promise<string> {
  const { revokeConnection } = accounting()
  const run = new Run(ref, record.viewAccountingConnection)
  for await (const connection of run.rows()) {
    if (connection.tried_in_vain) await run.step(record.giveUpRevocation)
    else if (connection.revocation_due) await run.step(revokeConnection)
    else await run.wait('Next try of the revocation')
  }
  return run.status
}

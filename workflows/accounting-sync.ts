/** Sync with an accounting program: accounts are read, then pages are posted until none is left. */
import type { SyncRunId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { accounting, record } from './proxies.ts'
import { Run } from './run.ts'

export async function accountingSync(ref: ProcessRef<SyncRunId>): Promise<string> {
  const { readAccounts, postSyncPage } = accounting()
  const run = new Run(ref, record.viewAccountingSync)
  for await (const sync of run.rows()) {
    if (!sync.allowed) await run.step(record.stopSync)
    else if (sync.tried_in_vain) await run.step(record.giveUpSync)
    else if (!sync.due) await run.wait('Next page of the sync')
    else if (!sync.accounts_read) await run.step(readAccounts)
    else await run.step(postSyncPage)
  }
  return run.status
}

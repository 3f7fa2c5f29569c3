/** A sync with an accounting program: step by step, until nothing is left to post. */
import type { syncFlow } from '../domain/flows/accounting/sync.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { partner, record } from './proxies.ts'

/** Answers the state that the sync ended in. */
export const accountingSync = (ref: ProcessRef) =>
  drive<typeof syncFlow>(ref, record.lookAtAccountingSync, { running: partner().syncAccounting })

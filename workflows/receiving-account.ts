/** A receiving account until its partner has opened it. */
import type { receivingAccountFlow } from '../domain/flows/receiving-account.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { partner, record } from './proxies.ts'

/** Answers the state that the account ended in. */
export const receivingAccount = (ref: ProcessRef) =>
  drive<typeof receivingAccountFlow>(ref, record.lookAtReceivingAccount, { requested: partner().openReceivingAccount })

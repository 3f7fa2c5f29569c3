/** A connection with an accounting program that people have ended, until it is revoked there. */
import type { connectionFlow } from '../domain/flows/accounting/connection.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { partner, record } from './proxies.ts'

/** Answers the state that the connection ended in. */
export const accountingConnection = (ref: ProcessRef) =>
  drive<typeof connectionFlow>(ref, record.lookAtAccountingConnection, { disconnecting: partner().revokeAccounting })

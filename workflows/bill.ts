/** A bill, while its file is read. A try that the worker's death ended begins anew. */
import type { billFlow } from '../domain/flows/bill.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { bills, record } from './proxies.ts'

/** Answers the state that the bill is in once it is read. Whoever has it read again starts it again. */
export const bill = (ref: ProcessRef) =>
  drive<typeof billFlow>(ref, record.lookAtBill, { extracting: bills().readBill })

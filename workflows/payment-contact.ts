/** A payment contact: people approve or refuse it, or a change of it. */
import type { ContactId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a contact. A change that waits for approval starts a new run. */
export async function paymentContact(ref: ProcessRef<ContactId>): Promise<string> {
  const run = new Run(ref, record.viewContact)
  for await (const contact of run.rows()) await awaitApproval(run, contact)
  return run.status
}

/** A payment contact: people approve it, or a change of it, or refuse. */
import type { ContactId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { record } from './proxies.ts'
import { Run } from './run.ts'

/** Returns the status that the contact ended in. A change of it that waits for approval starts it again. */
export async function paymentContact(ref: ProcessRef<ContactId>): Promise<string> {
  const run = new Run(ref, record.viewContact)
  for await (const contact of run.rows()) await awaitApproval(run, contact)
  return run.status
}

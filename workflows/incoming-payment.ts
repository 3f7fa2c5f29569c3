/** Money that came in: it pays an invoice if that is certain, else people decide. */
import type { TransactionId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives an incoming payment. A new run starts when an invoice that it may pay opens or closes. */
export async function incomingPayment(ref: ProcessRef<TransactionId>): Promise<string> {
  const run = new Run(ref, record.viewIncomingPayment)
  for await (const money of run.rows()) {
    switch (money.status) {
      case 'matching':
        if (money.due === 'proposal') await run.step(record.proposeInvoices)
        else if (money.due === 'pass') await run.step(record.passIncomingPayment)
        else if (money.due === 'reconsideration') await run.step(record.reconsiderProposal)
        else await run.step(record.matchIncomingPayment)
        break
      case 'allocated': // people have allocated or taken back meanwhile
      case 'proposed':
      case 'unrelated':
        await run.step(record.reconsiderProposal)
        break
      default:
        money.status satisfies never
    }
  }
  return run.status
}

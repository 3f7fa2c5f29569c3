/** A payment batch: its file is imported, approved as a whole, and paid page by page. */
import type { BatchId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { heavy, mover, record, rows } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a batch; also ends at `draft`. A payment that comes back later starts a new run. */
export async function paymentBatch(ref: ProcessRef<BatchId>): Promise<string> {
  const { importBatch } = heavy()
  const { checkBatchPayees } = mover({})
  const { payBatchRows, skipBatchRows } = rows()
  const run = new Run(ref, record.viewBatch)
  for await (const batch of run.rows()) {
    switch (batch.status) {
      case 'importing':
        if (batch.waits_for_turn) await run.wait('Turn of the organization')
        else await run.step(importBatch)
        break
      case 'draft': // its rows are there
        await run.step(checkBatchPayees)
        break
      case 'awaiting_approval':
        await awaitApproval(run, batch)
        break
      case 'processing':
        if (!batch.rows_left) await end(batch.payments_under_way)
        else if (batch.waits_for_day) await run.wait('Execution date')
        else if (batch.stopped) await run.wait('Payer may pay again')
        else if (batch.bank_full) await run.wait('Free place at the bank')
        else if (batch.due === 'put_off') await run.step(record.putOffBatch)
        else if (batch.due === 'give_up_day') await run.step(record.giveUpBatchDay)
        else await run.step(payBatchRows)
        break
      case 'cancelling':
        if (batch.rows_left) await run.step(skipBatchRows)
        else await end(batch.payments_under_way)
        break
      case 'completed': // ended, but a payment came back
      case 'partially_completed':
      case 'failed':
      case 'cancelled':
        await run.step(record.recountBatch)
        break
      default:
        batch satisfies never
    }
  }
  return run.status

  async function end(paymentsUnderWay: number): Promise<void> {
    if (paymentsUnderWay > 0) await run.wait('End of payments under way')
    else await run.step(record.endBatch)
  }
}

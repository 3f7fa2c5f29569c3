/** A payment batch: its file is imported, people decide about all of it, and its rows are paid page by page. */
import type { batchFlow } from '../domain/flows/payment-batch.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { heavy, partner, record } from './proxies.ts'

/** Answers the state that the batch ended in, or a draft to look through. */
export function paymentBatch(ref: ProcessRef) {
  const { payBatchRows, skipBatchRows } = partner()
  return drive<typeof batchFlow>(ref, record.lookAtBatch, {
    importing: heavy().importBatch,
    awaiting_approval: 'waits',
    processing: payBatchRows,
    cancelling: skipBatchRows,
  })
}

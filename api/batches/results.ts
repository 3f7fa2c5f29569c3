/** What became of a payment batch, as a file. */
import { Readable } from 'node:stream'
import { withResults } from '../../db/batches/results.ts'
import { queue } from '../../platform/concurrency.ts'
import { refuse } from '../../domain/errors.ts'
import { Download } from '../http/http.ts'
import { operations } from '../http/operation.ts'
import { guardBatch } from './submission.ts'

const { query } = operations('Payment batches')

/** So many files are in the memory of this process at a time, each of a person of its own. */
const FILES_MAX = 8
const RETRY_AFTER_SECONDS = 5
const inTurn = queue(FILES_MAX, RETRY_AFTER_SECONDS)
const readers = new Set<string>()

/**
 * Answers what ends it. Refuses `rate_limited` while another file goes to the same person, and `service_unavailable`
 * while too many go to others.
 */
function begin(userId: string): () => void {
  const over = { retry_after_seconds: RETRY_AFTER_SECONDS }
  if (readers.has(userId)) refuse('rate_limited', over)
  if (readers.size >= FILES_MAX) refuse('service_unavailable', over)
  readers.add(userId)
  return () => void readers.delete(userId)
}

export const batchResults = [
  query('/payment-batches/{batch_id}/results.csv', 'getPaymentBatchResults')
    .says(
      'Read all rows of a batch as CSV, as they were written, with what became of each',
      'All rows are of one instant, with the separator of the imported file. The file can be corrected and imported ' +
        'again. One file at a time is sent to a person.',
    )
    .of('payment_batch', 'batch_id')
    .can('transactions.list_own')
    .downloads('text/csv')
    .does(async (context) => {
      const { org, person, params } = context
      await guardBatch(context)
      const over = begin(person.userId)
      try {
        const pieces: Buffer[] = []
        await inTurn(() => withResults(org.organizationId, params.batch_id, (piece) => pieces.push(piece)))
        return new Download({
          filename: `results-${params.batch_id}.csv`,
          contentType: 'text/csv; charset=utf-8',
          byteSize: pieces.reduce((sum, { length }) => sum + length, 0),
          open: async () => Readable.from(pieces, { objectMode: false }),
          over,
        })
      } catch (error) {
        over()
        throw error
      }
    }),
]

/** What became of a payment batch, as a file. */
import * as v from 'valibot'
import { findBatch } from '../../db/batches/batches.ts'
import { resultsOf } from '../../db/batches/results.ts'
import { route } from '../http/route.ts'
import { ofBatch, ownBatchesOnly } from './submission.ts'

export const batchResults = [
  route({
    ...ofBatch,
    method: 'get',
    path: '/payment-batches/{batch_id}/results.csv',
    operationId: 'getPaymentBatchResults',
    summary: 'Read all rows of a batch as CSV, as they were written, with what became of each',
    can: 'transactions.list_own',
    returns: v.instance(Uint8Array),
    produces: 'text/csv',
    filename: ({ batch_id }) => `results-${batch_id}.csv`,
    handle: async (context) => {
      const { read, params } = context
      await findBatch(read, params.batch_id, ownBatchesOnly(context))
      return resultsOf(read, params.batch_id)
    },
  }),
]

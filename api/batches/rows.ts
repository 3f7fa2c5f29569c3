/** The rows of a payment batch: looked through, and corrected while it is a draft. */
import * as v from 'valibot'
import { changeRow, deleteRow } from '../../db/batches/changes.ts'
import { findRow, listRows } from '../../db/batches/rows.ts'
import { BatchRow, RowChange, RowFilters } from '../../domain/batches/batch.ts'
import { id } from '../../domain/ids.ts'
import { pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { within } from '../../db/sql.ts'
import { route } from '../http/route.ts'
import { guardBatch, ofBatch } from './submission.ts'

const ofRow = {
  ...ofBatch,
  path: '/payment-batches/{batch_id}/rows/{row_id}',
  can: 'payments.send_fiat',
  params: v.object({ ...ofBatch.params.entries, row_id: id<'payment_batch_row'>() }),
  refuses: [409],
} as const

export const batchRows = [
  route({
    ...ofBatch,
    method: 'get',
    path: '/payment-batches/{batch_id}/rows',
    operationId: 'listPaymentBatchRows',
    summary: 'List the rows of a batch in the order of its file, with what is wrong with each',
    can: 'payments.send_fiat',
    query: RowFilters,
    returns: pageOf(BatchRow),
    handle: async (context) => {
      const { read, params, query } = context
      await guardBatch(context)
      return listRows(read, params.batch_id, query)
    },
  }),
  route({
    ...ofRow,
    method: 'patch',
    operationId: 'updatePaymentBatchRow',
    summary: 'Correct cells of a row of a draft, by the names of their columns; it is judged anew',
    note: 'What is absent stays, null empties a cell.',
    body: RowChange,
    returns: BatchRow,
    handle: async (context) => {
      const { write, person, body } = context
      const { batch_id: batchId, row_id: rowId } = context.params
      await guardBatch(context)
      return write(async (tx) => {
        await changeRow(tx, person, { batchId, rowId }, body)
        return findRow(within(tx), { batchId, rowId })
      })
    },
  }),
  route({
    ...ofRow,
    method: 'delete',
    operationId: 'deletePaymentBatchRow',
    summary: 'Take a row out of a draft; the numbers of the others stay',
    returns: Deleted,
    handle: async (context) => {
      const { write, person } = context
      const { batch_id: batchId, row_id: rowId } = context.params
      await guardBatch(context)
      await write((tx) => deleteRow(tx, person, { batchId, rowId }))
      return { deleted: true as const, id: rowId }
    },
  }),
]

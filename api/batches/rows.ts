/** The rows of a payment batch: looked through, and corrected while it is a draft. */
import { changeRow, deleteRow } from '../../db/batches/changes.ts'
import { findRow, listRows } from '../../db/batches/rows.ts'
import { BatchRow, RowChange, RowFilters } from '../../domain/batches/batch.ts'
import { pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { within } from '../../db/sql.ts'
import { operations } from '../http/operation.ts'
import { guardBatch } from './submission.ts'

const { command, query } = operations('Payment batches')

export const batchRows = [
  query('/payment-batches/{batch_id}/rows', 'listPaymentBatchRows')
    .says('List the rows of a batch in the order of its file, with what is wrong with each')
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .filters(RowFilters)
    .answers(pageOf(BatchRow))
    .does(async (context) => {
      const { read, params, query } = context
      await guardBatch(context)
      return listRows(read, params.batch_id, query)
    }),
  command('patch', '/payment-batches/{batch_id}/rows/{row_id}', 'updatePaymentBatchRow')
    .says(
      'Correct cells of a row of a draft, by the names of their columns; it is judged anew',
      'What is absent stays, null empties a cell.',
    )
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .takes(RowChange)
    .refuses(409)
    .answers(BatchRow)
    .handles(async (context) => {
      const { write, person, body } = context
      const { batch_id: batchId, row_id: rowId } = context.params
      await guardBatch(context)
      return write(async (tx) => {
        await changeRow(tx, person, { batchId, rowId }, body)
        return findRow(within(tx), { batchId, rowId })
      })
    }),
  command('delete', '/payment-batches/{batch_id}/rows/{row_id}', 'deletePaymentBatchRow')
    .says('Take a row out of a draft; the numbers of the others stay')
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .refuses(409)
    .answers(Deleted)
    .handles(async (context) => {
      const { write, person } = context
      const { batch_id: batchId, row_id: rowId } = context.params
      await guardBatch(context)
      await write((tx) => deleteRow(tx, person, { batchId, rowId }))
      return { deleted: true as const, id: rowId }
    }),
]

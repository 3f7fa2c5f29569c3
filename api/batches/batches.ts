/** Payment batches: drafts are filled from a file, corrected and submitted; submitted ones are paid or cancelled. */
import { Readable } from 'node:stream'
import { askBeforeSubmission } from '../../partners/batch-payees.ts'
import { findBatch, listBatches, requireBatch } from '../../services/batches/batches.ts'
import {
  addRow,
  cancelBatch,
  changeRow,
  createBatch,
  deleteBatch,
  deleteRow,
  requestImport,
  requireDraft,
} from '../../services/batches/commands.ts'
import { findRow, listRows, withResults } from '../../services/batches/rows.ts'
import { judgeDraft, submitBatch } from '../../services/batches/submission.ts'
import { judgeBills } from '../../services/runs/judging.ts'
import { openSlot, slotOf } from '../../services/files/files.ts'
import { receiveUpload } from '../../services/files/uploads.ts'
import {
  Batch,
  BatchFilters,
  BatchRow,
  NewBatch,
  NewBatchDocument,
  NewBatchFile,
  NewImport,
  NewRow,
  RowChange,
  RowFilters,
  Submission,
  WORKBOOK_TYPE,
} from '../../domain/batches/batch.ts'
import { TEMPLATE } from '../../domain/batches/columns.ts'
import { UploadSlot } from '../../domain/files/file.ts'
import type { BatchId } from '../../domain/ids.ts'
import { pageOf } from '../../domain/pagination.ts'
import { readDay } from '../../domain/payments/schedule.ts'
import { Download } from '../http/http.ts'
import { searchOf } from '../http/context.ts'
import { imports, uploadSlots } from '../http/limits.ts'
import { bytes, download, operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { reviewerOf } from '../ledger/transactions.ts'
import { inTurn, takePlace } from './places.ts'

const { command, query } = operations('Payment batches')

type OnBatch = Context<'read' | 'person' | 'org', { readonly params: { readonly batch_id: BatchId } }>

/** Throws `not_found` unless the caller sees the batch, or may change it. */
const requireVisible = (context: OnBatch, as: 'reader' | 'changer' = 'reader'): Promise<void> =>
  requireBatch(context.read, context.params.batch_id, reviewerOf(context, as))

const MAKING_BATCHES = '/organizations/{organization_id}/payment-batches'

export const batches = [
  command('post', MAKING_BATCHES, 'createPaymentBatch')
    .says('Create a payment batch', 'A draft without rows, into which a file is imported.')
    .of('organization')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(NewBatch)
    .refuses('external_id_taken')
    .creates(Batch, ({ read, claim }) => findBatch(read, claim.id))
    .does(({ tx, person, claim, body }) => createBatch(tx, person, claim.id, body)),
  query('/organizations/{organization_id}/payment-batches', 'listPaymentBatches')
    .says('List payment batches, newest first')
    .of('organization')
    .delegates('read')
    .can('payments.send_fiat')
    .filters(BatchFilters)
    .answers(pageOf(Batch))
    .does((context) => listBatches(context.read, searchOf(context, MAKING_BATCHES), reviewerOf(context))),
  query('/payment-batches/template.csv', 'getPaymentBatchTemplate')
    .says('Download an empty file with all columns of a batch')
    .delegates('read')
    .cached(true)
    .answers(bytes('text/csv'))
    .does(async () => Buffer.from(TEMPLATE)),
  query('/payment-batches/{batch_id}', 'getPaymentBatch')
    .says('Read a payment batch', 'With its progress and the totals of its rows.')
    .of('payment_batch', 'batch_id')
    .delegates('read')
    .can('payments.send_fiat')
    .answers(Batch)
    .does((context) => findBatch(context.read, context.params.batch_id, reviewerOf(context))),
  command('delete', '/payment-batches/{batch_id}', 'deletePaymentBatch')
    .says('Delete the draft of a batch with its rows', 'A submitted batch is cancelled instead.')
    .of('payment_batch', 'batch_id')
    .stops()
    .can('payments.send_fiat')
    .refuses('batch_not_draft')
    .deletes()
    .does(async (context) => {
      await requireVisible(context, 'changer')
      await deleteBatch(context.tx, context.params.batch_id)
    }),
  command('post', '/payment-batches/{batch_id}/upload', 'createPaymentBatchUpload')
    .says('Request an upload address for the CSV file of a batch', 'PUT the file there, then import it.')
    .of('payment_batch', 'batch_id')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(NewBatchFile)
    .limited(uploadSlots)
    .refuses('batch_not_draft')
    .creates(UploadSlot, ({ read, claim }) => slotOf(read, claim.id))
    .does(async (context) => {
      const { tx, params, claim, body } = context
      await requireVisible(context, 'changer')
      await requireDraft(tx, params.batch_id)
      const { filename, byte_size: byteSize, content_type: contentType } = body
      const file = { purpose: 'payment_batch', ownerId: params.batch_id, filename, byteSize, contentType } as const
      await openSlot(tx, { ...file, id: claim.id })
    }),
  command('post', '/payment-batches/{batch_id}/documents/upload', 'createPaymentBatchDocumentUpload')
    .says(
      'Request an upload address for the workbook of a batch',
      'As for a CSV file: PUT the workbook (.xlsx) there, then import it. Its first visible sheet is read, by the ' +
        'rules of a CSV file.',
    )
    .of('payment_batch', 'batch_id')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(NewBatchDocument)
    .limited(uploadSlots)
    .refuses('batch_not_draft')
    .creates(UploadSlot, ({ read, claim }) => slotOf(read, claim.id))
    .does(async (context) => {
      const { tx, params, claim, body } = context
      await requireVisible(context, 'changer')
      await requireDraft(tx, params.batch_id)
      const { filename, byte_size: byteSize } = body
      const file = { purpose: 'payment_batch', ownerId: params.batch_id, filename, byteSize } as const
      await openSlot(tx, { ...file, contentType: WORKBOOK_TYPE, id: claim.id })
    }),
  command('post', '/payment-batches/{batch_id}/import', 'importPaymentBatchFile')
    .says(
      'Import an uploaded file into a draft',
      'Its rows replace the present ones. It is `importing` until each has its verdict, or `import_error` says why not.',
    )
    .of('payment_batch', 'batch_id')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(NewImport)
    .limited(imports)
    .refuses('batch_not_draft', 'file_not_uploaded', 'upload_size_mismatch')
    .answers(Batch, 202)
    .prepares(async (context) => {
      const { org, params, body } = context
      await requireVisible(context, 'changer')
      const file = { fileId: body.file_id, purpose: 'payment_batch', ownerId: params.batch_id } as const
      await receiveUpload(org.organizationId, file)
      return { file }
    })
    .does(async ({ tx, read, params, file }) => {
      await requestImport(tx, params.batch_id, file)
      return findBatch(read, params.batch_id)
    }),
  query('/payment-batches/{batch_id}/rows', 'listPaymentBatchRows')
    .says('List the rows of a batch in the order of its file', 'With their errors and warnings.')
    .of('payment_batch', 'batch_id')
    .delegates('read')
    .can('payments.send_fiat')
    .filters(RowFilters)
    .answers(pageOf(BatchRow))
    .does(async (context) => {
      await requireVisible(context)
      return listRows(context.read, context.params.batch_id, context.query)
    }),
  command('post', '/payment-batches/{batch_id}/rows', 'createPaymentBatchRow')
    .says('Add a row to a draft', 'By the names of the columns. It is validated as the row of a file is.')
    .of('payment_batch', 'batch_id')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(NewRow)
    .refuses('batch_not_draft', 'unprocessable_entity')
    .creates(BatchRow, ({ read, params, claim }) => findRow(read, { batchId: params.batch_id, rowId: claim.id }))
    .does(async (context) => {
      const { tx, params, claim, body } = context
      await requireVisible(context, 'changer')
      await addRow(tx, { batchId: params.batch_id, rowId: claim.id }, body)
    }),
  command('patch', '/payment-batches/{batch_id}/rows/{row_id}', 'updatePaymentBatchRow')
    .says(
      'Correct cells of a row of a draft',
      'By the names of their columns. The row is validated again. What is absent stays, null empties a cell.',
    )
    .of('payment_batch', 'batch_id')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(RowChange)
    .refuses('batch_not_draft', 'unprocessable_entity')
    .answers(BatchRow)
    .does(async (context) => {
      const { batch_id: batchId, row_id: rowId } = context.params
      await requireVisible(context, 'changer')
      await changeRow(context.tx, { batchId, rowId }, context.body)
      return findRow(context.read, { batchId, rowId })
    }),
  command('delete', '/payment-batches/{batch_id}/rows/{row_id}', 'deletePaymentBatchRow')
    .says('Take a row out of a draft; the numbers of the others stay')
    .of('payment_batch', 'batch_id')
    .delegates('prepare')
    .can('payments.send_fiat')
    .refuses('batch_not_draft')
    .deletes()
    .does(async (context) => {
      const { batch_id: batchId, row_id: rowId } = context.params
      await requireVisible(context, 'changer')
      await deleteRow(context.tx, { batchId, rowId })
    }),
  command('post', '/payment-batches/{batch_id}/submit', 'submitPaymentBatch')
    .says('Submit a batch for approval', '`exclude_invalid` leaves out its invalid rows.')
    .of('payment_batch', 'batch_id')
    .delegates('prepare')
    .can('payments.send_fiat')
    .movesMoney()
    .takes(Submission)
    .refuses(
      'no_eligible_approver',
      'limit_exceeded',
      'batch_not_draft',
      'batch_empty',
      'batch_has_invalid_rows',
      'invalid_schedule',
      'coding_required',
      'account_cooling_off',
      'payee_mismatch',
      'ledger_unbalanced',
    )
    .answers(Batch)
    .prepares(async (context) => {
      await requireVisible(context, 'changer')
      await askBeforeSubmission(context.org.organizationId, context.params.batch_id)
      return {}
    })
    .does(async (context) => {
      const { tx, read, person, params, body } = context
      await judgeDraft(tx, params.batch_id)
      const bills = await judgeBills(tx, person, params.batch_id)
      const terms = { ...body, on: readDay(body) ?? bills.on, bills }
      const refusal = await submitBatch(tx, person, params.batch_id, terms)
      return refusal ?? findBatch(read, params.batch_id)
    }),
  command('post', '/payment-batches/{batch_id}/cancel', 'cancelPaymentBatch')
    .says('Cancel a submitted batch', 'Rows that have not begun are skipped, those under way continue.')
    .of('payment_batch', 'batch_id')
    .stops()
    .can('payments.send_fiat')
    .refuses('invalid_state')
    .answers(Batch)
    .does(async (context) => {
      const { tx, read, person, params } = context
      await requireVisible(context, 'changer')
      await cancelBatch(tx, person, params.batch_id)
      return findBatch(read, params.batch_id)
    }),
  query('/payment-batches/{batch_id}/results.csv', 'getPaymentBatchResults')
    .says(
      'Download the results of a batch as CSV',
      'All rows as they were written, each with its outcome. All rows are of one instant, with the separator of ' +
        'the imported file. The file can be corrected and imported ' +
        'again. One file at a time is sent to a person.',
    )
    .of('payment_batch', 'batch_id')
    .delegates('read')
    .can('transactions.list_own')
    .answers(download('text/csv'))
    .does(async (context) => {
      const { org, person, params } = context
      await requireVisible(context)
      const over = takePlace(person.userId)
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

/** Payment batches while they are drafts: made, filled from a file, deleted. */
import { findBatch, listBatches } from '../../db/batches/batches.ts'
import { createBatch, deleteBatch, lockDraft } from '../../db/batches/changes.ts'
import { requestImport } from '../../db/batches/import.ts'
import { openSlot, slotOf } from '../../db/files/files.ts'
import { receiveUpload } from '../../db/files/uploads.ts'
import { takeClaim } from '../../db/idempotency.ts'
import { Batch, BatchFilters, NewBatch, NewBatchFile, NewImport } from '../../domain/batches/batch.ts'
import { TEMPLATE } from '../../domain/batches/columns.ts'
import { UploadSlot } from '../../domain/files/file.ts'
import { pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { within } from '../../db/sql.ts'
import { imports, uploadSlots } from '../http/limits.ts'
import { operations } from '../http/operation.ts'
import { guardBatch, ownBatchesOnly } from './submission.ts'

const { command, query } = operations('Payment batches')

export const batches = [
  command('post', '/organizations/{organization_id}/payment-batches', 'createPaymentBatch')
    .says('Make a payment batch: a draft without rows, into which a file is imported')
    .of('organization')
    .can('payments.send_fiat')
    .takes(NewBatch)
    .creates(Batch, ({ read, claim }) => findBatch(read, claim.id))
    .makes(({ write, person, claim, body }) => write((tx) => createBatch(tx, person, claim, body))),
  query('/organizations/{organization_id}/payment-batches', 'listPaymentBatches')
    .says('List payment batches, newest first')
    .of('organization')
    .can('payments.send_fiat')
    .filters(BatchFilters)
    .answers(pageOf(Batch))
    .does((context) => listBatches(context.read, context.query, ownBatchesOnly(context))),
  query('/payment-batches/template.csv', 'getPaymentBatchTemplate')
    .says('Fetch a file with every column that a batch may have, and no rows')
    .cached(true)
    .bytes('text/csv')
    .does(async () => Buffer.from(TEMPLATE)),
  query('/payment-batches/{batch_id}', 'getPaymentBatch')
    .says('Read a payment batch: how far it is, and what its rows come to')
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .answers(Batch)
    .does((context) => findBatch(context.read, context.params.batch_id, ownBatchesOnly(context))),
  command('delete', '/payment-batches/{batch_id}', 'deletePaymentBatch')
    .says('Delete a draft with its rows; a submitted batch is cancelled instead')
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .refuses(409)
    .answers(Deleted)
    .handles(async (context) => {
      const { write, person, params } = context
      await guardBatch(context)
      await write((tx) => deleteBatch(tx, person, params.batch_id))
      return { deleted: true as const, id: params.batch_id }
    }),
  command('post', '/payment-batches/{batch_id}/upload', 'createPaymentBatchUpload')
    .says('Ask for a slot for the CSV file of a draft: PUT it there, then import it')
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .takes(NewBatchFile)
    .limited(uploadSlots)
    .refuses(409)
    .creates(UploadSlot, ({ read, claim }) => slotOf(read, claim.id))
    .makes(async (context) => {
      const { write, params, claim, body } = context
      await guardBatch(context)
      return write(async (tx) => {
        if (claim.keyed && !(await takeClaim(tx, claim))) return false
        await lockDraft(tx, params.batch_id)
        const { filename, byte_size: byteSize, content_type: contentType } = body
        const slot = { purpose: 'payment_batch', ownerId: params.batch_id, filename, byteSize, contentType } as const
        await openSlot(tx, { ...slot, id: claim.id })
        return true
      })
    }),
  command('post', '/payment-batches/{batch_id}/import', 'importPaymentBatchFile')
    .says(
      'Import a file that was sent for this draft: its rows take the place of those that are there',
      'The batch is `importing` until every row has its verdict, or `import_error` says why the file cannot be read.',
    )
    .of('payment_batch', 'batch_id')
    .can('payments.send_fiat')
    .takes(NewImport)
    .limited(imports)
    .refuses(409, 415)
    .answers(Batch, 202)
    .handles(async (context) => {
      const { write, org, person, params, body } = context
      await guardBatch(context)
      const file = { fileId: body.file_id, purpose: 'payment_batch', ownerId: params.batch_id } as const
      await receiveUpload(org.organizationId, file)
      return write(async (tx) => {
        await requestImport(tx, person, params.batch_id, body.file_id)
        return findBatch(within(tx), params.batch_id)
      })
    }),
]

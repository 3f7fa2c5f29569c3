/** Payment batches while they are drafts: made, filled from a file, deleted. */
import * as v from 'valibot'
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
import { inPath } from '../http/in-path.ts'
import { imports, uploadSlots } from '../http/limits.ts'
import { route } from '../http/route.ts'
import { guardBatch, ofBatch, ownBatchesOnly } from './submission.ts'

const ofOrganization = {
  path: '/organizations/{organization_id}/payment-batches',
  tag: 'Payment batches',
  can: 'payments.send_fiat',
  ...inPath('organization'),
} as const

export const batches = [
  route({
    ...ofOrganization,
    method: 'post',
    operationId: 'createPaymentBatch',
    summary: 'Make a payment batch: a draft without rows, into which a file is imported',
    body: NewBatch,
    returns: Batch,
    status: 201,
    create: ({ write, person, claim, body }) => write((tx) => createBatch(tx, person, claim, body)),
    replay: ({ read, claim }) => findBatch(read, claim.id),
  }),
  route({
    ...ofOrganization,
    method: 'get',
    operationId: 'listPaymentBatches',
    summary: 'List payment batches, newest first',
    query: BatchFilters,
    returns: pageOf(Batch),
    handle: (context) => listBatches(context.read, context.query, ownBatchesOnly(context)),
  }),
  route({
    method: 'get',
    path: '/payment-batches/template.csv',
    operationId: 'getPaymentBatchTemplate',
    summary: 'Fetch a file with every column that a batch may have, and no rows',
    tag: 'Payment batches',
    cacheable: true,
    produces: 'text/csv',
    returns: v.instance(Uint8Array),
    handle: async () => Buffer.from(TEMPLATE),
  }),
  route({
    ...ofBatch,
    method: 'get',
    path: '/payment-batches/{batch_id}',
    operationId: 'getPaymentBatch',
    summary: 'Read a payment batch: how far it is, and what its rows come to',
    can: 'payments.send_fiat',
    returns: Batch,
    handle: (context) => findBatch(context.read, context.params.batch_id, ownBatchesOnly(context)),
  }),
  route({
    ...ofBatch,
    method: 'delete',
    path: '/payment-batches/{batch_id}',
    operationId: 'deletePaymentBatch',
    summary: 'Delete a draft with its rows; a submitted batch is cancelled instead',
    can: 'payments.send_fiat',
    refuses: [409],
    returns: Deleted,
    handle: async (context) => {
      const { write, person, params } = context
      await guardBatch(context)
      await write((tx) => deleteBatch(tx, person, params.batch_id))
      return { deleted: true as const, id: params.batch_id }
    },
  }),
  route({
    ...ofBatch,
    method: 'post',
    path: '/payment-batches/{batch_id}/upload',
    operationId: 'createPaymentBatchUpload',
    summary: 'Ask for a slot for the CSV file of a draft: PUT it there, then import it',
    can: 'payments.send_fiat',
    limits: [uploadSlots],
    refuses: [409],
    body: NewBatchFile,
    returns: UploadSlot,
    status: 201,
    create: async (context) => {
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
    },
    replay: ({ read, claim }) => slotOf(read, claim.id),
  }),
  route({
    ...ofBatch,
    method: 'post',
    path: '/payment-batches/{batch_id}/import',
    operationId: 'importPaymentBatchFile',
    summary: 'Import a file that was sent for this draft: its rows take the place of those that are there',
    note: 'The batch is `importing` until every row has its verdict, or `import_error` says why the file cannot be read.',
    can: 'payments.send_fiat',
    limits: [imports],
    refuses: [409, 415],
    body: NewImport,
    returns: Batch,
    status: 202,
    handle: async (context) => {
      const { write, org, person, params, body } = context
      await guardBatch(context)
      const file = { fileId: body.file_id, purpose: 'payment_batch', ownerId: params.batch_id } as const
      await receiveUpload(org.organizationId, file)
      return write(async (tx) => {
        await requestImport(tx, person, params.batch_id, body.file_id)
        return findBatch(within(tx), params.batch_id)
      })
    },
  }),
]

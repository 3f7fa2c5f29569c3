/** A payment batch and its rows: requests and answers. */
import * as v from 'valibot'
import { BATCH_STATUSES } from './flow.ts'
import { newUpload } from '../files/file.ts'
import { id } from '../ids.ts'
import { PageQuery } from '../pagination.ts'
import { PayeeCheck } from '../payee-checks/payee-check.ts'
import { model, AnswerMoney, integer, line, nullableText, text, timestamp, uuid } from '../text.ts'
import { Schedule, ScheduleEntries } from '../payments/schedule.ts'
import { CELL_MAX, COLUMNS, type Column } from './columns.ts'

/** Status of a row; that of its payment once it has one. */
export const ROW_STATUSES = ['valid', 'invalid', 'processing', 'succeeded', 'failed', 'skipped'] as const
export type RowStatus = (typeof ROW_STATUSES)[number]

/** Body of POST …/payment-batches. */
export const NewBatch = model('NewPaymentBatch', { name: line(1, 255) })

export type NewBatch = v.InferOutput<typeof NewBatch>

/** Body of POST /payment-batches/{batch_id}/submit. */
export const Submission = model('PaymentBatchSubmission', {
  exclude_invalid: v.optional(v.boolean(), false),
  acknowledge_payee_check: v.optional(v.boolean(), false),
  ...ScheduleEntries,
})

export type Submission = v.InferOutput<typeof Submission>

/** Filters of GET …/payment-batches. */
export const BatchFilters = v.object({ ...PageQuery, status: v.optional(v.picklist(BATCH_STATUSES)) })
export type BatchFilters = v.InferOutput<typeof BatchFilters>

/** Filters of GET …/payment-batches/{batch_id}/rows. */
export const RowFilters = v.object({ ...PageQuery, status: v.optional(v.picklist(ROW_STATUSES)) })
export type RowFilters = v.InferOutput<typeof RowFilters>

/** Body of POST …/import: a file that was sent to a slot of this batch. */
export const NewImport = model('NewPaymentBatchImport', { file_id: id<'file'>() })

const FILE_BYTES_MAX = 5 * 1024 * 1024
/** Body of POST …/upload. */
export const NewBatchFile = newUpload(
  'NewPaymentBatchFile',
  ['text/csv', 'application/csv', 'application/vnd.ms-excel', 'text/plain'],
  FILE_BYTES_MAX,
)

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** Body of POST …/documents/upload: a file of another format than CSV. */
export const NewBatchDocument = model('NewPaymentBatchDocument', {
  format: v.picklist(['xlsx']),
  filename: NewBatchFile.entries.filename,
  byte_size: NewBatchFile.entries.byte_size,
})

const cell = v.optional(v.nullable(line(0, CELL_MAX)))
/** Body of PATCH …/rows/{row_id}: cells by column, judged as in a file. What is absent stays, null empties. */
export const RowChange = model('PaymentBatchRowChange', {
  // every column is a key
  ...(Object.fromEntries(COLUMNS.map((column) => [column, cell])) as Record<Column, typeof cell>),
  internal_notes: v.optional(v.nullable(text(0, CELL_MAX))),
})
export type RowChange = v.InferOutput<typeof RowChange>

/** Body of POST …/rows: cells by column, judged as in a file. */
export const NewRow = model('NewPaymentBatchRow', RowChange.entries)

/** A batch as every operation answers it. */
export const Batch = model('PaymentBatch', {
  id: uuid,
  organization_id: uuid,
  name: v.string(),
  status: v.picklist(BATCH_STATUSES),
  approval_request_id: v.nullable(uuid),
  file_id: v.nullable(uuid),
  rows_total: integer,
  rows_valid: integer,
  rows_invalid: integer,
  rows_succeeded: integer,
  rows_failed: integer,
  rows_skipped: integer,
  rows_processed: integer,
  rows_empty: integer,
  columns_empty: integer,
  import_error: v.nullable(
    model('PaymentBatchImportError', { line: v.nullable(integer), code: v.string(), message: v.string() }),
  ),
  totals: v.array(AnswerMoney),
  fees: v.array(AnswerMoney),
  created_by: uuid,
  inserted_at: timestamp,
  submitted_at: v.nullable(timestamp),
  schedule: v.nullable(Schedule),
})
export type Batch = v.InferOutput<typeof Batch>

/** An error or a warning of a row. */
export const RowRemark = model('PaymentBatchRowRemark', { column: nullableText, code: v.string(), message: v.string() })

/** A row of a batch as every operation answers it. */
export const BatchRow = model('PaymentBatchRow', {
  id: uuid,
  row_number: integer,
  line: integer,
  status: v.picklist(ROW_STATUSES),
  errors: v.array(RowRemark),
  warnings: v.array(RowRemark),
  payment_id: v.nullable(uuid),
  amount: v.nullable(AnswerMoney),
  payee: nullableText,
  known_holder: nullableText,
  payee_check: v.nullable(PayeeCheck),
  cells: v.record(v.string(), v.string()),
})
export type BatchRow = v.InferOutput<typeof BatchRow>

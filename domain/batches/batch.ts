/** A payment batch and its rows: requests and answers. */
import * as v from 'valibot'
import { BATCH_STATUSES } from './flow.ts'
import { ExternalEntries, ExternalFilters, NewExternalEntries } from '../external.ts'
import { newUpload } from '../files/file.ts'
import { id } from '../ids.ts'
import { PageQuery, day, flag } from '../pagination.ts'
import { PayeeCheck } from '../payee-checks/payee-check.ts'
import { model, AnswerMoney, integer, line, nullableText, text, timestamp, uuid, describe } from '../text.ts'
import { Schedule, ScheduleEntries } from '../payments/schedule.ts'
import { CELL_MAX, COLUMNS, type Column } from './columns.ts'

/** Status of a row; that of its payment once it has one. */
export const ROW_STATUSES = ['valid', 'invalid', 'processing', 'succeeded', 'failed', 'skipped'] as const
export type RowStatus = (typeof ROW_STATUSES)[number]

/** Body of POST …/payment-batches. */
export const NewBatch = model('NewPaymentBatch', { name: line(1, 255), ...NewExternalEntries })

export type NewBatch = v.InferOutput<typeof NewBatch>

/** Body of POST /payment-batches/{batch_id}/submit. */
export const Submission = model('PaymentBatchSubmission', {
  exclude_invalid: describe(v.optional(v.boolean(), false), 'True to submit the valid rows and leave out the others.'),
  acknowledge_payee_check: v.optional(v.boolean(), false),
  ...ScheduleEntries,
})

export type Submission = v.InferOutput<typeof Submission>

/** Filters of GET …/payment-batches. */
export const BatchFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(BATCH_STATUSES)),
  ...ExternalFilters,
})
export type BatchFilters = v.InferOutput<typeof BatchFilters>

/** Filters of GET …/payment-batches/{batch_id}/rows. */
export const RowFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(ROW_STATUSES)),
  order: v.optional(
    v.pipe(
      v.picklist(['file', 'amount']),
      v.description('`file`: as they stand in the file. `amount`: the largest first, compared as numbers.'),
    ),
  ),
  q: v.optional(v.pipe(text(1, 255), v.description('Words of the name of the payee, with or without accents.'))),
  remarked: v.optional(flag),
})
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
  file_id: describe(v.nullable(uuid), 'Id of the file that was imported last.'),
  rows_total: describe(integer, 'Number of rows.'),
  rows_valid: describe(integer, 'Number of rows without errors.'),
  rows_invalid: describe(integer, 'Number of rows with errors.'),
  rows_succeeded: describe(integer, 'Number of rows that were paid.'),
  rows_failed: describe(integer, 'Number of rows whose payment failed.'),
  rows_skipped: describe(integer, 'Number of rows that were left out.'),
  rows_processed: describe(integer, 'Progress: rows of the import, then payments.'),
  rows_empty: describe(integer, 'Number of rows of the file that carry no data, and were passed over.'),
  columns_empty: describe(integer, 'Number of columns of the file without a name and data, which were passed over.'),
  import_error: describe(
    v.nullable(
      model('PaymentBatchImportError', {
        line: v.nullable(integer),
        code: describe(v.string(), 'Code of the fault.'),
        message: v.string(),
      }),
    ),
    'Reason why the file could not be read.',
  ),
  totals: v.array(AnswerMoney),
  fees: v.array(AnswerMoney),
  created_by: uuid,
  inserted_at: timestamp,
  submitted_at: describe(v.nullable(timestamp), 'Instant of the submission.'),
  execute_on: describe(
    v.nullable(day),
    'Day on which its bills are to be paid, unless the submission names another one; null for at once.',
  ),
  schedule: v.nullable(Schedule),
  ...ExternalEntries,
})
export type Batch = v.InferOutput<typeof Batch>

/** An error or a warning of a row. */
export const RowRemark = model('PaymentBatchRowRemark', {
  column: describe(nullableText, 'Column of the file; null for the whole row.'),
  code: describe(v.string(), 'Code of the remark.'),
  message: v.string(),
})

/** A row of a batch as every operation answers it. */
export const BatchRow = model('PaymentBatchRow', {
  id: uuid,
  row_number: integer,
  line: integer,
  status: v.picklist(ROW_STATUSES),
  errors: describe(v.array(RowRemark), 'Faults of the row.'),
  warnings: describe(v.array(RowRemark), 'Remarks that do not hinder the row.'),
  payment_id: v.nullable(uuid),
  amount: describe(v.nullable(AnswerMoney), 'Amount that arrives; null if the row does not say it.'),
  payee: nullableText,
  bill_id: describe(v.nullable(uuid), 'Id of the bill that the row pays; null for another row.'),
  credits: describe(
    v.array(
      model('PaymentBatchRowCredit', {
        bill_id: describe(uuid, 'Id of the credit note.'),
        amount: describe(AnswerMoney, 'Amount by which the row pays less than its bill.'),
      }),
    ),
    'Credit notes that are set against the bill.',
  ),
  known_holder: nullableText,
  payee_check: v.nullable(PayeeCheck),
  cells: describe(
    v.record(v.string(), v.string()),
    'Cells as written, by column; IBAN and account number are masked if nothing is wrong with them.',
  ),
})
export type BatchRow = v.InferOutput<typeof BatchRow>

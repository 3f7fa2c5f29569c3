/** A payment batch and its rows: what is asked for, and what is answered. */
import * as v from 'valibot'
import { BATCH_STATUSES } from '../flows/payment-batch.ts'
import { PageQuery } from '../pagination.ts'
import { AnswerMoney, integer, line, nullableText, timestamp, uuid } from '../text.ts'

/** What becomes of a row: of one that has a payment, what becomes of that. */
export const ROW_STATUSES = ['valid', 'invalid', 'processing', 'succeeded', 'failed', 'skipped'] as const

/** Body of POST …/payment-batches. */
export const NewBatch = v.object({ name: line(1, 255) })

/** Body of POST /payment-batches/{batch_id}/submit. */
export const Submission = v.object({ exclude_invalid: v.optional(v.boolean(), false) })

/** Filters of GET …/payment-batches. */
export const BatchFilters = v.object({ ...PageQuery, status: v.optional(v.picklist(BATCH_STATUSES)) })

/** Filters of GET …/payment-batches/{batch_id}/rows. */
export const RowFilters = v.object({ ...PageQuery, status: v.optional(v.picklist(ROW_STATUSES)) })

/** A batch as every operation answers it. */
export const Batch = v.object({
  id: uuid,
  organization_id: uuid,
  name: v.string(),
  status: v.picklist(BATCH_STATUSES),
  approval_request_id: v.nullable(uuid),
  /** Of what was imported last. */
  file_id: v.nullable(uuid),
  rows_total: integer,
  rows_valid: integer,
  rows_invalid: integer,
  rows_succeeded: integer,
  rows_failed: integer,
  rows_skipped: integer,
  /** Of an import, and then of the payments, so many are dealt with. */
  rows_processed: integer,
  /** Why the file could not be read. */
  import_error: v.nullable(v.object({ line: v.nullable(integer), code: v.string(), message: v.string() })),
  /** Of the valid rows, one for each currency, without fees. */
  totals: v.array(AnswerMoney),
  /** On top of the totals, as priced when the batch was submitted; empty before. */
  fees: v.array(AnswerMoney),
  created_by: uuid,
  inserted_at: timestamp,
  submitted_at: v.nullable(timestamp),
})
export type Batch = v.InferOutput<typeof Batch>

/** What is wrong with a row, or deserves a look. */
export const RowRemark = v.object({ column: nullableText, code: v.string(), message: v.string() })

/** A row of a batch as every operation answers it. */
export const BatchRow = v.object({
  id: uuid,
  row_number: integer,
  /** Of the file, on which the row begins. */
  line: integer,
  status: v.picklist(ROW_STATUSES),
  errors: v.array(RowRemark),
  warnings: v.array(RowRemark),
  payment_id: v.nullable(uuid),
  amount: v.nullable(AnswerMoney),
  payee: nullableText,
})

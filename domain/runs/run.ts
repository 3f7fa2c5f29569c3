/** Bills that are added to a batch: request and answer. */
import * as v from 'valibot'
import { Batch } from '../batches/batch.ts'
import { id } from '../ids.ts'
import { day } from '../pagination.ts'
import { AnswerMoney, describe, integer, model, uuid } from '../text.ts'

/** Bills that a batch pays at most. */
export const BILLS_MAX = 500

/** Body of POST …/payment-batches/{batch_id}/bills. */
export const NewBatchBills = model('NewPaymentBatchBills', {
  bill_ids: describe(
    v.pipe(v.array(id<'bill'>()), v.minLength(1), v.maxLength(BILLS_MAX)),
    'Ids of bills to pay, and of credit notes of their suppliers, which are set against them.',
  ),
  on: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.check((text) => text === 'due_date' || v.is(day, text), 'no_such_time'),
      ),
    ),
    v.description('Execution day of the batch, or `due_date`: that of all its bills. Absent: as it is.'),
  ),
})
export type NewBatchBills = v.InferOutput<typeof NewBatchBills>

/** Answer of POST …/payment-batches/{batch_id}/bills: each bill is in one of both lists. */
export const BatchBills = model('PaymentBatchBills', {
  batch: describe(Batch, 'Batch with its rows of now.'),
  added: describe(
    v.array(
      model('PaymentBatchBill', {
        bill_id: uuid,
        index: describe(integer, 'Place in the request, from 0.'),
        row_number: describe(integer, 'Row that pays it, or that it is set against.'),
        amount: describe(AnswerMoney, 'Payment of its row; of a credit note, the part by which that is less.'),
      }),
    ),
    'Bills and credit notes that are in the batch now.',
  ),
  refused: describe(
    v.array(
      model('RefusedPaymentBatchBill', {
        bill_id: uuid,
        index: describe(integer, 'Place in the request, from 0.'),
        type: describe(v.string(), 'Type of the error that its own payment would have, or would be asked to settle.'),
        message: v.string(),
        details: describe(
          v.record(v.string(), v.unknown()),
          'Details of the error, as its own payment would have them.',
        ),
      }),
    ),
    'Bills that cannot be paid in a batch now; the batch is as if they had not been named.',
  ),
})
export type BatchBills = v.InferOutput<typeof BatchBills>

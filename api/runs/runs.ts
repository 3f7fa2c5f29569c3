/** Runs: bills that are added to a batch, which is approved and paid as a whole. */
import { findBatch, requireBatch } from '../../services/batches/batches.ts'
import { addBills } from '../../services/runs/adding.ts'
import { BatchBills, NewBatchBills } from '../../domain/runs/run.ts'
import { operations } from '../http/operation.ts'
import { reviewerOf } from '../ledger/transactions.ts'

const { command } = operations('Payment batches')

export const runs = [
  command('post', '/payment-batches/{batch_id}/bills', 'addPaymentBatchBills')
    .says(
      'Add bills to a draft, a row each',
      'Every check of the payment of one bill holds for its row. A bill that its own payment would refuse is answered ' +
        'with that refusal, and stays out; the others are added. A bill in a batch is not paid by itself: take out its ' +
        'row first. Credit notes are set against bills of the same supplier and currency that are named with them.',
    )
    .of('payment_batch', 'batch_id')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(NewBatchBills)
    .refuses('batch_not_draft', 'unprocessable_entity')
    .answers(BatchBills)
    .does(async (context) => {
      const { tx, read, person, params, body } = context
      await requireBatch(read, params.batch_id, reviewerOf(context, 'changer'))
      const outcome = await addBills(tx, person, params.batch_id, body)
      return { batch: await findBatch(read, params.batch_id), ...outcome }
    }),
]

/** The approval of a payment batch. */
import * as v from 'valibot'
import type { Action } from '../approval-action.ts'
import { BatchAccountChange } from './account-change.ts'
import { batchFlow } from './flow.ts'
import { day } from '../pagination.ts'
import { PayeeCheckTotal } from '../payee-checks/payee-check.ts'
import { model, AnswerMoney, integer, timestamp, uuid, describe } from '../text.ts'

/** All rows can be read at the batch; `sha256` is over each of them, as it will be paid. */
const PaymentBatch = model('PaymentBatchTarget', {
  type: v.literal('payment_batch'),
  payment_batch: describe(
    model('PaymentBatchView', {
      id: uuid,
      name: v.string(),
      rows: describe(integer, 'Number of rows that will be paid.'),
      totals: v.array(AnswerMoney),
      fees: v.array(AnswerMoney),
      largest: describe(
        v.array(model('PaymentBatchLargestRow', { row_number: integer, payee: v.string(), amount: AnswerMoney })),
        'Ten largest rows, compared as numbers.',
      ),
      created_at: timestamp,
      file_id: v.nullable(uuid),
      without_address: describe(integer, 'Number of payments to banks without an address of the payee.'),
      holders_differ: describe(
        integer,
        'Number of rows that name another holder than the one under which a contact has the account.',
      ),
      bills: describe(integer, 'Number of rows that pay bills.'),
      credits: describe(v.array(AnswerMoney), 'Sums of the credit notes that are set against bills, by currency.'),
      sha256: v.string(),
      execute_on: v.optional(day),
      account_change: v.nullable(BatchAccountChange),
      payee_checks: describe(
        v.array(PayeeCheckTotal),
        'Rows by bank, by what the bank says about the names of their accounts.',
      ),
    }),
    'Payment batch.',
  ),
})

export const paymentBatch = {
  type: 'payment_batch',
  title: 'Approve a payment batch',
  permissions: ['payments.send_fiat'],
  hasAmount: true,
  paysOut: true,
  waitsByDefault: true,
  targets: ['payment_batch'],
  flow: batchFlow,
  subjects: [PaymentBatch],
} as const satisfies Action

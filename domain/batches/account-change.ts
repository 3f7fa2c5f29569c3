/** Changed accounts of the payees of a batch, for its approvers. */
import * as v from 'valibot'
import { AccountChange } from '../account-changes/change.ts'
import { AnswerMoney, integer, model, describe } from '../text.ts'

/** Numbers of payees and rows with another account than was last paid; `changes` has those of the largest amounts. */
export const BatchAccountChange = model('BatchAccountChange', {
  payees: describe(integer, 'Number of payees with another account than was last paid.'),
  rows: describe(integer, 'Number of rows that pay them.'),
  changes: describe(
    v.array(
      model(
        'ChangedAccountOfRows',
        {
          row_number: describe(integer, 'Number of the first of these rows.'),
          rows: describe(integer, 'Number of rows that pay the payee at this account.'),
          amount: describe(AnswerMoney, 'Sum of these rows.'),
          ...AccountChange.entries,
        },
        { new: 'Account that is to be paid.' },
      ),
    ),
    'Those of the largest amounts, 20 at most.',
  ),
})
export type BatchAccountChange = v.InferOutput<typeof BatchAccountChange>

/** Changed accounts of the payees of a batch, for its approvers. */
import * as v from 'valibot'
import { AccountChange } from '../account-changes/change.ts'
import { AnswerMoney, integer, model } from '../text.ts'

/** Numbers of payees and rows with another account than was last paid; `changes` has those of the largest amounts. */
export const BatchAccountChange = model('BatchAccountChange', {
  payees: integer,
  rows: integer,
  changes: v.array(
    model('ChangedAccountOfRows', {
      row_number: integer,
      rows: integer,
      amount: AnswerMoney,
      ...AccountChange.entries,
    }),
  ),
})
export type BatchAccountChange = v.InferOutput<typeof BatchAccountChange>

/** Errors and warnings of a row of a batch. */
import type { RefusalType } from '../errors.ts'
import type { Column } from './columns.ts'

type RowErrorCode =
  | 'required'
  | 'malformed'
  | 'too_long'
  | 'too_few_cells'
  | 'too_many_cells'
  | 'ambiguous_payee'
  | 'unknown_contact'
  | 'contact_not_approved'
  | 'payee_held'
  | 'destination_missing'
  | 'unsupported_rail'
  | 'unknown_handle'
  | 'same_account'
  | 'invalid_bank_details'
  | 'address_required'
  | 'onboarding_incomplete'
  | 'unsupported_currency'
  | 'not_positive'
  | 'amount_precision'
  | 'amount_too_large'
  | 'payee_no_match'
type RowWarningCode =
  | 'duplicate_in_file'
  | 'duplicate_recent'
  | 'address_missing'
  | 'holder_differs'
  | 'payee_no_match'
  | 'payee_close_match'

/** An error or a warning; without a column it is about the row as a whole. */
export type Remark = {
  readonly column: Column | null
  /** Code of the fault; for a row that pays a bill also the refusal of its payment. */
  readonly code: RowErrorCode | RowWarningCode | RefusalType
  readonly message: string
}

export const remark = (column: Column | null, code: RowErrorCode, message: string): Remark => ({
  column,
  code,
  message,
})

export const AS_A_NUMBER = 'is written as a number: format the column as text, and write all digits'

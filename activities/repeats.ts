/**
 * Which failed questions Temporal repeats at once; what goes on failing is noted in the row, and the loop is its
 * repeat.
 */
import { Context } from '@temporalio/activity'
import { isTransient } from '../partners/http.ts'

/** So often a question is asked in a row. */
const QUICK_TRIES = 3

/** Whether an activity throws this failure, so that it is tried again within a second. */
export const repeatsAtOnce = (failure: unknown): boolean =>
  isTransient(failure) && Context.current().info.attempt < QUICK_TRIES

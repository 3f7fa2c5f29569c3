/** Quick retries of failed calls by Temporal; later failures are stored in the row, and its loop retries. */
import { Context } from '@temporalio/activity'
import { isTransient } from '../partners/http.ts'

/** Quick tries of one call. */
const QUICK_TRIES = 3

/** Tells if an activity throws this failure, so that Temporal retries it within a second. */
export const repeatsAtOnce = (failure: unknown): boolean =>
  isTransient(failure) && Context.current().info.attempt < QUICK_TRIES

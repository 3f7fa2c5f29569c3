/** Conversion of refusals to Temporal failures: a refusal is final, and its activity is not retried. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'
import { Refusal } from '../domain/errors.ts'

const FAILURE_TYPE = 'Refusal'

/** Worker interceptor that makes a refusal non-retryable; other errors are retried. */
export class RefusalInterceptor implements ActivityInboundCallsInterceptor {
  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    try {
      return await next(input)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw ApplicationFailure.create({
        type: FAILURE_TYPE,
        message: error.type,
        nonRetryable: true,
        category: ApplicationFailureCategory.BENIGN, // an answer, not an incident: no warning in log or metrics
        details: [error.type, error.details ?? null],
      })
    }
  }
}

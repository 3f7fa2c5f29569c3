/** Refusal → Temporal failure, in one place: a refusal is final, and nothing repeats the activity. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'
import { Refusal } from '../domain/errors.ts'

const FAILURE_TYPE = 'Refusal'

/** Worker interceptor: a refusal becomes a failure that nothing retries; everything else is retried as it is. */
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

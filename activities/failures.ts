/** Refusal ↔ Temporal failure, in one place: thrown by an activity, read by the API and by workflows. */
import { ActivityFailure, ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'
import { type Details, Refusal, isRefusalType } from '../db/model/errors.ts'

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

/** The refusal that a failure carries: bare from a local activity, inside an ActivityFailure from a regular one. */
export function refusalIn(failure: unknown): Refusal | undefined {
  const inner = failure instanceof ActivityFailure ? failure.cause : failure
  if (!(inner instanceof ApplicationFailure) || inner.type !== FAILURE_TYPE) return undefined
  const [type, details] = inner.details ?? []
  if (!isRefusalType(type)) return undefined
  // Written by the interceptor above with exactly this shape.
  return new Refusal(type, (details as Details | null) ?? undefined)
}

/** Errors of the client. */
import type { ErrorType, InvalidState, RateLimited, StepUpChallenge, ValidationError } from './schemas.ts'

/** Shapes of `details`, by error type; of others they are an object or absent. */
type Details = {
  invalid_request: ValidationError
  invalid_state: InvalidState
  rate_limited: RateLimited
}
export type DetailsOf<Type> = Type extends keyof Details ? Details[Type] : Readonly<Record<string, unknown>> | undefined

type Body = {
  readonly type: ErrorType
  readonly message: string
  readonly request_id?: string
  readonly details?: unknown
  readonly step_up?: StepUpChallenge
}

/** Refusal of the service. Branch on `type`; `message` is a sentence for people, with the id of the request. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly type: ErrorType
  readonly details: unknown
  readonly requestId: string | undefined
  /** Challenge of `step_up_required`. */
  readonly stepUp: StepUpChallenge | undefined

  constructor(
    readonly status: number,
    body: Body,
  ) {
    super(
      body.request_id ? `${body.message} (${body.type}, request ${body.request_id})` : `${body.message} (${body.type})`,
    )
    this.type = body.type
    this.details = body.details
    this.requestId = body.request_id
    this.stepUp = body.step_up
  }

  /** Tells if the error is of this type, and narrows `details` to its shape. */
  is<Type extends ErrorType>(
    type: Type,
  ): this is ServiceError & { readonly type: Type; readonly details: DetailsOf<Type> } {
    return this.type === type
  }

  /** Reads the error of an answer. What is no error of the service, as of a gateway, passes or is unexpected. */
  static async from(response: Response): Promise<ServiceError> {
    const { status } = response
    const error = errorIn(await response.text().catch(() => ''))
    if (error) return new ServiceError(status, error)
    const passing = status === 429 ? 'rate_limited' : 'service_unavailable'
    const type = PASSING.has(status) ? passing : 'internal_error'
    return new ServiceError(status, { type, message: `HTTP ${status}` })
  }
}

/** Statuses of answers that a repeat may change: of the service, and of gateways before it. */
export const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524])

function errorIn(text: string): Body | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<Body> }
    return typeof error?.type === 'string' && typeof error.message === 'string' ? (error as Body) : undefined
  } catch {
    return undefined
  }
}

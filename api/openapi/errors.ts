/** Errors in the OpenAPI document. */
import { REFUSALS } from '../../domain/errors.ts'
import { retryAfter, rateLimitHeaders } from './limits.ts'

type Json = { readonly [key: string]: unknown }

export const errorTypes = Object.entries(REFUSALS).map(([type, [status, message]]) => ({ type, status, message }))

/** Error statuses of operations, with their descriptions. */
const ERROR_STATUSES: Readonly<Record<number, string>> = {
  400: 'The shape of the request is wrong.',
  401: 'It is not known who is asking.',
  403: 'The caller may not do this, or has to confirm first that it is them.',
  404: 'Nothing that the caller can see.',
  409: 'In conflict with the present state.',
  410: 'It was there, and its time is over.',
  413: 'The body is too large.',
  415: 'The body is not sent as JSON.',
  422: 'Understood, and refused by a rule.',
  429: 'Too many requests; `details.policy` names the limit.',
  500: 'A fault on our side.',
  503: 'Not available for a moment; repeating a creation with the same Idempotency-Key is safe.',
}

export const nameOf = (status: number): string => `Error${status}`
const typesOf = (status: number) => errorTypes.filter((error) => error.status === status)

/** Name of the error answer of operations that people open in a browser, for any status. */
export const ERROR_PAGE = 'ErrorPage'

const errorPage: Json = {
  description: 'A page that says what to do.',
  headers: { 'x-request-id': { $ref: '#/components/headers/Request' }, ...retryAfter, ...rateLimitHeaders },
  content: { 'text/html': { schema: { type: 'string' } } },
}

/** Name of the error answer of the token endpoint, for any status. */
export const OAUTH_ERROR = 'OAuthErrorAnswer'

const oauthError: Json = {
  description: 'An error as RFC 6749, section 5.2, has it.',
  headers: { 'x-request-id': { $ref: '#/components/headers/Request' }, ...retryAfter, ...rateLimitHeaders },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
}

export function errorResponses(): Json {
  const responses = Object.entries(ERROR_STATUSES).map(([code, sentence]) => {
    const status = Number(code)
    const types = typesOf(status).map(({ type }) => `\`${type}\``)
    return [
      nameOf(status),
      {
        description: `${sentence} Types: ${types.join(', ')}.`,
        headers: {
          'x-request-id': { $ref: '#/components/headers/Request' },
          ...([409, 429, 503].includes(status) && retryAfter),
          ...(status === 429 && rateLimitHeaders),
        },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]
  })
  return { ...Object.fromEntries(responses), [ERROR_PAGE]: errorPage, [OAUTH_ERROR]: oauthError }
}

const details: Readonly<Record<string, Json>> = {
  ValidationError: {
    description: 'Details of `invalid_request`, every fault; of `unknown_parameter`, at most ten.',
    type: 'object',
    required: ['errors'],
    properties: {
      errors: {
        description: 'Faults, in the order of the body.',
        type: 'array',
        items: { $ref: '#/components/schemas/FieldError' },
      },
      known: {
        description: 'Parameters that the operation takes; of `unknown_parameter` alone.',
        type: 'array',
        items: { type: 'string' },
      },
    },
  },
  FieldError: {
    description: 'One fault of a request.',
    type: 'object',
    required: ['path', 'code', 'message'],
    properties: {
      path: { type: 'string', description: 'Place in the request, for example `amount.currency`.' },
      code: { type: 'string', description: 'Kind of fault; branch on it.' },
      message: { type: 'string', description: 'Explanation for people.' },
      closest: { type: 'string', description: 'Parameter that may have been meant; of `unknown_parameter` alone.' },
    },
  },
  InvalidState: {
    description: 'Details of `invalid_state` and other conflicts with a state.',
    type: 'object',
    required: ['current', 'allowed'],
    properties: {
      current: { type: 'string', description: 'Present state.' },
      allowed: { type: 'array', items: { type: 'string' }, description: 'States in which it is possible.' },
    },
  },
  RateLimited: {
    description: 'Details of `rate_limited`.',
    type: 'object',
    required: ['policy', 'retry_after_seconds'],
    properties: {
      policy: { type: 'string', description: 'Limit that was met.' },
      retry_after_seconds: { type: 'integer', description: 'Seconds to wait, as in Retry-After.' },
    },
  },
}

const detailsOf = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Builds the schemas of errors: the envelope, its vocabulary, and details that have a shape. */
export function errorSchemas(): Json {
  return {
    ErrorType: {
      description: 'An open vocabulary: branch on it, and treat a value that you do not know as a general failure.',
      anyOf: [
        { type: 'string', enum: Object.keys(REFUSALS) },
        { type: 'string', description: 'A type that came later.' },
      ],
      'x-enumDescriptions': Object.fromEntries(
        errorTypes.map(({ type, status, message }) => [type, `${status}: ${message}`]),
      ),
    },
    Error: {
      description: 'Envelope of every error.',
      type: 'object',
      required: ['error'],
      properties: { error: { description: 'Error.', ...detailsOf('ErrorBody') } },
    },
    ErrorBody: {
      description: 'Error: its type, a sentence for people, and details.',
      type: 'object',
      required: ['type', 'message'],
      properties: {
        type: { description: 'Error type.', ...detailsOf('ErrorType') },
        message: { type: 'string', description: 'A sentence that a user may read; never branch on it.' },
        request_id: { type: 'string', description: 'Also in the header x-request-id.' },
        details: {
          description: 'What was wrong; its members depend on the type.',
          anyOf: [...['ValidationError', 'InvalidState', 'RateLimited'].map(detailsOf), { type: 'object' }],
        },
        step_up: { description: 'Challenge of `step_up_required`.', ...detailsOf('StepUpChallenge') },
      },
    },
    ...details,
  }
}

/** Shapes: what does not fit its schema is one refusal that lists every fault. */
import * as v from 'valibot'
import { refuse } from '../db/model/errors.ts'

const MAX_ERRORS = 50
/** Messages that are codes, with their number after a colon: the schema says which rule was broken, the sentence is here. */
const SENTENCES: Readonly<Record<string, (number: string) => string>> = {
  not_positive: () => 'must be more than zero',
  limit_without_card: () => 'must not be false where there is a card_limit',
  immutable: () => 'cannot be changed',
  email: () => 'must be an email address',
  too_long: (characters) => `must have at most ${characters} characters`,
  blank: () => 'must not be blank',
  nul: () => 'must not contain NUL',
  control: () => 'must not contain control characters',
  duplicate: () => 'is the same as one before it',
  names_nobody: () => 'must name a role or a person',
  without_amount: () => 'is not for this action, which comes without an amount',
  unknown_currency: () => 'is not a currency that exists',
}
/** The library's own messages quote what was given: a password in the wrong field would stand in logs of callers. */
const RECEIVED = /(?:: Received| but received) .*$/s

/** The parsed input, or 400 `invalid_request` with `details.errors[{path, code, message}]`. */
export function parse<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, withoutNul(input))
  if (result.success) return result.output
  refuse('invalid_request', { errors: result.issues.slice(0, MAX_ERRORS).map(toError) })
}

function toError(issue: v.BaseIssue<unknown>): { path: string; code: string; message: string } {
  const path = v.getDotPath(issue) ?? ''
  const [code = '', number = ''] = issue.message.split(':')
  const sentence = SENTENCES[code]
  if (sentence) return { path, code, message: sentence(number) }
  if (issue.received === 'undefined') return { path, code: 'required', message: 'is required' }
  return { path, code: issue.type, message: issue.message.replace(RECEIVED, '') }
}

/** Text with NUL cannot be stored: refused wherever it stands in a known place of the request. */
function withoutNul(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  for (const [key, value] of Object.entries(input)) {
    if (typeof value === 'string' && value.includes('\0')) {
      refuse('invalid_request', { errors: [{ path: key, code: 'nul', message: 'must not contain NUL' }] })
    }
  }
  return input
}

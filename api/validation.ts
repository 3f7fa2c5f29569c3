/** Shapes: what does not fit its schema is one refusal that lists every fault. */
import * as v from 'valibot'
import { refuse } from '../db/model/errors.ts'

const MAX_ERRORS = 50
/** Messages that are codes: the schema says which rule was broken, the sentence is written here. */
const SENTENCES: Readonly<Record<string, string>> = {
  not_positive: 'must be more than zero',
  immutable: 'cannot be changed',
  email: 'must be an email address',
}
/** Rules whose sentence says a number: their code is told by how it begins. */
const CODES: Readonly<Record<string, string>> = {
  'must have at most': 'too_long',
  'must not be blank': 'blank',
  'must not contain NUL': 'nul',
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
  const sentence = SENTENCES[issue.message]
  const missing = issue.received === 'undefined'
  return {
    path: v.getDotPath(issue) ?? '',
    code: sentence ? issue.message : missing ? 'required' : (codeOf(issue.message) ?? issue.type),
    message: sentence ?? (missing ? 'is required' : issue.message.replace(RECEIVED, '')),
  }
}

const codeOf = (message: string): string | undefined =>
  Object.entries(CODES).find(([beginning]) => message.startsWith(beginning))?.[1]

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

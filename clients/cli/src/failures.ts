/** Exit codes, and the failures that lead to them. */
import { ServiceError } from 'business-finance-client'

export const EXIT = { done: 0, refused: 1, usage: 2, notSignedIn: 3, waitsForPerson: 4, unavailable: 5 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Exit code of a command that its user interrupted, as of a shell. */
export const INTERRUPTED = 130

/** Failure of a command: its exit code, and what to tell the user. */
export class Failure extends Error {
  override readonly name = 'Failure'
  constructor(
    readonly code: ExitCode,
    message: string,
  ) {
    super(message)
  }
}

/** Signal that a dry run has printed its request. Its name is that of an abort, so that nothing is tried again. */
export class DryRun extends Error {
  override readonly name = 'AbortError'
}

export type Outcome = { readonly code: number; readonly message: string }

/** Finds the exit code and the message of what a command threw; throws again what is a bug. */
export function outcomeOf(error: unknown, baseUrl: string): Outcome {
  if (error instanceof DryRun) return { code: EXIT.done, message: '' }
  if (error instanceof Failure) return { code: error.code, message: error.message }
  if (error instanceof ServiceError) return { code: codeOf(error), message: describe(error, baseUrl) }
  if (error instanceof Error && error.name === 'AbortError') return { code: INTERRUPTED, message: '' }
  if (isLostConnection(error)) return { code: EXIT.unavailable, message: `${baseUrl} does not answer.` }
  if (error instanceof Error && 'syscall' in error) return { code: EXIT.usage, message: error.message }
  throw error
}

const isLostConnection = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error instanceof TypeError && /fetch failed|terminated/.test(error.message)))

function codeOf({ status }: ServiceError): ExitCode {
  if (status === 401) return EXIT.notSignedIn
  return status === 408 || status === 429 || status >= 500 ? EXIT.unavailable : EXIT.refused
}

function describe(error: ServiceError, baseUrl: string): string {
  const fields = error.is('invalid_request') ? (error.details?.errors ?? []) : []
  const hint = HINTS[error.type]
  return [
    error.message,
    ...fields.map(({ path, message }) => `  ${path}: ${message}`),
    ...(hint ? [hint.replace('{base}', baseUrl)] : []),
  ].join('\n')
}

const HINTS: Readonly<Record<string, string>> = {
  not_authenticated: 'Sign in again: bfs login',
  step_up_required: 'A person has to prove that they are there, which no command does: {base}/approve',
  delegate_not_permitted: 'This is for people: {base}/approve',
  no_eligible_approver:
    'Nobody but you could approve it. Rules of approval are set by an owner: bfs approvals get-policy',
}

/** Failures of an identity provider: reasons of `identity_provider_unusable` that no person brings about. */

/** Reasons, each with what owners do about it. */
export const REMEDIES = {
  provider_unreadable: 'It does not answer, or not as a provider does: ask who runs it.',
  provider_client: 'It refuses us: the secret may have expired. Make another one there, and enter it here.',
  provider_keys: 'Its signatures fit none of its keys: ask who runs it.',
  provider_clock: 'Its clock differs from ours by more than a minute: ask who runs it.',
} as const

export type ProviderFailure = keyof typeof REMEDIES

// Object.keys() forgets which keys they are
export const PROVIDER_FAILURES = Object.keys(REMEDIES) as ProviderFailure[]

/** Failures from which owners hear of it: one may be a network that was away. */
export const FAILURES_UNTIL_RAISED = 2
/** Failures within this time count as one. */
export const FAILURE_PAUSE_SECONDS = 10

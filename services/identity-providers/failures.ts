/** Failures of identity providers, counted in their rows until a sign-in goes well. */
import { Refusal } from '../../domain/errors.ts'
import { providerEvents } from '../../domain/identity-providers/events.ts'
import {
  FAILURES_UNTIL_RAISED,
  FAILURE_PAUSE_SECONDS,
  PROVIDER_FAILURES,
  type ProviderFailure,
} from '../../domain/identity-providers/failures.ts'
import { asSystem, sql } from '../../db/postgres/sql.ts'
import { newCause, record } from '../events.ts'
import type { OpenedProvider } from './providers.ts'

/** Asks a provider, and notes if it is the one that fails. */
export async function noteFailureOf<Result>(provider: OpenedProvider, asked: Promise<Result>): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    const failure = failureIn(error)
    if (failure) await noteFailure(provider, failure)
    throw error
  }
}

/** Finds what the provider fails at; undefined for what a person, or a stranger, brings about. */
function failureIn(error: unknown): ProviderFailure | undefined {
  if (!(error instanceof Refusal) || error.type !== 'identity_provider_unusable') return undefined
  return PROVIDER_FAILURES.find((failure) => failure === error.details?.['reason'])
}

/** Counts a failure, of those within ten seconds the first: strangers can begin as many sign-ins as they like. */
const noteFailure = ({ id, organizationId }: OpenedProvider, failure: ProviderFailure): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    const [noted] = await tx<{ failures: number }[]>`
      update identity_providers set failures = failures + 1, failure = ${failure}, failed_at = business_now(),
        failing_since = coalesce(failing_since, business_now())
      where id = ${id} and (failed_at is null
        or failed_at <= business_now() - make_interval(secs => ${FAILURE_PAUSE_SECONDS}))
      returning failures`
    if (noted?.failures !== FAILURES_UNTIL_RAISED) return
    await record(tx, providerEvents.failed, { subjectId: id, cause: newCause(), payload: { reason: failure } })
  })

/** Ends the count at a sign-in that went well. */
export async function noteSuccess({ id, organizationId, fails }: OpenedProvider): Promise<void> {
  if (!fails) return
  await asSystem(organizationId, async (tx) => {
    const [before] = await tx<{ failures: number }[]>`
      select failures from identity_providers where id = ${id} and failures > 0 for no key update`
    if (!before) return
    await tx`update identity_providers set ${noFailures()} where id = ${id}`
    if (before.failures < FAILURES_UNTIL_RAISED) return
    await record(tx, providerEvents.restored, { subjectId: id, cause: newCause() })
  })
}

/** Builds what the row of a provider without failures has. */
export const noFailures = () => sql`failures = 0, failure = null, failed_at = null, failing_since = null`

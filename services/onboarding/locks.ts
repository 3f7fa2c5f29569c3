/** Locks of an onboarding, and what each change of it leads to. */
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type OnboardingId, newId } from '../../domain/ids.ts'
import { onboardingEvents, onboardingMoves } from '../../domain/onboarding/events.ts'
import { type OnboardingStatus, onboardingFlow } from '../../domain/onboarding/flow.ts'
import { config } from '../../platform/config.ts'
import { transition } from '../../db/processes/transition.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { newCause, record } from '../events.ts'
import { noteOpenFields } from './known.ts'

type LockedOnboarding = {
  readonly id: OnboardingId
  readonly status: OnboardingStatus
  readonly entity: Buffer | null
}

/** Statuses in which nothing may change: a review looks at what was submitted. */
const UNDER_REVIEW: ReadonlySet<OnboardingStatus> = new Set(['submitted', 'in_review'])

/** Locks the onboarding for a change; it is begun if there is none. Refuses `invalid_state` while it is reviewed. */
export async function lockForChange(tx: Tx): Promise<LockedOnboarding> {
  const id: OnboardingId = newId()
  const begun = await tx`
    insert into onboardings (id, organization_id) values (${id}, ${tx.organizationId})
    on conflict (organization_id) do nothing returning id`
  if (begun.length > 0) await record(tx, onboardingEvents.begun, { subjectId: id, cause: `onboarding:${id}` })
  const [row] = await tx<LockedOnboarding[]>`
    select id, status, entity from onboardings where organization_id = ${tx.organizationId} for no key update`
  if (!row) refuse('not_found')
  if (UNDER_REVIEW.has(row.status) || row.status === 'purged')
    refuse('invalid_state', { current: row.status, allowed: eventsFrom(onboardingFlow, row.status) })
  return row
}

/** Change of an onboarding, by the paths of fields. */
type Change = {
  readonly changed: readonly string[]
  /** Fields that were given, changed or not: they answer what a review asked for. */
  readonly touched: readonly string[]
  /** Changed fields that say who it is: they make a verified organization due for a review. */
  readonly identifying: readonly string[]
}

/** Records a change, and which requirements are open now. */
export async function noteChange(
  tx: Tx,
  { id, status }: Pick<LockedOnboarding, 'id' | 'status'>,
  { changed, touched, identifying }: Change,
): Promise<void> {
  await tx`
    update onboardings set updated_at = business_now(),
      touched = array(select distinct t from unnest(touched || ${[...touched]}::text[]) t order by t)
    where organization_id = ${tx.organizationId}`
  if (changed.length > 0)
    await record(tx, onboardingEvents.changed, { subjectId: id, cause: newCause(), payload: { fields: [...changed] } })
  await noteOpenFields(tx)
  if (status === 'verified' && identifying.length > 0) await requireReview(tx, 'changed', identifying)
}

/** Makes a verified organization due for a review: payments go on until the time for it is over. */
export async function requireReview(
  tx: Tx,
  reason: 'changed' | 'periodic' | 'asked',
  fields: readonly string[],
): Promise<void> {
  const [row] = await tx<{ id: OnboardingId }[]>`
    select id from onboardings where organization_id = ${tx.organizationId} and status = 'verified'`
  if (!row) return
  await transition(tx, onboardingMoves, row.id, {
    events: ['fall_due'],
    cause: newCause(),
    payload: { reason, fields: [...fields] },
    set: sql`since = business_now(), reminded = 0, remind_at = business_now(),
      due_at = business_now() + make_interval(days => ${config.kybReviewDays})`,
  })
}

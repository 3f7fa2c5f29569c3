/** Changes of substitutions: each is a change of memberships, so that no decision is made at the same time. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { NewId, SubstitutionId, UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import { substitutionEvents } from '../../domain/substitutions/events.ts'
import {
  type NewSubstitution,
  SUBSTITUTIONS_MAX,
  type SubstitutionEnd,
} from '../../domain/substitutions/substitution.ts'
import { newCause, record, recordAll } from '../events.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { mailBeginning, mailEnd } from './mails.ts'

const IN_PAST = { errors: [{ path: 'until', code: 'in_past', message: 'must be in the future' }] } as const

type NamingCommand = {
  readonly tx: Tx
  readonly person: Person
  readonly claim: { readonly id: NewId }
  readonly stepUpId: string | null
  readonly body: NewSubstitution
}

/**
 * Names a substitute, uses up the step-up, and mails both. Refuses `forbidden` to name one for another person, except by
 * an owner, and `substitute_not_eligible` with the reason.
 */
export async function nameSubstitute({ tx, person, claim, stepUpId, body }: NamingCommand): Promise<void> {
  await lockMemberships(tx, 'change')
  await requireEligible(within(tx), person.userId, body)
  await useStepUp(tx, person, stepUpId)
  const { substitute_id: substituteId, from, until, reason = null } = body
  const userId = body.user_id ?? person.userId
  const [made] = await tx<{ starts_at: string; ends_at: string }[]>`
    insert into substitutions (id, organization_id, user_id, substitute_id, starts_at, ends_at, reason, created_by)
    select ${claim.id}, ${tx.organizationId}, ${userId}, ${substituteId}, greatest(${from}, business_now()), ${until},
      ${reason}, ${person.userId}
    where ${until}::timestamptz > business_now()
    returning starts_at, ends_at`
  if (!made) refuse('invalid_request', IN_PAST)
  await record(tx, substitutionEvents.created, {
    subjectId: claim.id,
    cause: newCause(),
    payload: { user_id: userId, substitute_id: substituteId, from: made.starts_at, until: made.ends_at },
  })
  const span = { from: made.starts_at, until: made.ends_at }
  await mailBeginning(tx, { userId, substituteId, by: person.userId, reason, ...span })
}

/** People of a substitution, as a mail or a challenge names them. */
type NamedPair = { readonly principal: string; readonly substitute: string }

type SubstitutionRow = NamedPair & {
  readonly status: string
  readonly role: Role | null
  readonly has_principal: boolean
  readonly has_substitute: boolean
  readonly lacks_authenticator: boolean
  readonly in_past: boolean
  readonly overlapping: SubstitutionId | null
  readonly open: number
}

/** Refuses a substitution that this person may not make now, also before the step-up; answers who is who. */
export async function requireEligible(reader: Reader, caller: UserId, asked: NewSubstitution): Promise<NamedPair> {
  const { substitute_id: substitute, from, until } = asked
  const principal = asked.user_id ?? caller
  const isMember = (userId: UserId) => sql`
    exists (select from members m where m.organization_id = o.id and m.user_id = ${userId})`
  const ofPrincipal = sql`
    s.organization_id = o.id and s.user_id = ${principal} and s.ended_at is null and s.ends_at > business_now()`
  const [found] = await reader<SubstitutionRow>(sql`
    select o.status, (select m.role from members m where m.organization_id = o.id and m.user_id = ${caller}) as role,
      ${nameOf(principal)} as principal, ${nameOf(substitute)} as substitute,
      ${isMember(principal)} as has_principal, ${isMember(substitute)} as has_substitute,
      o.requires_authenticator and not exists (select from authenticators a where a.user_id = ${substitute})
        as lacks_authenticator,
      ${until}::timestamptz <= business_now() as in_past,
      (select s.id from substitutions s where ${ofPrincipal} and s.substitute_id = ${substitute}
        and s.starts_at < ${until} and s.ends_at > ${from} order by s.starts_at limit 1) as overlapping,
      (select count(*) from substitutions s where ${ofPrincipal})::integer as open
    from organizations o where o.id = ${reader.organizationId}`)
  if (!found?.role || isGone(found.status)) refuse('not_found')
  if (principal !== caller && found.role !== 'owner') refuse('forbidden', { role: 'owner' })
  if (found.in_past) refuse('invalid_request', IN_PAST)
  const reason = whyNotEligible(found, { caller, principal, substitute })
  if (reason) refuse('substitute_not_eligible', reason)
  return { principal: found.principal, substitute: found.substitute }
}

const nameOf = (userId: UserId): Fragment => sql`
  (select coalesce(${fullName(sql`p`)}, p.email) from people p where p.id = ${userId})`

type People = { readonly caller: UserId; readonly principal: UserId; readonly substitute: UserId }

function whyNotEligible(found: SubstitutionRow, { caller, principal, substitute }: People) {
  if (substitute === principal) return { reason: 'same_person' }
  if (substitute === caller) return { reason: 'names_themselves' }
  if (!found.has_principal) return { reason: 'not_a_member', user_id: principal }
  if (!found.has_substitute) return { reason: 'not_a_member', user_id: substitute }
  if (found.lacks_authenticator) return { reason: 'lacks_authenticator' }
  if (found.overlapping) return { reason: 'overlaps', substitution_id: found.overlapping }
  return found.open >= SUBSTITUTIONS_MAX ? { reason: 'too_many_substitutions', limit: SUBSTITUTIONS_MAX } : null
}

type EndedSubstitution = { readonly id: SubstitutionId; readonly user_id: UserId; readonly substitute_id: UserId }

/** Ends a substitution for its principal, its substitute or an owner. Refuses `invalid_state` if it has ended. */
export async function endSubstitution(tx: Tx, person: Person, id: SubstitutionId): Promise<void> {
  await lockMemberships(tx, 'change')
  const [found] = await tx<(EndedSubstitution & { role: Role | null; status: string; is_open: boolean })[]>`
    select s.id, s.user_id, s.substitute_id, m.role, o.status, s.ended_at is null and s.ends_at > business_now() as is_open
    from substitutions s join organizations o on o.id = s.organization_id
    left join members m on m.organization_id = o.id and m.user_id = ${person.userId}
    where s.id = ${id} and s.organization_id = ${tx.organizationId}`
  if (!found?.role || isGone(found.status)) refuse('not_found')
  const isOwn = [found.user_id, found.substitute_id].includes(person.userId)
  if (!isOwn && found.role !== 'owner') refuse('forbidden', { role: 'owner' })
  if (!found.is_open) refuse('invalid_state', { current: 'ended', allowed: [] })
  await end(tx, [found], { reason: 'ended', by: person.userId })
  for (const userId of [found.user_id, found.substitute_id]) {
    if (userId !== person.userId) await mailEnd(tx, { to: userId, ...found, reason: 'ended' })
  }
}

/** Ends the substitutions of a person who leaves, as principal and as substitute. The caller has the memberships locked. */
export async function endSubstitutionsOf(tx: Tx, userId: UserId, by: Person | null): Promise<void> {
  const open = await tx<EndedSubstitution[]>`
    select id, user_id, substitute_id from substitutions
    where organization_id = ${tx.organizationId} and (user_id = ${userId} or substitute_id = ${userId})
      and ended_at is null and ends_at > business_now()
    order by id`
  if (open.length === 0) return
  await end(tx, open, { reason: 'member_left', by: by?.userId ?? null })
  for (const one of open) {
    const other = one.user_id === userId ? one.substitute_id : one.user_id
    await mailEnd(tx, { to: other, ...one, reason: 'member_left' })
  }
}

type EndOrder = { readonly reason: SubstitutionEnd; readonly by: UserId | null }

async function end(tx: Tx, ended: readonly EndedSubstitution[], { reason, by }: EndOrder): Promise<void> {
  await tx`
    update substitutions set ended_at = business_now(), ended_by = ${by}, end_reason = ${reason}
    where id = any (${ended.map(({ id }) => id)})`
  const events = ended.map(({ id, ...people }) => ({
    id,
    cause: `substitution_end:${id}`,
    payload: { user_id: people.user_id, substitute_id: people.substitute_id, reason },
  }))
  await recordAll(tx, substitutionEvents.ended, events)
}

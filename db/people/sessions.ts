/** Sessions: a bearer token of one person on one device, until 30 minutes without use or 30 days after sign-in. */
import type postgres from 'postgres'
import { liveSession, recordDevice } from './devices.ts'
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { DeviceId, OrganizationId, SessionId, UserId } from '../../domain/ids.ts'
import type { Located } from '../../domain/located.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import type { Role } from '../../domain/permissions.ts'
import type { Session } from '../../domain/people/session.ts'
import {
  JUST_SIGNED_IN_MINUTES,
  SESSION_DAYS_MAX,
  SESSION_IDLE_MINUTES,
  SESSION_TOKEN_PREFIX,
  SESSION_TOUCH_SECONDS,
} from '../../domain/sign-in/sign-in.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { pageOfPerson } from '../pagination.ts'
import { lockPerson } from './people.ts'
import { recordSecurityEvent } from './security-log.ts'
import { type Transaction, type Fragment, first, sql, transaction } from '../sql.ts'

/**
 * Who calls, and since when no use of theirs was written; the membership is of the organization that was asked for.
 */
export type Authenticated = {
  readonly person: Person
  readonly membership: Membership | null
  readonly idleSeconds: number
}

type LocatedRow = { organization_id: OrganizationId | null; role: Role | null; status: string | null }
type SessionRow = LocatedRow & { session_id: SessionId; user_id: UserId; device_id: DeviceId; idle_seconds: number }

/**
 * Whose live session a token is, with their membership in the organization that the owner (a kind that locate() knows,
 * and the id of such a thing) belongs to: one statement. Undefined when the session has ended or never was.
 */
export async function authenticate(
  token: string,
  owner: { kind: Located; id: string } | null,
): Promise<Authenticated | undefined> {
  const columns = owner
    ? sql`o.organization_id, o.role, o.status`
    : sql`null as organization_id, null as role, null as status`
  const located = owner ? sql`left join lateral locate(${owner.kind}, ${owner.id}, s.user_id) o on true` : sql``
  const row = await first(sql<SessionRow[]>`
    select s.id as session_id, s.user_id, s.device_id, ${columns},
      extract(epoch from clock.now - s.last_used_at)::float8 as idle_seconds
    from sessions s
    cross join (select business_now() as now offset 0) clock
    ${located}
    where s.token_hash = ${tokenHash(token)} and s.ended_at is null
      and s.last_used_at > clock.now - make_interval(mins => ${SESSION_IDLE_MINUTES})
      and s.signed_in_at > clock.now - make_interval(days => ${SESSION_DAYS_MAX})`)
  if (!row) return undefined
  const person: Person = { kind: 'user', userId: row.user_id, sessionId: row.session_id, deviceId: row.device_id }
  return { person, membership: membershipIn(row), idleSeconds: row.idle_seconds }
}

/** The person's membership in the organization that the owner belongs to, or null. */
export async function membershipOf(userId: UserId, owner: { kind: Located; id: string }): Promise<Membership | null> {
  const located = await first(sql<LocatedRow[]>`
    select organization_id, role, status from locate(${owner.kind}, ${owner.id}, ${userId})`)
  return located ? membershipIn(located) : null
}

const membershipIn = ({ organization_id: organizationId, role, status }: LocatedRow): Membership | null =>
  organizationId && role && status ? { organizationId, role, status } : null

/** Sessions whose use is being noted by this process. */
const touching = new Set<string>()

/**
 * Moves the end of the idle time, in a statement of its own that does not wait for the disk: a use lost in a crash
 * costs nothing. Nothing is written when the last use is less than a second old, or while another request of the
 * session notes it: they would queue for the row.
 */
export async function touchSession({ person, idleSeconds }: Authenticated): Promise<void> {
  const { sessionId } = person
  if (idleSeconds < SESSION_TOUCH_SECONDS || touching.has(sessionId)) return
  touching.add(sessionId)
  try {
    await sql`
      update sessions set last_used_at = business_now()
      from (select set_config('synchronous_commit', 'off', true) offset 0) unhurried
      where id = ${sessionId} and ended_at is null
        and last_used_at <= business_now() - make_interval(secs => ${SESSION_TOUCH_SECONDS})`
  } finally {
    touching.delete(sessionId)
  }
}

/** How somebody signed in, for their own log. */
export type SignInMethod =
  | 'sign_up'
  | 'password'
  | 'device'
  | 'totp'
  | 'recovery_code'
  | 'passkey'
  | 'trusted_device'
  | 'totp_setup'

/** Opens a session on the person's device, or on a new one. The token is told here and never again. */
export async function openSession(
  tx: Transaction,
  userId: UserId,
  device: DeviceId | null,
  { method, origin }: { method: SignInMethod; origin: Origin | null },
): Promise<{ token: string; deviceId: DeviceId }> {
  const deviceId = await recordDevice(tx, userId, device, origin)
  const token = SESSION_TOKEN_PREFIX + newToken()
  const [session] = await tx<{ id: SessionId }[]>`
    insert into sessions (token_hash, user_id, device_id, ip_address)
    values (${tokenHash(token)}, ${userId}, ${deviceId}, ${origin?.address ?? null})
    returning id`
  await recordSecurityEvent(tx, {
    type: 'sign_in.succeeded',
    userId,
    sessionId: session?.id ?? null,
    deviceId,
    origin,
    details: { method },
  })
  return { token, deviceId }
}

/** Ends the session of the token, if it has one that lives. */
export async function endSession(token: string, origin: Origin): Promise<void> {
  await endWhere(sql, sql`token_hash = ${tokenHash(token)}`, origin, 'sign_out')
}

/** Ends a session of the person, also the one that asks; refuses `not_found` for what is not theirs or has ended. */
export async function endOneSession(person: Person, id: SessionId, origin: Origin): Promise<void> {
  const ended = await endWhere(sql, sql`id = ${id} and user_id = ${person.userId}`, origin, 'ended_by_person')
  if (ended === 0) refuse('not_found')
}

/** Ends all sessions of the person but the one that asks, also one that opens at this moment; returns how many. */
export const endOtherSessions = ({ userId, sessionId }: Person, origin: Origin): Promise<number> =>
  transaction(async (tx) => {
    await lockPerson(tx, userId)
    return endWhere(tx, sql`user_id = ${userId} and id <> ${sessionId}`, origin, 'ended_by_person')
  })

/** Ends all sessions of the person but the one that is kept, with the change that asks for it. */
export const endSessions = (
  tx: Transaction,
  userId: UserId,
  kept: SessionId | null,
  origin: Origin | null,
  reason: 'password_changed' | 'password_reset' | 'factors_reset' | 'authenticator_required' | 'ended_by_operator',
): Promise<number> => endWhere(tx, sql`user_id = ${userId} ${kept ? sql`and id <> ${kept}` : sql``}`, origin, reason)

/** Ends the sessions that fit and still live, and writes each into its person's log. */
async function endWhere(
  tx: postgres.Sql | Transaction,
  condition: Fragment,
  origin: Origin | null,
  reason: string,
): Promise<number> {
  const ended = await tx`
    with over as (
      update sessions s set ended_at = business_now() where ${condition} and ${liveSession('s')}
      returning id, user_id, device_id)
    insert into security_events (user_id, type, session_id, device_id, ip_address, user_agent, details)
    select user_id, 'session.ended', id, device_id, ${origin?.address ?? null}, ${origin?.userAgent ?? null},
      jsonb_build_object('reason', ${reason}::text)
    from over returning id`
  return ended.length
}

/** The person's live sessions, the latest sign-in first. */
export const listSessions = (person: Person, page: PageRequest): Promise<Page<Session>> =>
  pageOfPerson<Session>(
    person.userId,
    'sessions',
    page,
    sql`select id, device_id, (select d.name from devices d where d.id = device_id) as device_name,
        id = ${person.sessionId} as this_session, ip_address, signed_in_at, last_used_at,
        least(last_used_at + make_interval(mins => ${SESSION_IDLE_MINUTES}),
          signed_in_at + make_interval(days => ${SESSION_DAYS_MAX})) as expires_at
      from sessions where ${liveSession('sessions')}`,
  )

/**
 * Whether the session began within the last minutes with a proof of the person, so that who signed in is who calls
 * (ASVS 7.5.1). A device's credential alone is none, or it could renew itself for ever.
 */
export async function justSignedIn({ userId, sessionId }: Person): Promise<boolean> {
  const fresh = await sql`
    select from sessions s where s.id = ${sessionId}
      and s.signed_in_at > business_now() - make_interval(mins => ${JUST_SIGNED_IN_MINUTES})
      and not exists (select from security_events e
        where e.user_id = ${userId} and e.inserted_at >= s.signed_in_at and e.session_id = s.id
          and e.type = 'sign_in.succeeded' and e.details ->> 'method' = 'device')`
  return fresh.length === 1
}

/**
 * Locks the person and the device of their session, so that what is bound to them is written one by one, and never
 * after the session has ended or the device was removed: then `not_authenticated`.
 */
export async function lockOwnDevice(tx: Transaction, { userId, sessionId }: Person): Promise<{ name: string | null }> {
  await lockPerson(tx, userId)
  const [device] = await tx<{ name: string | null }[]>`
    select d.name from devices d join sessions s on s.device_id = d.id
    where s.id = ${sessionId} and s.user_id = ${userId} and s.ended_at is null and d.removed_at is null
    for share of d`
  return device ?? refuse('not_authenticated')
}

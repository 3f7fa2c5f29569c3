/** Sessions: bearer tokens of a person on a device, until 30 minutes without use or 30 days after sign-in. */
import type { Origin, Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type {
  DeviceId,
  IdentityLinkId,
  IdentityProviderId,
  OrganizationId,
  SessionId,
  UserId,
} from '../../domain/ids.ts'
import type { LocatedKind } from '../../domain/located.ts'
import type { AllowList } from '../../domain/organizations/allow-list.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import type { Restriction } from '../../domain/people/delegate.ts'
import type { Capacity, Permission, Role } from '../../domain/permissions.ts'
import {
  COMPANY_TOKEN_PREFIX,
  SESSION_IDLE_MINUTES,
  SESSION_TOKEN_PREFIX,
  SESSION_TOUCH_SECONDS,
} from '../../domain/sign-in/sign-in.ts'
import { now } from '../../platform/clock.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { type Fragment, type Transaction, type Tx, first, sql, values } from '../../db/postgres/sql.ts'
import { type SignInMethod, sessionMailboxUntil } from './assurance.ts'
import { type SignedIn, isOfCompany, liveSession, longestSession, recordDevice } from './devices.ts'
import { lockPerson } from './people.ts'
import { type Command, recordSecurityEvent } from './security-log.ts'

/** The caller, and the time since their last written use; the membership is of the organization that was asked for. */
export type Authentication = {
  readonly person: Person
  readonly membership: Membership | null
  readonly idleSeconds: number
}

type LocatedRow = {
  organization_id: OrganizationId | null
  role: Role | null
  status: string | null
  removed: readonly Permission[] | null
  principals: readonly Capacity[] | null
  /** The organization wants the person to sign in at its identity provider. */
  by_provider: boolean | null
  allow_list: AllowList | null
}
type SessionRow = LocatedRow & { session_id: SessionId; user_id: UserId; device_id: DeviceId } & {
  idle_seconds: number
  delegate: Restriction | null
  mailbox_until: string | null
  company: OrganizationId | null
  breaks_glass: boolean
}

/** Finds the live session of a token, with the membership in the organization of `owner`. */
export async function authenticate(
  token: string,
  owner: { kind: LocatedKind; id: string } | null,
): Promise<Authentication | undefined> {
  const columns = owner
    ? sql`o.organization_id, o.role, o.removed, o.status, o.principals, o.by_provider, o.allow_list`
    : sql`null as organization_id, null as role, null::text[] as removed, null as status, null::jsonb as principals, null::boolean as by_provider, null::jsonb as allow_list`
  const located = owner ? sql`left join lateral locate(${owner.kind}, ${owner.id}, s.user_id) o on true` : sql``
  const row = await first(sql<SessionRow[]>`
    select s.id as session_id, s.user_id, s.device_id, ${columns},
      case when d.id is not null then json_build_object('id', d.id, 'name', d.name, 'kind', d.kind, 'access', d.access,
        'audience', coalesce(s.audience, 'service'), 'organizationId', d.organization_id, 'allowedAddresses', d.allowed_addresses, 'allowList', d.allow_list) end as delegate,
      ${sessionMailboxUntil(sql`s`)} as mailbox_until, extract(epoch from clock.now - s.last_used_at)::float8 as idle_seconds, s.company_id as company, s.breaks_glass
    from sessions s
    cross join (select business_now() as now offset 0) clock
    left join lateral delegate_of_session(s.delegate_id, clock.now) d on true
    ${located}
    where s.token_hash = ${sessionHash(token)} and s.ended_at is null
      and s.last_used_at > clock.now - make_interval(mins => ${SESSION_IDLE_MINUTES})
      and s.signed_in_at > clock.now - ${longestSession(sql`s`)}
      and (s.delegate_id is null or d.id is not null)`)
  if (!row) return undefined
  const { user_id: userId, session_id: sessionId, device_id: deviceId, delegate, mailbox_until: mailboxUntil } = row
  const ids = { kind: 'user', userId, sessionId, deviceId } as const
  const person: Person = {
    ...ids,
    ...(delegate && { delegate }),
    ...(mailboxUntil && { mailboxUntil }),
    ...(row.company && { company: row.company }),
    ...(row.breaks_glass && { breaksGlass: true as const }),
  }
  return { person, membership: membershipIn(person, row), idleSeconds: row.idle_seconds }
}

/** Finds the person's membership in the organization of a thing, as their session sees it. */
export async function membershipOf(
  person: Person,
  owner: { kind: LocatedKind; id: string },
): Promise<Membership | null> {
  const located = await first(sql<LocatedRow[]>`
    select organization_id, role, removed, status, principals, by_provider, allow_list from locate(${owner.kind}, ${owner.id}, ${person.userId})`)
  return located ? membershipIn(person, located) : null
}

/**
 * Reads a membership as the session sees it. Hides from a delegate and from a session of a company the person's other
 * organizations, and from a delegate what they see as a substitute. Refuses `not_authenticated` where the organization
 * wants them to sign in at its provider, and this session did not.
 */
function membershipIn(person: Person, located: LocatedRow): Membership | null {
  const { organization_id: organizationId, role, removed, status, principals, by_provider: byProvider } = located
  const { delegate, company, breaksGlass = false } = person
  const only = delegate?.organizationId ?? company
  if (!organizationId || !role || !status || (only && only !== organizationId)) return null
  const allowList = located.allow_list && { allowList: located.allow_list }
  const own = { organizationId, role, status, ...(removed?.length && { removed }), ...allowList }
  if (delegate) return own
  if (byProvider && !company && !(breaksGlass && role === 'owner'))
    refuse('not_authenticated', { reason: 'provider_required' })
  return { ...own, ...(principals && { principals }) }
}

/** Sessions whose use is being noted by this process. */
const touching = new Set<string>()

/**
 * Moves the end of the idle time, without waiting for the disk: a use lost in a crash costs nothing. Skips uses within a
 * second of the last one, and while another request of the session notes one: they would queue for the row.
 */
export async function touchSession({ person, idleSeconds }: Authentication): Promise<void> {
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

const RECENT_MAX = 1000 // a session more costs a statement
/** Sessions that were just found, by the hash of their token: no token stays in memory. */
const recent = new Map<string, { readonly found: Authentication; readonly from: number; readonly until: number }>()

/**
 * Authenticates from memory: a session that has ended counts as live for at most SESSION_TOUCH_SECONDS. An entry ends
 * when the next use has to be written, so that uses are written as often as without it.
 */
export async function authenticateRecently(token: string): Promise<Authentication | undefined> {
  const key = sessionHash(token).toString('latin1')
  const asked = now().getTime()
  const known = recent.get(key)
  if (known && known.from <= asked && asked < known.until) return known.found // a clock may be set back
  recent.delete(key)
  const found = await authenticate(token, null)
  if (found) remember(key, found, asked)
  return found
}

function remember(key: string, found: Authentication, asked: number): void {
  const idleSeconds = Math.max(0, found.idleSeconds)
  const seconds = SESSION_TOUCH_SECONDS - (idleSeconds < SESSION_TOUCH_SECONDS ? idleSeconds : 0) // else written now
  const oldest = recent.keys().next()
  if (recent.size >= RECENT_MAX && !oldest.done) recent.delete(oldest.value)
  recent.set(key, { found: { ...found, idleSeconds: 0 }, from: asked, until: asked + seconds * 1000 })
}

/** Session of an organization alone, which its identity provider opened. */
type CompanySession = {
  readonly organizationId: OrganizationId
  readonly linkId: IdentityLinkId
  readonly providerSession: string | null
}

type NewSession = SignedIn & {
  readonly method: SignInMethod
  readonly company?: CompanySession
  readonly breaksGlass?: boolean
}

/** Opens a session on the person's device, or on a new one. Only this answer holds the token. */
export async function openSession(
  tx: Transaction,
  { method, company, breaksGlass = false, ...signedIn }: NewSession,
): Promise<{ token: string; deviceId: DeviceId }> {
  const { userId, origin } = signedIn
  const deviceId = await recordDevice(tx, signedIn)
  const token = (company ? COMPANY_TOKEN_PREFIX : SESSION_TOKEN_PREFIX) + newToken()
  const [session] = await tx<{ id: SessionId }[]>`
    insert into sessions ${values({
      token_hash: sessionHash(token),
      user_id: userId,
      device_id: deviceId,
      ip_address: origin?.address ?? null,
      method,
      breaks_glass: breaksGlass,
      company_id: company?.organizationId ?? null,
      identity_link_id: company?.linkId ?? null,
      provider_session: company?.providerSession ?? null,
    })} returning id`
  const ids = { userId, sessionId: session?.id ?? null, deviceId }
  await recordSecurityEvent(tx, { ...ids, type: 'sign_in.succeeded', origin, details: { method } })
  return { token, deviceId }
}

export async function endSession(tx: Transaction, token: string, origin: Origin): Promise<void> {
  await endWhere(tx, sql`token_hash = ${sessionHash(token)}`, origin, 'sign_out')
}

/** Hashes the token of a session. A release that overlooks the limits of a company's session does not find it. */
const sessionHash = (token: string): Buffer =>
  tokenHash(token.startsWith(COMPANY_TOKEN_PREFIX) ? `company ${token}` : token)

const isSeenBy = (s: Fragment, person: Person): Fragment =>
  sql`${s}.user_id = ${person.userId} and ${isOfCompany(s, person)}`

type OneSession = Command<{ readonly params: { readonly id: SessionId } }>

/** Ends a session of the person, also the one that asks; refuses `not_found` for what is not theirs or has ended. */
export async function endOneSession({ tx, person, params, origin }: OneSession): Promise<void> {
  const session = sql`id = ${params.id} and ${isSeenBy(sql`s`, person)}`
  if ((await endWhere(tx, session, origin, 'ended_by_person')) === 0) refuse('not_found')
}

/** Ends all sessions of the person but the one that asks, also one that opens at this moment; answers how many. */
export async function endOtherSessions({ tx, person, origin }: Command): Promise<{ ended: number }> {
  await lockPerson(tx, person.userId)
  const others = sql`${isSeenBy(sql`s`, person)} and id <> ${person.sessionId}`
  const ended = await endWhere(tx, others, origin, 'ended_by_person')
  return { ended }
}

/** Ends the sessions that are of the organization alone: of these people, or of all. */
export async function endSessionsIn(tx: Tx, people: readonly UserId[] | 'all'): Promise<void> {
  const whose = people === 'all' ? sql`` : sql`and user_id = any (${[...people]}::uuid[])`
  await endWhere(tx, sql`company_id = ${tx.organizationId} ${whose}`, null, 'ended_by_company')
}

/** Session, or all sessions of a person, that a provider has ended. */
type ProviderEnd = { readonly subject: string | null; readonly session: string | null }

/** Ends the sessions that a provider opened, as its logout names them; answers how many. */
export const endProviderSessions = (tx: Tx, providerId: IdentityProviderId, { subject, session }: ProviderEnd) =>
  endWhere(
    tx,
    sql`company_id = ${tx.organizationId} and identity_link_id in (
      select l.id from identity_links l where l.provider_id = ${providerId}
        ${subject === null ? sql`` : sql`and l.subject = ${subject}`})
      ${session === null ? sql`` : sql`and provider_session = ${session}`}`,
    null,
    'ended_by_company',
  )

export type SessionsEnd = {
  readonly kept: SessionId | null
  readonly origin: Origin | null
  readonly reason: 'ended_by_person' | 'ended_by_operator' | 'password_changed' | 'password_reset' | 'factors_reset'
}

/** Ends all sessions of the person but the kept one; returns how many. */
export const endSessions = (tx: Transaction, userId: UserId, { kept, origin, reason }: SessionsEnd): Promise<number> =>
  endWhere(tx, sql`user_id = ${userId} ${kept ? sql`and id <> ${kept}` : sql``}`, origin, reason)

/** Ends the live sessions that fit, and logs each. */
export async function endWhere(tx: Transaction, where: Fragment, origin: Origin | null, why: string): Promise<number> {
  const ended = await tx`
    with over as (
      update sessions s set ended_at = business_now() where ${where} and ${liveSession(sql`s`)}
      returning id, user_id, device_id)
    insert into security_events (user_id, type, session_id, device_id, ip_address, user_agent, details)
    select user_id, 'session.ended', id, device_id, ${origin?.address ?? null}, ${origin?.userAgent ?? null},
      jsonb_build_object('reason', ${why}::text)
    from over returning id`
  return ended.length
}

/** Locks the person and their device; refuses `not_authenticated` after the end of the session or the device. */
export async function lockOwnDevice(tx: Transaction, { userId, sessionId }: Person): Promise<{ name: string | null }> {
  await lockPerson(tx, userId)
  const [device] = await tx<{ name: string | null }[]>`
    select d.name from devices d join sessions s on s.device_id = d.id
    where s.id = ${sessionId} and s.user_id = ${userId} and s.ended_at is null and d.removed_at is null
    for share of d`
  return device ?? refuse('not_authenticated')
}

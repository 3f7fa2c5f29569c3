/** A person's own log of what happened to their account, written in the transaction of what happened. */
import type postgres from 'postgres'
import type { Origin, Person } from '../../domain/actor.ts'
import type { DeviceId, SessionId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import type { SecurityEvent, SecurityEventType } from '../../domain/people/security-event.ts'
import { pageOfPerson } from '../pagination.ts'
import { type Transaction, sql } from '../sql.ts'

export type NewSecurityEvent = {
  readonly type: SecurityEventType
  readonly userId: UserId
  readonly sessionId?: SessionId | null
  readonly deviceId?: DeviceId | null
  /** Null if the service itself acts. */
  readonly origin: Origin | null
  /** A word or two about the event; never a secret, token, code or password. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

/** Writes one event, in a transaction or as a statement of its own. */
export async function recordSecurityEvent(tx: postgres.Sql | Transaction, event: NewSecurityEvent) {
  await tx`
    insert into security_events (user_id, type, session_id, device_id, ip_address, user_agent, details)
    values (${event.userId}, ${event.type}, ${event.sessionId ?? null}, ${event.deviceId ?? null},
      ${event.origin?.address ?? null}, ${event.origin?.userAgent ?? null}, ${sql.json(event.details ?? {})})`
}

/**
 * Writes a failed sign-in into the log of the person, if there is one. It is the same statement for every address and
 * does not wait for the disk, so that its time tells nothing either.
 */
export async function recordFailure(userId: UserId | null, method: string, origin: Origin): Promise<void> {
  await sql`
    insert into security_events (user_id, type, ip_address, user_agent, details)
    select p.id, 'sign_in.failed', ${origin.address}, ${origin.userAgent}, jsonb_build_object('method', ${method}::text)
    from (select set_config('synchronous_commit', 'off', true) offset 0) unhurried, people p where p.id = ${userId}`
}

/** Writes that a reset was asked for into the log of whoever has the address: the same statement if nobody has it. */
export async function recordResetRequested(tx: Transaction, email: string, origin: Origin): Promise<void> {
  await tx`
    insert into security_events (user_id, type, ip_address, user_agent)
    select p.id, 'password_reset.requested', ${origin.address}, ${origin.userAgent} from people p where p.email = ${email}`
}

/** The person and the origin of a request, as members of an event. */
export const by = (person: Person, origin: Origin) =>
  ({ userId: person.userId, sessionId: person.sessionId, deviceId: person.deviceId, origin }) as const

/** The person's events, newest first; of one type, if it is given. */
export const listSecurityEvents = (
  userId: UserId,
  { type, ...page }: PageRequest & { type?: SecurityEventType | undefined },
): Promise<Page<SecurityEvent>> =>
  pageOfPerson<SecurityEvent>(
    userId,
    'security_events',
    page,
    sql`select id, type, session_id, device_id, ip_address, user_agent, details, inserted_at as occurred_at
      from security_events where ${type === undefined ? sql`true` : sql`type = ${type}`}`,
  )

/** Security log of a person, written in the transaction of what it tells. */
import type postgres from 'postgres'
import type { Origin, Person } from '../../domain/people/actor.ts'
import type { DeviceId, SessionId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import type { SecurityEvent, SecurityEventType } from '../../domain/people/security-event.ts'
import { pageOfPerson } from '../../db/postgres/pagination.ts'
import { type Transaction, sql } from '../../db/postgres/sql.ts'

/** Context of a command of a signed-in person. */
export type Command<More = unknown> = {
  readonly tx: Transaction
  readonly person: Person
  readonly origin: Origin
} & More

export type NewSecurityEvent = {
  readonly type: SecurityEventType
  readonly userId: UserId
  readonly sessionId?: SessionId | null
  readonly deviceId?: DeviceId | null
  /** Null if the service itself acts. */
  readonly origin: Origin | null
  /** Never a secret, token, code or password. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

/** Writes one event, in a transaction or as a statement of its own. */
export async function recordSecurityEvent(tx: postgres.Sql | Transaction, event: NewSecurityEvent) {
  await tx`
    insert into security_events (user_id, type, session_id, device_id, ip_address, user_agent, details)
    values (${event.userId}, ${event.type}, ${event.sessionId ?? null}, ${event.deviceId ?? null},
      ${event.origin?.address ?? null}, ${event.origin?.userAgent ?? null}, ${sql.json(event.details ?? {})})`
}

/** Logs a failed sign-in by one statement for every address, without waiting for the disk: its time tells nothing. */
export async function recordFailure(userId: UserId | null, method: string, origin: Origin): Promise<void> {
  await sql`
    insert into security_events (user_id, type, ip_address, user_agent, details)
    select p.id, 'sign_in.failed', ${origin.address}, ${origin.userAgent}, jsonb_build_object('method', ${method}::text)
    from (select set_config('synchronous_commit', 'off', true) offset 0) unhurried, people p where p.id = ${userId}`
}

/** Logs the request of a password reset, by the same statement for every address. */
export async function recordResetRequested(tx: Transaction, email: string, origin: Origin): Promise<void> {
  await tx`
    insert into security_events (user_id, type, ip_address, user_agent)
    select p.id, 'password_reset.requested', ${origin.address}, ${origin.userAgent} from people p where p.email = ${email}`
}

export const by = (person: Person, origin: Origin) =>
  ({ userId: person.userId, sessionId: person.sessionId, deviceId: person.deviceId, origin }) as const

/** Lists what happened to the person; in a session of a company what its sessions did. */
export function listSecurityEvents(
  { userId, company }: Person,
  { type, ...page }: PageRequest & { type?: SecurityEventType | undefined },
): Promise<Page<SecurityEvent>> {
  const select = sql`
    select id, type, session_id, device_id, ip_address, user_agent, details, inserted_at as occurred_at
    from security_events where ${type === undefined ? sql`true` : sql`type = ${type}`}
      ${company ? sql`and session_id in (select s.id from sessions s where s.user_id = ${userId} and s.company_id = ${company})` : sql``}`
  return pageOfPerson<SecurityEvent>(userId, 'security_events', page, select)
}

/** Assurance of a session: what its sign-in proved beside the mailbox of its person. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import { JUST_SIGNED_IN_MINUTES, MAILBOX_HOURS } from '../../domain/sign-in/sign-in.ts'
import { type Fragment, type Transaction, first, sql } from '../../db/postgres/sql.ts'

/** The way of a sign-in. */
export type SignInMethod =
  | 'sign_up'
  | 'password'
  | 'device'
  | 'totp'
  | 'recovery_code'
  | 'passkey'
  | 'trusted_device'
  | 'totp_setup'
  | 'identity_provider'

/**
 * Ways in that prove a factor beside the password, now or when the device was trusted. `totp_setup` proves none: its
 * authenticator was added with the password alone, within a day.
 */
export const BY_FACTOR: readonly SignInMethod[] = ['totp', 'recovery_code', 'passkey', 'trusted_device']

/** The way in of a person who has lost their factor: one of a few codes is used up by it. */
export const BY_RECOVERY: readonly SignInMethod[] = ['recovery_code']

/** Ways in that are themselves a proof: a factor, or the mail with which a person of no factor begins. */
const BY_PROOF: readonly SignInMethod[] = ['sign_up', 'totp', 'recovery_code', 'passkey']

/** Builds the condition: the session was signed in to in one of these ways. */
export const isSignedInBy = (sessionId: SessionId, methods: readonly SignInMethod[]): Fragment => sql`
  exists (select from sessions s where s.id = ${sessionId} and s.method = any (${[...methods]}))`

/** Tells if the session has just begun, with a proof of its own (ASVS 7.5.1). */
export async function justProved({ sessionId }: Person): Promise<boolean> {
  const fresh = await sql`
    select from sessions s where s.id = ${sessionId} and ${isSignedInBy(sessionId, BY_PROOF)}
      and s.signed_in_at > business_now() - make_interval(mins => ${JUST_SIGNED_IN_MINUTES})`
  return fresh.length === 1
}

/** Selects until when the password of a person proves no more than their mailbox; null once it does. */
export const mailboxUntil = (userId: UserId): Fragment => untilOf(sql`${userId}`)

const untilOf = (person: Fragment, condition: Fragment = sql``): Fragment => sql`
  (select p.password_reset_at + make_interval(hours => ${MAILBOX_HOURS}) from people p where p.id = ${person} ${condition}
    and p.password_reset_at > business_now() - make_interval(hours => ${MAILBOX_HOURS}))`

/**
 * Selects until when a session `s` proves no more than a mailbox: its password was set by a mail within a day, its
 * sign-in proved no factor, and neither has a step-up since. Null for a delegate's, which a person with a proof made.
 */
export const sessionMailboxUntil = (s: Fragment): Fragment => sql`
  case when ${s}.delegate_id is null and not coalesce(${s}.method = any (${[...BY_FACTOR]}::text[]), false)
    then ${untilOf(
      sql`${s}.user_id`,
      sql`and not exists (select from step_ups u where u.session_id = ${s}.id and u.verified_at is not null
        and (u.factor <> 'messaging_code' or u.delivery <> 'email'))`,
    )} end`

/** Refuses as a session that has proved nothing but a mailbox; `until` says when that ends. */
export const refuseMailbox = (until: string): never => refuse('forbidden', { reason: 'mailbox_only', until })

/** Builds the condition: the person of a session `s` of a company is in another organization, too. */
const isElsewhere = (s: Fragment): Fragment => sql`
  exists (select from organizations_of(${s}.user_id) o where o.id <> ${s}.company_id)`

/** Refuses `forbidden` to a company's session of a person who is elsewhere, too. */
export async function requireNothingElsewhere({ sessionId }: Person): Promise<void> {
  const others = await sql`select from sessions s where s.id = ${sessionId} and ${isElsewhere(sql`s`)}`
  if (others.length > 0) refuse('forbidden', { reason: 'provider_session' })
}

/**
 * Refuses `forbidden` to a session that has proved nothing but a mailbox: a code by mail would prove nothing more. A
 * company may run the mailbox, too: a session that its provider opened takes a code by mail only to add a factor, and
 * only of a person who is in no other organization.
 */
export async function requireMoreThanMailbox(tx: Transaction, sessionId: SessionId, addsFactor = true): Promise<void> {
  const found = await first(tx<{ until: string | null; company: boolean; elsewhere: boolean }[]>`
    select ${sessionMailboxUntil(sql`s`)} as until, s.company_id is not null as company,
      ${isElsewhere(sql`s`)} as elsewhere
    from sessions s where s.id = ${sessionId}`)
  if (found?.until) refuseMailbox(found.until)
  if (found?.company && found.elsewhere) refuse('forbidden', { reason: 'provider_session' })
  if (found?.company && !addsFactor) refuse('forbidden', { reason: 'no_second_factor' })
}

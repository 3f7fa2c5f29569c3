/**
 * Sign-ups: the confirmation of an address creates the person. Its password is that of the sign-up only where the same
 * client confirms: anyone may sign up with another person's address, who then reads the mail and confirms.
 */
import type { Origin } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import {
  type AuthenticatedSession,
  type Confirmation,
  SIGN_UP_HOURS,
  type SignUp,
  type SignUpAnswer,
} from '../../domain/sign-in/sign-in.ts'
import { becauseEntered } from '../../domain/messages/footers.ts'
import type { MailContent } from '../../domain/messages/mail.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { requireInvited } from '../invitations/answers.ts'
import { linkToken } from '../../platform/mail-links.ts'
import { sendMessage } from '../messages/messages.ts'
import { type NewPerson, createPerson } from '../people/people.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { type Fragment, type Transaction, first, sql } from '../../db/postgres/sql.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { startSession } from './sign-in.ts'

type SignUpRequest = {
  readonly tx: Transaction
  readonly body: SignUp
  readonly passwordHash: string
  readonly origin: Origin
}

/**
 * Mails a token that confirms the address; an invitation's token, which proves the mailbox as well, creates the person at
 * once. From outside a known address looks like an unknown one: its owner gets another mail without a token, the work is
 * the same, and so is the answer to a sign-in with this password before the confirmation.
 */
export async function signUp({ tx, body, passwordHash: password_hash, origin }: SignUpRequest): Promise<SignUpAnswer> {
  const { email, invitation_token: invitation, first_name = null, last_name = null } = body
  if (invitation) {
    await requireInvited(tx, invitation, email)
    const invited = await enter(tx, { email, password_hash, first_name, last_name }, origin)
    if (invited) return invited
  }
  const [token, sign_up_token] = [newToken(), newToken()]
  const [asked] = await tx<{ known: boolean }[]>`
    insert into sign_ups (token_hash, client_hash, email, password_hash, first_name, last_name, expires_at)
    values (${tokenHash(token)}, ${tokenHash(sign_up_token)}, ${email}, ${password_hash}, ${first_name}, ${last_name},
      business_now() + make_interval(hours => ${SIGN_UP_HOURS}))
    returning exists (select from people where email = ${email}) as known`
  const message = asked?.known ? { mail: KNOWN } : { token, mail: confirmation(token) }
  await sendMessage(tx, { recipient: email, channel: 'email', ...message })
  return { status: 'confirmation_required', sign_up_token }
}

const ENTERED = becauseEntered('You receive this mail because a sign-up was begun with this address.')

const KNOWN: MailContent = {
  subject: 'You have an account already',
  paragraphs: ['This address has an account already: sign in with it, or ask for a new password.'],
  footer: ENTERED,
}

const confirmation = (token: string): MailContent => ({
  subject: 'Confirm your email address',
  paragraphs: [`Confirm your email address within ${SIGN_UP_HOURS} hours.`],
  action: linkToken('confirm-email', token, 'Confirm the address'),
  footer: ENTERED,
})

/** Token of a mail, and the hash of the password that replaces the one of its sign-up; null to take that one. */
type PreparedConfirmation = { readonly token: Buffer; readonly passwordHash: string | null }

/**
 * Finds the password of a confirmation: the one that it brings, else the one of the sign-up if the same client confirms.
 * Refuses `token_invalid`, `weak_password`, and `password_required` to any other client.
 */
export async function prepareConfirmation(body: Confirmation): Promise<PreparedConfirmation> {
  const { sign_up_token, password } = body
  const token = tokenHash(body.token)
  const asked = await first(sql<{ email: string; own: boolean }[]>`
    select email, coalesce(client_hash = ${sign_up_token ? tokenHash(sign_up_token) : null}, false) as own
    from sign_ups where ${isOpen(token)}`)
  if (!asked) refuse('token_invalid')
  if (password) return { token, passwordHash: await hashPassword(password, asked.email) }
  if (!asked.own) refuse('password_required')
  return { token, passwordHash: null }
}

/** Builds the condition on a sign-up: the mailed token is its own, and still good. */
const isOpen = (token: Buffer): Fragment => sql`
  token_hash = ${token} and used_at is null and expires_at > business_now()`

/** Creates the person of a sign-up and signs them in. The token works once. */
export async function confirmSignUp(
  tx: Transaction,
  { token, passwordHash }: PreparedConfirmation,
  origin: Origin,
): Promise<AuthenticatedSession> {
  const [confirmed] = await tx<NewPerson[]>`
    update sign_ups set used_at = business_now() where ${isOpen(token)}
    returning email, coalesce(${passwordHash}::text, password_hash) as password_hash, first_name, last_name`
  if (!confirmed) refuse('token_invalid')
  return (await enter(tx, confirmed, origin)) ?? refuse('token_invalid')
}

/** Creates a person with a confirmed address and signs them in; undefined if the address has a person. */
async function enter(tx: Transaction, confirmed: NewPerson, origin: Origin): Promise<AuthenticatedSession | undefined> {
  const userId = await createPerson(tx, confirmed)
  if (!userId) return undefined
  await recordSecurityEvent(tx, { type: 'sign_up.confirmed', userId, origin })
  return startSession(tx, { userId, deviceId: null, trust: false }, { method: 'sign_up', origin })
}

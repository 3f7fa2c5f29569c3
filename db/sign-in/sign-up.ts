/** Sign-ups: the confirmation of an address creates the person, with the password of the confirmed sign-up. */
import type { Origin } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { type Authenticated, SIGN_UP_HOURS, type SignUp, type SignUpAnswer } from '../../domain/sign-in/sign-in.ts'
import { becauseEntered } from '../../domain/messages/footers.ts'
import type { MailContent } from '../../domain/messages/mail.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { requireInvited } from '../invitations/answers.ts'
import { linkToken } from '../messages/links.ts'
import { sendMessage } from '../messages/messages.ts'
import { type NewPerson, createPerson } from '../people/people.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import type { Transaction } from '../sql.ts'
import { startSession } from './sign-in.ts'

type Wanted = {
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
export async function signUp({ tx, body, passwordHash: password_hash, origin }: Wanted): Promise<SignUpAnswer> {
  const { email, invitation_token: invitation, first_name = null, last_name = null } = body
  if (invitation) {
    await requireInvited(tx, invitation, email)
    const invited = await enter(tx, { email, password_hash, first_name, last_name }, origin)
    if (invited) return invited
  }
  const token = newToken()
  const [asked] = await tx<{ known: boolean }[]>`
    insert into sign_ups (token_hash, email, password_hash, first_name, last_name, expires_at)
    values (${tokenHash(token)}, ${email}, ${password_hash}, ${first_name}, ${last_name},
      business_now() + make_interval(hours => ${SIGN_UP_HOURS}))
    returning exists (select from people where email = ${email}) as known`
  const message = asked?.known ? { mail: KNOWN } : { token, mail: confirmation(token) }
  await sendMessage(tx, { recipient: email, channel: 'email', ...message })
  return { status: 'confirmation_required' }
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

/** Creates the person of a sign-up and signs them in. The token works once. */
export async function confirmSignUp(tx: Transaction, token: string, origin: Origin): Promise<Authenticated> {
  const [confirmed] = await tx<NewPerson[]>`
    update sign_ups set used_at = business_now()
    where token_hash = ${tokenHash(token)} and used_at is null and expires_at > business_now()
    returning email, password_hash, first_name, last_name`
  if (!confirmed) refuse('token_invalid')
  return (await enter(tx, confirmed, origin)) ?? refuse('token_invalid')
}

/** Creates a person with a confirmed address and signs them in; undefined if the address has a person. */
async function enter(tx: Transaction, confirmed: NewPerson, origin: Origin): Promise<Authenticated | undefined> {
  const userId = await createPerson(tx, confirmed)
  if (!userId) return undefined
  await recordSecurityEvent(tx, { type: 'sign_up.confirmed', userId, origin })
  return startSession(tx, { userId, deviceId: null, trust: false }, { method: 'sign_up', origin })
}

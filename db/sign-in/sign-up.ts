/** Sign-ups: a person exists from confirmation on, with the password that came with the confirmed token. */
import { whileInvited } from '../invitations/answers.ts'
import { mailedToken } from '../messages/links.ts'
import { sendMessage } from '../messages/messages.ts'
import type { Origin } from '../model/actor.ts'
import { refuse } from '../model/errors.ts'
import type { DeviceId, UserId } from '../model/ids.ts'
import { SIGN_UP_HOURS, type SignUp } from '../model/sign-in/sign-in.ts'
import { hashPassword } from './passwords.ts'
import { createPerson } from '../people/people.ts'
import { newToken, tokenHash } from '../encryption.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { openSession } from '../people/sessions.ts'
import { type Transaction, transaction } from '../sql.ts'

/**
 * Mails a token that confirms the address; with an invitation's token for an address that nobody has, which proves the
 * mailbox as well, makes the person at once and answers them signed in. Whether the address has a person already cannot be told from outside: its owner
 * gets another mail, the work is the same, and so is what signing in with this password answers until a confirmation,
 * which a known address never gets: its token is told to nobody. Refuses `weak_password`, and for an invitation's token
 * that does not invite this address `token_invalid` or `invitation_expired`.
 */
export async function signUp(wanted: SignUp, origin: Origin): Promise<NewMember | undefined> {
  const passwordHash = await hashPassword(wanted.password, wanted.email)
  if (wanted.invitation_token) {
    const invited = await signUpInvited(wanted, wanted.invitation_token, passwordHash, origin)
    if (invited) return invited
  }
  const token = newToken()
  await transaction(async (tx) => {
    const [asked] = await tx<{ known: boolean }[]>`
      insert into sign_ups (token_hash, email, password_hash, first_name, last_name, expires_at)
      values (${tokenHash(token)}, ${wanted.email}, ${passwordHash}, ${wanted.first_name ?? null},
        ${wanted.last_name ?? null}, business_now() + make_interval(hours => ${SIGN_UP_HOURS}))
      returning exists (select from people where email = ${wanted.email}) as known`
    await (asked?.known ? mailOwner(tx, wanted.email) : mailToken(tx, wanted.email, token))
  })
  return undefined
}

/** The person that an invitation's token vouches for; undefined where the address has one already. */
const signUpInvited = (wanted: SignUp, token: string, passwordHash: string, origin: Origin) =>
  whileInvited(token, wanted.email, (tx) =>
    enter(
      tx,
      {
        email: wanted.email,
        passwordHash,
        firstName: wanted.first_name ?? null,
        lastName: wanted.last_name ?? null,
      },
      origin,
    ),
  )

function mailToken(tx: Transaction, recipient: string, token: string): Promise<void> {
  const { how, ...mailed } = mailedToken('confirm-email', token)
  return sendMessage(tx, {
    recipient,
    channel: 'email',
    subject: 'Confirm your email address',
    body: `Confirm your email address within ${SIGN_UP_HOURS} hours. ${how}`,
    ...mailed,
  })
}

const mailOwner = (tx: Transaction, recipient: string): Promise<void> =>
  sendMessage(tx, {
    recipient,
    channel: 'email',
    subject: 'You have an account already',
    body: 'Somebody, perhaps you, tried to sign up with this email address. It has an account already: sign in with it, or ask for a new password.',
  })

/**
 * Makes the person and signs them in. The token works once; a wrong, used or expired one, and one whose address has a
 * person by now, is refused as `token_invalid`.
 */
export function confirmSignUp(token: string, origin: Origin): Promise<NewMember> {
  return transaction(async (tx) => {
    const [confirmed] = await tx<SignUpRow[]>`
      update sign_ups set used_at = business_now()
      where token_hash = ${tokenHash(token)} and used_at is null and expires_at > business_now()
      returning email, password_hash as "passwordHash", first_name as "firstName", last_name as "lastName"`
    if (!confirmed) refuse('token_invalid')
    return (await enter(tx, confirmed, origin)) ?? refuse('token_invalid')
  })
}

/** Makes a person with a confirmed address and signs them in; undefined where the address has a person. */
async function enter(tx: Transaction, confirmed: SignUpRow, origin: Origin): Promise<NewMember | undefined> {
  const userId = await createPerson(tx, confirmed)
  if (!userId) return undefined
  await recordSecurityEvent(tx, { type: 'sign_up.confirmed', userId, origin })
  const session = await openSession(tx, userId, null, { method: 'sign_up', origin })
  return { userId, token: session.token, deviceId: session.deviceId }
}

export type NewMember = { readonly userId: UserId; readonly token: string; readonly deviceId: DeviceId }

type SignUpRow = { email: string; passwordHash: string; firstName: string | null; lastName: string | null }

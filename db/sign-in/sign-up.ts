/** Sign-ups: the confirmation of an address creates the person, with the password of the confirmed sign-up. */
import { whileInvited } from '../invitations/answers.ts'
import { mailedToken } from '../messages/links.ts'
import { sendMessage } from '../messages/messages.ts'
import type { Origin } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { DeviceId, UserId } from '../../domain/ids.ts'
import { SIGN_UP_HOURS, type SignUp } from '../../domain/sign-in/sign-in.ts'
import { hashPassword } from './passwords.ts'
import { createPerson } from '../people/people.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { openSession } from '../people/sessions.ts'
import { type Transaction, transaction } from '../sql.ts'

/**
 * Mails a token that confirms the address. With an invitation's token, which proves the mailbox as well, and an unknown
 * address it creates the person at once and signs them in. From outside a known address looks like an unknown one: its
 * owner gets another mail, the work is the same, and so is the answer to a sign-in with this password before the
 * confirmation. A known address is never confirmed: its token is mailed to nobody. Refuses `weak_password`, and for an
 * invitation's token that does not invite this address `token_invalid` or `invitation_expired`.
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

/** Creates the person whose address an invitation's token proves; undefined if the address has a person already. */
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

function mailToken(tx: Transaction, recipient: string, token: string): Promise<unknown> {
  const { how, ...mailed } = mailedToken('confirm-email', token)
  return sendMessage(tx, {
    recipient,
    channel: 'email',
    subject: 'Confirm your email address',
    body: `Confirm your email address within ${SIGN_UP_HOURS} hours. ${how}`,
    ...mailed,
  })
}

const mailOwner = (tx: Transaction, recipient: string): Promise<unknown> =>
  sendMessage(tx, {
    recipient,
    channel: 'email',
    subject: 'You have an account already',
    body: 'Somebody, perhaps you, tried to sign up with this email address. It has an account already: sign in with it, or ask for a new password.',
  })

/**
 * Creates the person and signs them in. The token works once. Refuses `token_invalid` for a wrong, used or expired
 * token, and if the address has a person by now.
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

/** Creates a person with a confirmed address and signs them in; undefined if the address has a person. */
async function enter(tx: Transaction, confirmed: SignUpRow, origin: Origin): Promise<NewMember | undefined> {
  const userId = await createPerson(tx, confirmed)
  if (!userId) return undefined
  await recordSecurityEvent(tx, { type: 'sign_up.confirmed', userId, origin })
  const session = await openSession(tx, userId, null, { method: 'sign_up', origin })
  return { userId, token: session.token, deviceId: session.deviceId }
}

export type NewMember = { readonly userId: UserId; readonly token: string; readonly deviceId: DeviceId }

type SignUpRow = { email: string; passwordHash: string; firstName: string | null; lastName: string | null }

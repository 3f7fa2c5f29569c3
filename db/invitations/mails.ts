/** The mails about an invitation: to whoever is invited, and back to whoever invited. */
import { sendMessage } from '../messages/messages.ts'
import { mailedToken } from '../messages/links.ts'
import type { InvitationId, UserId } from '../../domain/ids.ts'
import { INVITATION_DAYS } from '../../domain/invitations/invitation.ts'
import type { Role } from '../../domain/permissions.ts'
import { quotedInMail } from '../../domain/text.ts'
import { countMails } from '../rate-limits.ts'
import type { Tx } from '../sql.ts'

/** A mail that invites: whom, as what, and the token that it carries. */
export type InvitationMail = {
  readonly email: string
  readonly role: Role
  readonly token: string
}

type Inviter = { organization: string; name: string | null; email: string }

/**
 * Mails each of them if the transaction commits. Refuses `rate_limited` if an address has had as many mails as it may
 * from anybody.
 */
export async function mailInvitations(tx: Tx, invitedBy: UserId, mails: readonly InvitationMail[]): Promise<void> {
  const [names] = await tx<Inviter[]>`
    select o.name as organization, nullif(concat_ws(' ', p.first_name, p.last_name), '') as name, p.email
    from organizations o, people p where o.id = ${tx.organizationId} and p.id = ${invitedBy}`
  if (!names) throw new Error('an invitation by nobody')
  await countMails(
    tx,
    mails.map(({ email }) => email),
  )
  await Promise.all(mails.map((mail) => sendMessage(tx, letter(names, mail))))
}

function letter({ organization, name, email: inviter }: Inviter, { email, role, token }: InvitationMail) {
  const { how, ...mailed } = mailedToken('invitation', token)
  return {
    recipient: email,
    channel: 'email',
    subject: 'You are invited to an organization',
    body: `${name === null ? inviter : `${quotedInMail(name)} (${inviter})`} invites you to join ${quotedInMail(organization)} as ${role}. Sign in, or sign up with this address, and accept or decline within ${INVITATION_DAYS} days. ${how}`,
    ...mailed,
  } as const
}

/** Tells whoever invited, if they are still a member, what became of it. */
export async function mailInviter(tx: Tx, id: InvitationId, answer: 'accepted' | 'declined'): Promise<void> {
  const [told] = await tx<{ recipient: string; email: string; role: Role; organization: string }[]>`
    select p.email as recipient, i.email, i.role, o.name as organization
    from invitations i
    join organizations o on o.id = i.organization_id
    join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
    join people p on p.id = m.user_id
    where i.id = ${id}`
  if (!told) return
  await sendMessage(tx, {
    recipient: told.recipient,
    channel: 'email',
    subject: `Your invitation was ${answer}`,
    body: `${told.email} ${answer} your invitation to ${quotedInMail(told.organization)} as ${told.role}.`,
  })
}

/** Mails about an invitation: to the invited person, and back to the inviter. */
import type { InvitationId, UserId } from '../../domain/ids.ts'
import { INVITATION_DAYS } from '../../domain/invitations/invitation.ts'
import type { Role } from '../../domain/permissions.ts'
import { quotedInMail } from '../../domain/text.ts'
import { mailedToken } from '../messages/account-notices.ts'
import { sendMessage } from '../messages/messages.ts'
import { countMails } from '../rate-limits.ts'
import type { Tx } from '../sql.ts'

export type InvitationMail = { readonly email: string; readonly role: Role; readonly token: string }

/** Mails each of them if the transaction commits. Refuses `rate_limited` for an address with too many mails. */
export async function mailInvitations(tx: Tx, invitedBy: UserId, mails: readonly InvitationMail[]): Promise<void> {
  const [names] = await tx<{ organization: string; name: string | null; email: string }[]>`
    select o.name as organization, nullif(concat_ws(' ', p.first_name, p.last_name), '') as name, p.email
    from organizations o, people p where o.id = ${tx.organizationId} and p.id = ${invitedBy}`
  if (!names) throw new Error('an invitation by nobody')
  const addresses = mails.map(({ email }) => email)
  await countMails(tx, addresses)
  const inviter = names.name === null ? names.email : `${quotedInMail(names.name)} (${names.email})`
  for (const { email, role, token } of mails) {
    const { how, ...mailed } = mailedToken('invitation', token)
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      subject: 'You are invited to an organization',
      body: `${inviter} invites you to join ${quotedInMail(names.organization)} as ${role}. Sign in, or sign up with this address, and accept or decline within ${INVITATION_DAYS} days. ${how}`,
      ...mailed,
    })
  }
}

/** Mails the answer to the inviter, if they are still a member. */
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

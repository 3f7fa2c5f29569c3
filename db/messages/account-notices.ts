/** Mails to a person about their account, so that they can object; and the tokens that mails carry. */
import type { UserId } from '../../domain/ids.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { type Permission, ROLES, can } from '../../domain/permissions.ts'
import { config } from '../../platform/config.ts'
import type { Transaction, Tx } from '../sql.ts'
import { sendMessage } from './messages.ts'

/** Mails the person's primary address if the transaction commits. The text holds no secret. */
export async function notify(tx: Transaction, userId: UserId, notice: Pick<NewMessage, 'subject' | 'body'>) {
  const [person] = await tx<{ email: string }[]>`select email from people where id = ${userId}`
  if (!person) throw new Error('a notice to nobody')
  await sendMessage(tx, {
    recipient: person.email,
    channel: 'email',
    subject: notice.subject,
    body: `${notice.body} If this was not you, change your password and end your other sessions.`,
  })
}

/** Writes to every confirmed address of the person, mail and phone. */
export async function notifyEverywhere(
  tx: Transaction,
  userId: UserId,
  notice: Pick<NewMessage, 'subject' | 'body' | 'token' | 'url'>,
): Promise<void> {
  const addresses = await tx<Pick<NewMessage, 'recipient' | 'channel'>[]>`
    select email as recipient, 'email' as channel from people where id = ${userId}
    union all
    select e164, 'message' from phone_numbers where user_id = ${userId} and confirmed_at is not null`
  for (const address of addresses) await sendMessage(tx, { ...notice, ...address })
}

/** Words a token for a mail: as a link to its page, behind the `#`, which no server logs. */
export function wordToken(
  page: 'confirm-email' | 'reset-password' | 'keep-factors' | 'invitation',
  token: string,
): { readonly token: string; readonly url: string; readonly how: string } {
  const url = `${config.appUrl}/${page}#token=${encodeURIComponent(token)}`
  return { token, url, how: `Follow this link: ${url}` }
}

type Manager = { readonly email: string; readonly organization: string }

/** Lists the members who have a permission: their address, and the organization's name. */
export async function managersWith(tx: Tx, permission: Permission): Promise<Manager[]> {
  const managing = ROLES.filter((role) => can(role, permission))
  return tx<Manager[]>`
    select p.email, o.name as organization from members m join people p on p.id = m.user_id
    join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.role = any (${managing}) order by p.id`
}

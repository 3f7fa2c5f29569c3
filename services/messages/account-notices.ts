/** Mails to a person about their account, so that they can object. */
import type { UserId } from '../../domain/ids.ts'
import { aboutAccount, aboutOrganization } from '../../domain/messages/footers.ts'
import type { Action, Fact } from '../../domain/messages/mail.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { grants, type Permission, ROLES } from '../../domain/permissions.ts'
import type { Transaction, Tx } from '../../db/postgres/sql.ts'
import { linkDevices } from '../../platform/mail-links.ts'
import { sendMessage } from './messages.ts'

/** Change of an account, or of its membership in an organization. */
type Notice = {
  readonly subject: string
  readonly body: string
  readonly facts?: readonly Fact[]
  readonly organization?: string
}

/** Mails the person's primary address if the transaction commits. The text holds no secret. */
export async function notify(tx: Transaction, userId: UserId, notice: Notice): Promise<void> {
  const { subject, body, facts = [], organization } = notice
  const [person] = await tx<{ email: string }[]>`select email from people where id = ${userId}`
  if (!person) throw new Error('a notice to nobody')
  await sendMessage(tx, {
    recipient: person.email,
    channel: 'email',
    mail: { subject, paragraphs: [body], facts, action: linkDevices(), footer: aboutAccount(organization) },
  })
}

/** Writes to every confirmed address of the person, mail and phone. */
export async function notifyEverywhere(
  tx: Transaction,
  userId: UserId,
  { subject, body, facts = [], ...linked }: Notice & { readonly token?: string; readonly action?: Action },
): Promise<void> {
  const { token, action } = linked
  const mail = { subject, paragraphs: [body], facts, ...(action && { action }), footer: aboutAccount() }
  const addresses = await tx<Pick<NewMessage, 'recipient' | 'channel'>[]>`
    select email as recipient, 'email' as channel from people where id = ${userId}
    union all
    select e164, 'message' from phone_numbers where user_id = ${userId} and confirmed_at is not null`
  for (const address of addresses) await sendMessage(tx, { ...address, mail, ...(token !== undefined && { token }) })
}

type Manager = { readonly email: string; readonly organization: string }

/** Lists the members who have a permission: their address, and the organization's name. */
export async function managersWith(tx: Tx, permission: Permission): Promise<Manager[]> {
  const managing = ROLES.filter((role) => grants(role, permission))
  return tx<Manager[]>`
    select p.email, o.name as organization from members m join people p on p.id = m.user_id
    join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.role = any (${managing})
      and not (${permission} = any (m.permissions_removed)) order by p.id`
}

/** Mails all owners of the organization. */
export async function mailOwners(tx: Tx, subject: string, write: (organization: string) => string[]): Promise<void> {
  const owners = await tx<{ email: string; name: string }[]>`
    select p.email, o.name from members m join people p on p.id = m.user_id
    join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.role = 'owner' order by p.id`
  for (const { email, name } of owners) {
    const mail = { subject, paragraphs: write(name), footer: aboutOrganization(name) }
    await sendMessage(tx, { recipient: email, channel: 'email', mail })
  }
}

/** The mail that an endpoint was disabled, to those who can enable it. */
import { sendMessage } from '../messages/messages.ts'
import type { EndpointId } from '../model/ids.ts'
import { type Role, ROLES, can } from '../model/permissions.ts'
import { quoted } from '../model/text.ts'
import type { Tx } from '../sql.ts'

const managing: readonly Role[] = ROLES.filter((role) => can(role, 'organization.update'))

/** Mails everybody who may enable it again, if the transaction commits. */
export async function notifyOfDisabled(tx: Tx, id: EndpointId, reason: 'gone' | 'failures' | 'person'): Promise<void> {
  const people = await tx<{ email: string; organization: string; url: string }[]>`
    select p.email, o.name as organization, e.url from webhook_endpoints e
    join organizations o on o.id = e.organization_id join members m on m.organization_id = o.id
    join people p on p.id = m.user_id
    where e.id = ${id} and m.role = any (${[...managing]}) order by p.id`
  for (const { email, organization, url } of people) {
    const host = new URL(url).host
    const why =
      reason === 'gone'
        ? `${host} answered that nothing takes them there any more (410).`
        : `${host} has taken none of them for five days.`
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      subject: 'Events are not delivered any more',
      body: `Events of ${quoted(organization)} are not delivered to a webhook endpoint any more: ${why} Nothing is lost: enable the endpoint, and delivery goes on where it stopped. No money is affected.`,
    })
  }
}

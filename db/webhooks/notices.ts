/** The mail that an endpoint was disabled, to those who can enable it. */
import { managersWith } from '../messages/account-notices.ts'
import { sendMessage } from '../messages/messages.ts'
import type { EndpointId } from '../../domain/ids.ts'
import { quotedInMail } from '../../domain/text.ts'
import type { DisabledReason } from '../../domain/webhooks/endpoint.ts'
import { type Tx, within } from '../sql.ts'
import { findEndpoint } from './endpoints.ts'

/** Nobody is told of what somebody did on purpose. */
export type Failing = Exclude<DisabledReason, 'person'>

/** Mails everybody who may enable it again, if the transaction commits. */
export async function notifyOfDisabled(tx: Tx, id: EndpointId, reason: Failing): Promise<void> {
  const { host } = new URL((await findEndpoint(within(tx), id)).url)
  const why =
    reason === 'gone'
      ? `${host} answered that nothing takes them there any more (410).`
      : `${host} has taken none of them for five days.`
  for (const { email, organization } of await managersWith(tx, 'organization.update')) {
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      subject: 'Events are not delivered any more',
      body: `Events of ${quotedInMail(organization)} are not delivered to a webhook endpoint any more: ${why} Nothing is lost: enable the endpoint, and delivery goes on where it stopped. No money is affected.`,
    })
  }
}

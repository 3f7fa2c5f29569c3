/** Messenger for phones. The stand-in of the mail server has the same API. */
import * as v from 'valibot'
import type { MessageId } from '../domain/ids.ts'
import { type Connection, isOfDriver } from '../platform/connections.ts'
import { type PartnerEndpoint, endpointOf, requestPartner } from './http.ts'
import { idOf } from './schemas.ts'
import { sendByTwilio } from './twilio/messages.ts'

/** Message. `to` is an E.164 phone number; at the stand-in of the mail server an address, with a subject. */
export type MessageOrder = { readonly to: string; readonly text: string; readonly subject?: string }

/** Sends a message to a phone by the connection of messengers; `isRepeat`: it may have been sent before. */
export async function sendToPhone(
  messenger: Connection,
  id: MessageId,
  body: MessageOrder,
  isRepeat: boolean,
): Promise<void> {
  const endpoint = endpointOf(messenger)
  if (isOfDriver(messenger, 'twilio')) return sendByTwilio(messenger, endpoint, body, isRepeat)
  await putMessage(endpoint, id, body)
}

/** Sends a message, once for each id. Fails as `requestPartner` does. */
export async function putMessage(endpoint: PartnerEndpoint, id: MessageId, body: MessageOrder): Promise<void> {
  const answer = v.object({ id: idOf(id), status: v.literal('accepted') })
  await requestPartner(endpoint, { method: 'PUT', path: `/v1/messages/${id}`, body, answer })
}

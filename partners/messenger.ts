/** The messenger: delivers messages to phones. The stand-in of the mail server is asked in the same way. */
import * as v from 'valibot'
import type { MessageId } from '../domain/ids.ts'
import { type PartnerEndpoint, requestPartner } from './http.ts'
import { idOf } from './schemas.ts'

/** `to` is a phone number as E.164 writes it; at the stand-in of the mail server an address, and there is a subject. */
export type MessageOrder = { readonly to: string; readonly text: string; readonly subject?: string }

/** Has a message delivered, once however often it is asked for under this id. Fails as `requestPartner` says. */
export async function putMessage(endpoint: PartnerEndpoint, id: MessageId, body: MessageOrder): Promise<void> {
  const answer = v.object({ id: idOf(id), status: v.literal('accepted') })
  await requestPartner(endpoint, { method: 'PUT', path: `/v1/messages/${id}`, body, answer })
}

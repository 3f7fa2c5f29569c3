/** Step of a message at its partner: mails at the mail server, messages to phones at the messenger. */
import { config } from '../platform/config.ts'
import type { PartnerAccess } from '../platform/partner-access.ts'
import { bytesOf } from '../services/files/files.ts'
import { noteInvoiceMail } from '../services/invoices/mails.ts'
import { StorageAway, keyOf } from '../platform/storage/storage.ts'
import { log } from '../platform/log.ts'
import { type Delivery, type QueuedMessage, recordDelivery, takeQueued } from '../services/messages/messages.ts'
import type { MessageId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { transaction } from '../db/postgres/sql.ts'
import { asksToWait, endpointAt, isFinal, partnerRefusal } from '../partners/http.ts'
import { sendMail } from '../partners/mail.ts'
import { putMessage, sendToPhone } from '../partners/messenger.ts'

/** Sends a queued message, and records the answer; a refusal is final. */
export async function deliverMessage({ id }: ProcessRef<MessageId>): Promise<void> {
  const message = await takeQueued(id)
  if (!message) return
  const delivery = await handOverWhole(id, message)
  await transaction((tx) => recordDelivery(tx, id, delivery, noteInvoiceMail))
}

/** Sends a message with its attachment. Retries while storage is away; fails if the file is lost. */
async function handOverWhole(id: MessageId, message: QueuedMessage): Promise<Delivery> {
  const { attachment } = message
  if (!attachment) return handOver(id, message)
  try {
    const bytes = await bytesOf({ key: keyOf(attachment.file_id, attachment.stored_as), sha256: attachment.sha256 })
    return bytes ? await handOver(id, message, bytes) : { outcome: 'refused', note: 'attachment lost' }
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error
    return { outcome: 'untaken' }
  }
}

function handOver(id: MessageId, message: QueuedMessage, attached?: Buffer): Promise<Delivery> {
  const { recipient: to, subject, text, isRepeat } = message
  const { messenger, mail } = config.partners
  if (message.channel === 'message')
    return order('messenger', messenger, id, (at) => sendToPhone(at, id, { to, text }, isRepeat))
  if (config.smtpUrl) return sendMail(id, message, attached)
  return order('mail', mail, id, (at) => putMessage(endpointAt('mail', at), id, { to, subject, text }))
}

/** Sends a message by HTTP. Logs only the code of the messenger's answer, which may repeat phone numbers. */
async function order<Access extends Pick<PartnerAccess, 'standIn'>>(
  party: 'messenger' | 'mail',
  access: Access | null,
  id: MessageId,
  send: (access: Access) => Promise<void>,
): Promise<Delivery> {
  if (!access) {
    log.error({ message_id: id }, 'the worker lacks MESSENGER_URL: messages to phones wait')
    return { outcome: 'untaken' }
  }
  try {
    await send(access)
    return { outcome: access.standIn ? 'kept' : 'taken' }
  } catch (failure) {
    const refusal = partnerRefusal(failure)
    const refused = isFinal(failure)
    const reason = refusal ? `refused: ${refusal.code}` : failure instanceof Error ? failure.message : 'unknown'
    log.warn({ message_id: id, party, reason, refused }, 'the messenger did not accept a message')
    return refused ? { outcome: 'refused', note: reason } : { outcome: 'untaken', pauseSeconds: asksToWait(failure) }
  }
}

/** Has messages delivered: mails by the mail server, messages to phones by the messenger. */
import { config } from '../platform/config.ts'
import type { PartnerAccess } from '../platform/partner-access.ts'
import { bytesOf } from '../db/files/files.ts'
import { StorageAway, keyOf } from '../platform/storage/storage.ts'
import { log } from '../platform/log.ts'
import { type Delivery, type QueuedMessage, FOR_NOTHING, recordDelivery, takeQueued } from '../db/messages/messages.ts'
import type { MessageId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { transaction } from '../db/sql.ts'
import { asksToWait, endpointAt, isFinal, partnerRefusal } from '../partners/http.ts'
import { sendMail } from '../partners/mail.ts'
import { putMessage } from '../partners/messenger.ts'

/**
 * Hands a queued message to who delivers it, and records what became of it; nothing if it is queued no longer. It has
 * failed for good if it is refused, or of no use any more, and is tried again otherwise, for a day.
 * @public the workflow calls it by its proxy
 */
export async function deliverMessage({ id }: ProcessRef): Promise<void> {
  const messageId = id as MessageId // the ref of a message's process
  const message = await takeQueued(messageId)
  if (!message) return
  const delivery = message.useless ? FOR_NOTHING : await handOverWhole(messageId, message)
  await transaction((tx) => recordDelivery(tx, messageId, delivery))
}

/** With its attachment, if it has one: it waits while storage is away, and fails if the file is lost. */
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
  const { recipient: to, subject, text } = message
  if (message.channel === 'message') return order('messenger', config.partners.messenger, id, { to, text })
  return config.smtpUrl
    ? sendMail(id, message, attached)
    : order('mail', config.partners.mail, id, { to, subject, text })
}

/**
 * Orders a message by HTTP. Nothing is kept or logged of what the messenger says but its code: it may repeat numbers.
 */
async function order(
  party: 'messenger' | 'mail',
  access: PartnerAccess | null,
  id: MessageId,
  body: Parameters<typeof putMessage>[2],
): Promise<Delivery> {
  if (!access) {
    log.error({ message_id: id }, 'MESSENGER_URL is not set where the worker runs: messages wait')
    return { outcome: 'untaken' }
  }
  try {
    await putMessage(endpointAt(party, access), id, body)
    return { outcome: access.standIn ? 'kept' : 'taken' }
  } catch (failure) {
    const refusal = partnerRefusal(failure)
    const refused = isFinal(failure)
    const reason = refusal ? `refused: ${refusal.code}` : failure instanceof Error ? failure.message : 'unknown'
    log.warn({ message_id: id, party, reason, refused }, 'the messenger did not take a message')
    return refused ? { outcome: 'refused', note: reason } : { outcome: 'untaken', pauseSeconds: asksToWait(failure) }
  }
}

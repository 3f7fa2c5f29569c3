/** Callbacks of Increase: events, signed by Standard Webhooks with the secret of the subscription. */
import type { Event } from 'increase/resources/events'
import * as v from 'valibot'
import { line } from '../../domain/text.ts'
import type { Hint, SentCallback } from '../driver.ts'
import { verifyWebhook } from '../standard-webhooks.ts'
import { arrivalOfId, arrivalOfType } from './inbound.ts'
import { operationOfId, operationOfType } from './transfers.ts'
import { reads } from './words.ts'

const Facts = reads<Event>()(
  v.object({ associated_object_id: v.pipe(v.string(), line(1, 255)), associated_object_type: v.string() }),
)

/** Verifies a callback, and reads which transfer it is about; others are ignored. */
export function readCallback(secret: string | null, callback: SentCallback): readonly Hint[] {
  // Increase signs with the bytes of the secret as it is written, not with what they may stand for
  const messageId = verifyWebhook(secret && `whsec_${Buffer.from(secret).toString('base64')}`, callback)
  const { associated_object_id: theirId, associated_object_type: type } = callback.read(Facts)
  if (operationOfType(type) && operationOfId(theirId)) return [{ messageId, subject: 'payout', named: { theirId } }]
  if (arrivalOfType(type) && arrivalOfId(theirId)) return [{ messageId, subject: 'deposit', named: { theirId } }]
  return []
}

/** Signatures of callbacks by Standard Webhooks, as several providers sign them. */
import { Webhook } from 'standardwebhooks'
import { refuse } from '../domain/errors.ts'
import type { SentCallback } from './driver.ts'

/** Printable, without blanks, and short enough to be kept. */
const WEBHOOK_ID = /^[\x21-\x7e]{1,255}$/
const TIMESTAMP = /^\d{1,12}$/

const SECONDS_OFF_MAX = 300

/** Refuses `not_authenticated` by the headers alone, before a body is read: one that is not signed, or not now. */
export function requireSignedNow(headers: Headers): void {
  const timestamp = headers.get('webhook-timestamp') ?? ''
  const isNow = TIMESTAMP.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= SECONDS_OFF_MAX
  const isSigned = WEBHOOK_ID.test(headers.get('webhook-id') ?? '') && headers.has('webhook-signature')
  if (!isSigned || !isNow) refuse('not_authenticated')
}

/**
 * Verifies a signature of the last five minutes, and answers the id of the message; refuses any other as
 * `not_authenticated`. While a secret changes, the message may carry a signature for each.
 */
export function verifyWebhook(secret: string | null, { raw, headers }: Pick<SentCallback, 'raw' | 'headers'>): string {
  const [signedId = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  )
  if (!secret || !WEBHOOK_ID.test(signedId) || !TIMESTAMP.test(timestamp)) refuse('not_authenticated')
  const signed = { 'webhook-id': signedId, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  try {
    new Webhook(secret).verify(Buffer.from(raw), signed, { jsonParse: false })
  } catch {
    refuse('not_authenticated')
  }
  return signedId
}

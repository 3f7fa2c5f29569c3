/** Callbacks of partners that speak our own protocol: signed by Standard Webhooks. */
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { refuse } from '../../domain/errors.ts'
import { id } from '../../domain/ids.ts'
import { line } from '../../domain/text.ts'
import type { Hint, SentCallback } from '../driver.ts'

const VERSION_MAX = 1_000_000

/** The subjects of known types of callbacks; others are ignored. */
const SUBJECTS: Readonly<Record<string, Hint['subject']>> = {
  'payout.updated': 'payout',
  'deposit.updated': 'deposit',
}

const Kind = v.object({ type: line(1, 64) })
/** A version that cannot be one is as none: it would be waited for. */
const Named = v.object({
  id: id(),
  version: v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(VERSION_MAX))), undefined),
})

/** Verifies a callback, and reads what it names. */
export function readCallback(secret: string | null, callback: SentCallback): readonly Hint[] {
  const messageId = verifySignature(secret, callback)
  const subject = SUBJECTS[callback.read(Kind).type]
  if (!subject) return []
  const { id: named, version } = callback.read(Named)
  return [{ messageId, subject, named: { id: named }, ...(version !== undefined && { version }) }]
}

/** Printable, without blanks, and short enough to be kept. */
const WEBHOOK_ID = /^[\x21-\x7e]{1,255}$/
const TIMESTAMP = /^\d{1,12}$/

/**
 * Verifies a signature of the last five minutes, and answers the id of the message; refuses any other as
 * `not_authenticated`. While a secret changes, the message may carry a signature for each.
 */
function verifySignature(secret: string | null, { raw, headers }: SentCallback): string {
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

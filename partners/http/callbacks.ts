/** Callbacks of partners that speak our own protocol: signed by Standard Webhooks. */
import * as v from 'valibot'
import { id } from '../../domain/ids.ts'
import { line } from '../../domain/text.ts'
import type { Hint, SentCallback } from '../driver.ts'
import { verifyWebhook } from '../standard-webhooks.ts'

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
  const messageId = verifyWebhook(secret, callback)
  const subject = SUBJECTS[callback.read(Kind).type]
  if (!subject) return []
  const { id: named, version } = callback.read(Named)
  return [{ messageId, subject, named: { id: named }, ...(version !== undefined && { version }) }]
}

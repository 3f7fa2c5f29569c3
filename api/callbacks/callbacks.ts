/** Callbacks of partners: hints that something changed, which make us ask them. */
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { noteBehind } from '../../services/audit/behind.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { refuse } from '../../domain/errors.ts'
import { id } from '../../domain/ids.ts'
import { MONEY_PARTNERS, type MoneyPartner } from '../../domain/partner.ts'
import { line } from '../../domain/text.ts'
import { type PartnerCallback, recordCallback } from '../../services/callbacks/callbacks.ts'
import { jsonOf } from '../http/input.ts'
import { operations, raw } from '../http/operation.ts'
import { type Message } from '../http/route.ts'
import { parse } from '../http/validation.ts'

const { byHand } = operations('Partners')

const VERSION_MAX = 1_000_000

/** The subjects of known types of callbacks; others are ignored. */
const SUBJECTS: Readonly<Record<string, PartnerCallback['subject']>> = {
  'payout.updated': 'payment',
  'deposit.updated': 'deposit',
}

const Kind = v.object({ type: line(1, 64) })
/** A version that cannot be one is as none: it would be waited for. */
const Named = v.object({
  id: id(),
  version: v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(VERSION_MAX))), undefined),
})

export const callbacks = [
  byHand('post', '/partners/{partner}/callbacks', 'receivePartnerCallback')
    .says('Receive a callback of a partner', 'Signed by Standard Webhooks.')
    .for('anyone')
    .named(v.object({ partner: line(1, 64) }))
    .takes(raw)
    .refuses('not_authenticated')
    .atRoot()
    .answers(v.object({}), 204)
    // a call about nothing of ours opens no transaction, and what the database lacks is noted in one of its own
    .does(async ({ params, message }) => {
      const partner =
        MONEY_PARTNERS.find((name) => name === params.partner && config.partners[name]) ?? refuse('not_found')
      const signedId = verifySignature(partner, message)
      const body = jsonOf(message.body, message.headers.get('content-type') ?? '')
      const subject = SUBJECTS[parse(Kind, body).type]
      if (subject) {
        const { id: subjectId, version } = parse(Named, body)
        const called = { partner, id: signedId, subject, subjectId, ...(version !== undefined && { version }) }
        const { isUnknown } = await recordCallback(called)
        if (isUnknown) await noteUnknown(partner, subjectId)
      }
      return {}
    }),
]

/** Notes a payment that a partner has and the database lacks: it was put back to an earlier state. */
async function noteUnknown(partner: MoneyPartner, paymentId: string): Promise<void> {
  log.error({ partner, payment_id: paymentId }, 'a partner called about an unknown payment')
  await noteBehind([{ organizationId: null, subject: `payment:${paymentId}` }])
}

/** Printable, without blanks, and short enough to be kept. */
const WEBHOOK_ID = /^[\x21-\x7e]{1,255}$/
const TIMESTAMP = /^\d{1,12}$/

/**
 * Verifies a signature of the last five minutes, and answers the id of the message; refuses any other as
 * `not_authenticated`. While a secret changes, the message may carry a signature for each.
 */
function verifySignature(partner: MoneyPartner, { body, headers }: Message): string {
  const [signedId = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  )
  const secret = config.partners[partner]?.callbackSecret
  if (!secret || !WEBHOOK_ID.test(signedId) || !TIMESTAMP.test(timestamp)) refuse('not_authenticated')
  const signed = { 'webhook-id': signedId, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  try {
    new Webhook(secret).verify(Buffer.from(body), signed, { jsonParse: false })
  } catch {
    refuse('not_authenticated')
  }
  return signedId
}

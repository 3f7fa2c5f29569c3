/** Callbacks of partners: hints that something changed, which make us ask them. */
import * as v from 'valibot'
import { noteBehind } from '../../services/audit/behind.ts'
import { log } from '../../platform/log.ts'
import { refuse } from '../../domain/errors.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { line } from '../../domain/text.ts'
import type { Hint } from '../../partners/driver.ts'
import { findMoneyPartner } from '../../partners/money-partners.ts'
import { recordCallback } from '../../services/callbacks/callbacks.ts'
import { jsonOf } from '../http/input.ts'
import { operations, raw } from '../http/operation.ts'
import { parse } from '../http/validation.ts'

const { byHand } = operations('Partners')

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
      const { partner } = params
      const driver = findMoneyPartner(partner) ?? refuse('not_found')
      const { headers, body } = message
      const type = headers.get('content-type') ?? ''
      const hints = driver.readCallback({ headers, raw: body, read: (schema) => parse(schema, jsonOf(body, type)) })
      for (const hint of hints) await recordHint(partner, hint)
      return {}
    }),
]

async function recordHint(partner: ConnectionName, { messageId, subject, named, version }: Hint): Promise<void> {
  if (!('id' in named)) return
  const { id: subjectId } = named
  const about = { subject: subject === 'payout' ? 'payment' : subject, subjectId } as const
  const called = { partner, id: messageId, ...about, ...(version !== undefined && { version }) }
  const { isUnknown } = await recordCallback(called)
  if (isUnknown) await noteUnknown(partner, subjectId)
}

/** Notes a payment that a partner has and the database lacks: it was put back to an earlier state. */
async function noteUnknown(partner: ConnectionName, paymentId: string): Promise<void> {
  log.error({ partner, payment_id: paymentId }, 'a partner called about an unknown payment')
  await noteBehind([{ organizationId: null, subject: `payment:${paymentId}` }])
}

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
import { findPaymentOfFallback, findPaymentsOf, nameDeposits } from '../../services/partner-orders/their-ids.ts'
import { jsonOf } from '../http/input.ts'
import { noteRefused } from './refused.ts'
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
      const hints = readHints(partner, () =>
        driver.readCallback({ headers, raw: body, read: (schema) => parse(schema, jsonOf(body, type)) }),
      )
      for (const [position, hint] of hints.entries()) await recordHint(partner, hint, position)
      return {}
    }),
]

/** Reads the hints of a callback; counts one that is refused. */
function readHints(partner: ConnectionName, read: () => readonly Hint[]): readonly Hint[] {
  try {
    return read()
  } catch (error) {
    noteRefused(partner)
    throw error
  }
}

/** Records what a callback names: each once for a message. A payout that nobody can name is polled anyway. */
async function recordHint(partner: ConnectionName, hint: Hint, position: number): Promise<void> {
  const { messageId, subject, version } = hint
  const subjectId = await subjectOf(partner, hint)
  if (subjectId === null) return
  const id = position === 0 ? messageId : `${messageId}#${position}`
  const about = { subject: subject === 'payout' ? 'payment' : subject, subjectId } as const
  const { isUnknown } = await recordCallback({ partner, id, ...about, ...(version !== undefined && { version }) })
  if (isUnknown) await noteUnknown(partner, subjectId)
}

/** Finds our id of what a callback names; null for a payout that we do not know by that name. */
async function subjectOf(partner: ConnectionName, { subject, named }: Hint): Promise<string | null> {
  if (subject === 'deposit') {
    const [id = null] = await nameDeposits(partner, ['id' in named ? named.id : named.theirId])
    return id
  }
  if ('id' in named) {
    // the standard order of a payment whose instant one came to nothing has an id of its own
    return (await findPaymentOfFallback(partner, named.id)) ?? named.id
  }
  return (await findPaymentsOf(partner, [named.theirId])).get(named.theirId) ?? null
}

/** Notes a payment that a partner has and the database lacks: it was put back to an earlier state. */
async function noteUnknown(partner: ConnectionName, paymentId: string): Promise<void> {
  log.error({ partner, payment_id: paymentId }, 'a partner called about an unknown payment')
  await noteBehind([{ organizationId: null, subject: `payment:${paymentId}` }])
}

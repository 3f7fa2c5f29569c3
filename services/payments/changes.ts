/** Changes payments that were made, on request: cancels them, and changes their notes. */
import { canonicalJson } from '../../domain/canonical.ts'
import { refuse } from '../../domain/errors.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import { type PaymentChange, isCancellable, refuseCancellation } from '../../domain/payments/payment.ts'
import { newCause, record } from '../events.ts'
import { changeExternal, splitExternal } from '../external.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import type { PaymentRow } from './payments.ts'
import { requireNotCompared } from '../approvals/policies.ts'
import { requireLabels } from '../labels/labels.ts'
import { movePayments } from '../payouts/settlement.ts'

/**
 * Asks for the cancellation of a payment by blockchain; a repeat changes nothing, nor does it if that was cancelled.
 * Refuses `not_found`, and `payment_not_cancellable` as soon as custody has decided otherwise.
 */
export async function requestCancellation(tx: Tx, id: PaymentId, cause: string): Promise<void> {
  const [payment] = await tx<(Pick<PaymentRow, 'status' | 'rail' | 'custody_decided'> & { repeated: boolean })[]>`
    select status, rail, custody_decided, exists (select from events e
      where e.subject_id = p.id and e.cause = ${cause} and e.type = 'payment.cancel_requested') as repeated
    from payments p where id = ${id} for update`
  if (!payment) refuse('not_found')
  if (payment.repeated || payment.status === 'cancelling' || payment.status === 'cancelled') return
  if (!isCancellable(payment)) refuseCancellation(payment, payment.status)
  const set = sql`ask_at = null, asks = 0`
  await movePayments(tx, id, { events: ['cancel'], cause, set, otherwise: 'payment_not_cancellable' })
}

/**
 * Changes notes, tag, labels, external id and metadata of a payment in any state; what is absent stays, null clears. The log names the changed
 * fields, and never holds notes. Refuses `not_found`, `invalid_coding`, and `invalid_state` for labels that
 * rules compare while the payment waits for approval. The caller has checked that the person sees it.
 */
export async function changePayment(tx: Tx, id: PaymentId, wanted: PaymentChange): Promise<void> {
  const { external, own: change } = splitExternal(wanted)
  await requireLabels(tx, change.labels ?? [])
  const [before] = await tx<Pick<PaymentRow, 'internal_notes' | 'tag' | 'labels' | 'status'>[]>`
    select internal_notes, tag, labels, status from payments where id = ${id} for no key update`
  if (!before) refuse('not_found')
  const { internal_notes: notes = before.internal_notes, tag = before.tag, labels = before.labels } = change
  const after = { internal_notes: notes, tag, labels }
  const own = (['internal_notes', 'labels', 'tag'] as const).filter(
    (field) => canonicalJson(after[field]) !== canonicalJson(before[field]),
  )
  const noted = await changeExternal(tx, 'payments', id, external)
  const changed = [...own, ...noted.changed]
  if (changed.length === 0) return
  if (changed.includes('labels') && before.status === 'awaiting_approval') await requireNotCompared(tx)
  await tx`
    update payments set internal_notes = ${notes}, tag = ${tag}, labels = ${sql.json(labels)}, updated_at = business_now()
    where id = ${id}`
  await record(tx, paymentEvents.updated, {
    subjectId: id,
    cause: newCause(),
    payload: {
      changed,
      ...(changed.includes('tag') && { tag }),
      ...(changed.includes('labels') && { labels }),
      ...noted.logged,
    },
  })
}

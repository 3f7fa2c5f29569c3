/** What people write beside a payment: their notes and its tag. Everything else of a payment is what was approved. */
import { newCause, record } from '../events.ts'
import type { Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import type { Payment, PaymentChange } from '../../domain/payments/payment.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Tx } from '../sql.ts'

/**
 * Changes notes and tag of a payment in any state; what is absent stays, null clears. The log says which of them
 * changed, and never what notes say. Refuses `not_found`. The caller has checked that the person sees the payment.
 */
export async function changePayment(tx: Tx, person: Person, id: PaymentId, change: PaymentChange): Promise<void> {
  await requirePermissionLocked(tx, person, 'payments.send_fiat')
  const [before] = await tx<Pick<Payment, 'internal_notes' | 'tag'>[]>`
    select internal_notes, tag from payments where id = ${id} for no key update`
  if (!before) refuse('not_found')
  const { internal_notes: notes = before.internal_notes, tag = before.tag } = change
  const changed = [
    ...(notes === before.internal_notes ? [] : (['internal_notes'] as const)),
    ...(tag === before.tag ? [] : (['tag'] as const)),
  ]
  if (changed.length === 0) return
  await tx`update payments set internal_notes = ${notes}, tag = ${tag}, updated_at = business_now() where id = ${id}`
  await record(tx, paymentEvents.updated, {
    subjectId: id,
    cause: newCause(),
    payload: { changed, ...(changed.includes('tag') && { tag }) },
  })
}

/** What a decision does to a payment: by service ID it settles at once, by a partner it is submitted; or it is cancelled. */
import type { ApprovalTarget } from '../approvals/target.ts'
import { post } from '../ledger/ledger.ts'
import { paymentSubject } from './approval-subject.ts'
import { refuse } from '../model/errors.ts'
import type { OrganizationId, PaymentId } from '../model/ids.ts'
import type { Rail } from '../model/payments/payment.ts'
import { type PaymentStatus, type PaymentTarget, paymentFlow } from '../model/flows/payment.ts'
import { refuseContact } from './payments.ts'
import { writePendingFeed } from './payout-postings.ts'
import { type Transferring, reserve, settleApproved } from './settlement.ts'
import { sql } from '../sql.ts'
import { transition } from '../transition.ts'

type State = {
  id: PaymentId
  status: PaymentStatus
  rail: Rail
  amount: string
  currency: string
  contact_status: string
  destination_gone: boolean
  payee: OrganizationId | null
  payee_can_receive: boolean
}

const isInternal = (payment: State): payment is State & Transferring => payment.rail === 'svc_id'

export const paymentTarget = (type: PaymentTarget): ApprovalTarget<State> => ({
  machine: paymentFlow,
  subject: paymentSubject(type),
  async read(tx, id) {
    const [payment] = await tx<State[]>`
      select p.id, p.status, p.rail, p.deducting_amount as amount, p.deducting_currency as currency,
        case when c.deleted_at is null then c.status else 'archived' end as contact_status,
        d.deleted_at is not null as destination_gone, p.payee_organization_id as payee,
        p.payee_organization_id is not null and can_receive(p.payee_organization_id) as payee_can_receive
      from payments p join payment_contacts c on c.id = p.payment_contact_id
      join payment_destinations d on d.id = p.destination_id where p.id = ${id}`
    return payment ?? refuse('not_found')
  },
  guard({ contact_status: status, destination_gone: gone }) {
    if (status !== 'active') refuseContact(status)
    if (gone) refuse('destination_missing') // another one is not what was asked for
  },
  async approve(tx, payment, cause) {
    if (isInternal(payment)) return settleApproved(tx, payment, cause)
    await Promise.all([
      transition(tx, paymentFlow, payment.id, {
        events: ['submit'],
        cause,
        set: sql`status_detail = 'approved', transaction_id = feed_id`,
      }),
      writePendingFeed(tx, payment.id),
      post(tx, [reserve(tx, payment)]),
    ])
    return paymentFlow.events.submit.to
  },
  async stop(tx, ids, how, cause) {
    const detail = how === 'expired' ? 'approval expired' : how
    await transition(tx, paymentFlow, ids, { events: ['withdraw'], cause, set: sql`status_detail = ${detail}` })
    return paymentFlow.events.withdraw.to
  },
})

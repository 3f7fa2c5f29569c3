/** What a decision does to a payment: its money is reserved and it is submitted, or it is cancelled. */
import type { ApprovalTarget } from './approval-targets.ts'
import { available, credit, debit, held, post } from './ledger.ts'
import { refuse } from './model/errors.ts'
import type { PaymentId } from './model/ids.ts'
import { moneyOf } from './model/money.ts'
import { type PaymentStatus, paymentFlow } from './model/payment-flow.ts'
import { refuseContact } from './payments.ts'
import { sql } from './sql.ts'
import { transition } from './transition.ts'

type State = {
  id: PaymentId
  status: PaymentStatus
  amount: string
  currency: string
  contact_status: string
  destination_gone: boolean
}

export const paymentTarget: ApprovalTarget<State> = {
  async read(tx, id) {
    const [payment] = await tx<State[]>`
      select p.id, p.status, p.deducting_amount as amount, p.deducting_currency as currency,
        case when c.deleted_at is null then c.status else 'archived' end as contact_status,
        d.deleted_at is not null as destination_gone
      from payments p join payment_contacts c on c.id = p.payment_contact_id
      join payment_destinations d on d.id = p.destination_id where p.id = ${id}`
    return payment ?? refuse('not_found')
  },
  guard({ contact_status: status, destination_gone: gone }) {
    if (status !== 'active') refuseContact(status)
    if (gone) refuse('destination_missing') // another one is not what was asked for
  },
  async approve(tx, payment, cause) {
    const money = moneyOf(payment.amount, payment.currency)
    await Promise.all([
      transition(tx, paymentFlow, payment.id, { events: ['submit'], cause, set: sql`status_detail = 'approved'` }),
      post(tx, [
        {
          key: `payment:${payment.id}:reserve`,
          organizationId: tx.organizationId,
          legs: [debit(available(tx.organizationId), money), credit(held(tx.organizationId), money)],
        },
      ]),
    ])
    return paymentFlow.events.submit.to
  },
  async stop(tx, ids, how, cause) {
    const detail = how === 'expired' ? 'approval expired' : how
    await transition(tx, paymentFlow, ids, { events: ['withdraw'], cause, set: sql`status_detail = ${detail}` })
    return paymentFlow.events.withdraw.to
  },
}

/** Payments as targets of approvals: by service ID one settles at once, through a partner it is submitted. */
import type { ApprovalTarget } from '../approvals/target.ts'
import { inOrder } from '../in-order.ts'
import { post } from '../ledger/ledger.ts'
import { paymentSubject } from './approval-subject.ts'
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId, PaymentId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { PaymentStatus } from '../../domain/flows/payment.ts'
import { type PayeeStanding, payeeBlockers, payeeColumns } from './checks.ts'
import { writePendingFeed } from './payout-postings.ts'
import { type Transferring, reserve, settle, payOrRelease, detailOf } from './settlement.ts'
import { type Reader, first, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { paymentMoves } from '../../domain/payments/events.ts'
import type { PaymentTarget, Rail } from '../../domain/rails.ts'

type State = PayeeStanding & {
  id: PaymentId
  status: PaymentStatus
  rail: Rail
  amount: string
  currency: string
  payee: OrganizationId | null
  payee_can_receive: boolean
}

const isInternal = (payment: State): payment is State & Transferring => payment.rail === 'svc_id'

const paymentTarget = (type: PaymentTarget): ApprovalTarget<State> => ({
  type,
  movesMoney: true,
  subject: paymentSubject(type),
  async read(reader, id) {
    const payment = await first(
      reader<State>(sql`
        select p.id, p.status, p.rail, p.deducting_amount as amount, p.deducting_currency as currency,
          ${payeeColumns()}, p.payee_organization_id as payee,
          p.payee_organization_id is not null and can_receive(p.payee_organization_id) as payee_can_receive
        from payments p
        join payment_contacts c on c.id = p.payment_contact_id
        join payment_destinations d on d.id = p.destination_id
        where p.id = ${id} and p.organization_id = ${reader.organizationId}`),
    )
    return payment ?? refuse('not_found')
  },
  blockers: payeeBlockers,
  reserves,
  async approve(tx, payment, cause) {
    if (isInternal(payment)) {
      const transfers = [reserve(tx, payment), payOrRelease(tx, payment)]
      await settle(tx, [payment], { submits: true, cause: () => cause, transfers })
      return { state: detailOf(payment) }
    }
    const detail = 'approved'
    await inOrder(
      () =>
        transition(tx, paymentMoves, payment.id, {
          events: ['submit'],
          cause,
          set: sql`status_detail = ${detail}, transaction_id = feed_id`,
        }),
      () => writePendingFeed(tx, [payment.id]),
      () => post(tx, [reserve(tx, payment)]),
    )
    return { state: detail }
  },
  async cancel(tx, ids, how, cause) {
    const detail = how === 'expired' ? 'approval expired' : how
    await transition(tx, paymentMoves, ids, { events: ['withdraw'], cause, set: sql`status_detail = ${detail}` })
    return () => ({ state: detail })
  },
})

/** Reads what is deducted for each of these payments. */
async function reserves(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Money>> {
  const rows = await reader<{ id: string; amount: string; currency: string }>(sql`
    select id, deducting_amount as amount, deducting_currency as currency from payments
    where organization_id = ${reader.organizationId} and id = any (${[...ids]})`)
  return new Map(rows.map(({ id, amount, currency }) => [id, moneyOf(amount, currency)]))
}

export const internalTransfer = paymentTarget('internal_transfer')
export const fiatOutgoing = paymentTarget('fiat_outgoing')
export const cryptoOutgoing = paymentTarget('crypto_outgoing')

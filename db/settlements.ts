/** Settlement of a payment by service ID: both legs, status, both feed rows, or none of it. */
import { v5 } from 'uuid'
import { available, credit, debit, held, post } from './ledger.ts'
import type { OrganizationId, PaymentId, TransactionId } from './model/ids.ts'
import { formatAmount } from './model/money.ts'
import { type PaymentStatus, paymentFlow } from './model/payment.ts'
import { refuse } from './model/errors.ts'
import { type Tx, sql } from './sql.ts'
import { transition } from './transition.ts'

const FEED_NAMESPACE = '7d2d1c8e-5b56-4f0f-9c0e-2f9b3a1f4d10'

type Settling = {
  status: PaymentStatus
  payee_organization_id: OrganizationId
  payee_can_receive: boolean
  amount: string
  currency: string
}

/**
 * Moves a submitted payment to succeeded, or to failed with its money released where the payee is gone. A repeat
 * answers the state that the first one reached.
 */
export async function settleInternally(tx: Tx, id: PaymentId): Promise<PaymentStatus> {
  const [payment] = await tx<Settling[]>`
    select status, payee_organization_id, can_receive(payee_organization_id) as payee_can_receive,
      deducting_amount as amount, deducting_currency as currency
    from payments where id = ${id} and rail = 'svc_id'`
  if (!payment) refuse('not_found')
  if (payment.status !== 'submitted') return payment.status
  return payment.payee_can_receive ? succeed(tx, id, payment) : fail(tx, id, payment)
}

async function succeed(tx: Tx, id: PaymentId, payment: Settling): Promise<PaymentStatus> {
  const key = `payment:${id}:settle`
  const payer = tx.organizationId
  const payee = payment.payee_organization_id
  const money = { amount: formatAmount(payment.amount, payment.currency), currency: payment.currency }
  const [payerRow, payeeRow] = feedIds(id)
  await Promise.all([
    transition(tx, paymentFlow, id, {
      events: ['accept', 'settle'],
      cause: key,
      set: sql`status_detail = 'settled', transaction_id = ${payerRow}`,
    }),
    post(
      tx,
      [{ key, organizationId: payer, legs: [debit(held(payer), money), credit(available(payee), money)] }],
      (postings) => sql`
        with posting as materialized (${postings}), mine as (
          insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance,
            counterparty, description, payment_id, payment_contact_id, created_by, posted_at, seq)
          select ${payerRow}, p.organization_id, 'payment', 'out', 'posted', p.deducting_amount, p.deducting_currency,
            posting.total, p.destination_name, p.statement_description, p.id, p.payment_contact_id, p.created_by,
            posting.posted_at, posting.feed_seq
          from posting join payments p on p.id = ${id} where posting.organization_id = ${payer}
        )
        select feed_payee(${id}, ${payeeRow}, total, posted_at, feed_seq) from posting
        where organization_id = ${payee}`,
    ),
  ])
  return 'succeeded'
}

async function fail(tx: Tx, id: PaymentId, payment: Settling): Promise<PaymentStatus> {
  const key = `payment:${id}:release`
  const payer = tx.organizationId
  const money = { amount: formatAmount(payment.amount, payment.currency), currency: payment.currency }
  await Promise.all([
    transition(tx, paymentFlow, id, { events: ['fail'], cause: key, set: sql`status_detail = 'payee unavailable'` }),
    post(tx, [{ key, organizationId: payer, legs: [debit(held(payer), money), credit(available(payer), money)] }]),
  ])
  return 'failed'
}

/** Ids of the payer's and the payee's feed rows, derived from the payment's. */
function feedIds(id: PaymentId): [payer: TransactionId, payee: TransactionId] {
  // A UUIDv5 of the payment's id is the feed row's id on either side.
  return [v5(`${id}:payer`, FEED_NAMESPACE) as TransactionId, v5(`${id}:payee`, FEED_NAMESPACE) as TransactionId]
}

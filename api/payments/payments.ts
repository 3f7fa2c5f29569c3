/** Payments. */
import { v7 } from 'uuid'
import * as v from 'valibot'
import { historyOf } from '../../db/events.ts'
import type { Reviewer } from '../../domain/approvals/requirements.ts'
import { HistoryPage } from '../../domain/event.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { NewPayment, Payment, PaymentFilters, refuseCancellation } from '../../domain/payments/payment.ts'
import { findPayment, listPayments } from '../../db/payments/payments.ts'
import { requestCancellation } from '../../db/payments/payouts.ts'
import { within } from '../../db/sql.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { createPaymentOnce } from './creation.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { restrictedTo } from '../ledger/transactions.ts'

const { command, query } = operations('Payments')

type OfPayment = Context<'person' | 'org' | 'read', { readonly params: { readonly payment_id: PaymentId } }>

/** Undefined for who sees all payments; else the caller, who sees what they made or review. */
function ownOnly(context: Context<'person' | 'org'>): Reviewer | undefined {
  const userId = restrictedTo(context)
  return userId && { userId, role: context.org.role }
}

/** The payment of the path, to who may see it; refuses `not_found` to everybody else. */
export const findVisible = (context: OfPayment): Promise<Payment> =>
  findPayment(context.read, context.params.payment_id, ownOnly(context))

export const payments = [
  command('post', '/payments', 'createPayment')
    .says('Send a payment by service ID; it waits for approval')
    .of('payment_contact', { body: 'payment_contact_id' })
    .can('payments.send_fiat')
    .movesMoney()
    .takes(NewPayment)
    .answers(Payment, 201)
    .replays(({ read, claim }) => findPayment(read, claim.id))
    .handles((context) => {
      const { amount, payment_contact_id } = context.body
      return createPaymentOnce(context, { amount, payment_contact_id })
    }),
  query('/payments/{payment_id}', 'getPayment')
    .says('Read a payment')
    .of('payment')
    .can('transactions.list_own')
    .answers(Payment)
    .does(findVisible),
  query('/organizations/{organization_id}/payments', 'listPayments')
    .says('List payments, newest first')
    .of('organization')
    .can('transactions.list_own')
    .filters(PaymentFilters)
    .answers(pageOf(Payment))
    .does((context) => listPayments(context.read, context.query, ownOnly(context))),
  query('/payments/{payment_id}/events', 'listPaymentEvents')
    .says('Read what happened to a payment, oldest first')
    .of('payment')
    .can('transactions.list_own')
    .filters(v.object(PageQuery))
    .answers(HistoryPage)
    .does(async (context) => {
      await findVisible(context)
      return historyOf(context.read, context.params.payment_id, context.query)
    }),
  command('post', '/payments/{payment_id}/cancel', 'cancelPayment')
    .says('Cancel a crypto payment that still waits for custody')
    .of('payment')
    .can('payments.send_crypto')
    .answers(Payment)
    .handles(cancelPayment),
]

/** Recorded at once; the payment's process then asks the custodian, whose answer decides who won the race. */
async function cancelPayment(context: OfPayment & Context<'write'>): Promise<Payment> {
  const { write, params } = context
  const payment = await findVisible(context)
  if (payment.status === 'cancelling') return payment // while it is waited for, a repeat is answered like the first
  if (!payment.cancellable) refuseCancellation(payment)
  const cause = `cancellation:${v7()}`
  return repeating(() =>
    write(async (tx) => {
      await requestCancellation(tx, params.payment_id, cause)
      return findPayment(within(tx), params.payment_id)
    }, BRIEF_LOCKS),
  )
}

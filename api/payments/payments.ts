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
import { inPath } from '../http/in-path.ts'
import { type Context, route } from '../http/route.ts'
import { createPaymentOnce } from './creation.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { restrictedTo } from '../ledger/transactions.ts'

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
  route({
    method: 'post',
    path: '/payments',
    operationId: 'createPayment',
    summary: 'Send a payment by service ID; it waits for approval',
    tag: 'Payments',
    can: 'payments.send_fiat',
    owner: { kind: 'payment_contact', body: 'payment_contact_id' },
    movesMoney: true,
    body: NewPayment,
    returns: Payment,
    status: 201,
    replay: ({ read, claim }) => findPayment(read, claim.id),
    handle: (context) => {
      const { amount, payment_contact_id } = context.body
      return createPaymentOnce(context, { amount, payment_contact_id })
    },
  }),
  route({
    method: 'get',
    path: '/payments/{payment_id}',
    operationId: 'getPayment',
    summary: 'Read a payment',
    tag: 'Payments',
    can: 'transactions.list_own',
    ...inPath('payment'),
    returns: Payment,
    handle: findVisible,
  }),
  route({
    method: 'get',
    path: '/organizations/{organization_id}/payments',
    operationId: 'listPayments',
    summary: 'List payments, newest first',
    tag: 'Payments',
    can: 'transactions.list_own',
    ...inPath('organization'),
    query: PaymentFilters,
    returns: pageOf(Payment),
    handle: (context) => listPayments(context.read, context.query, ownOnly(context)),
  }),
  route({
    method: 'get',
    path: '/payments/{payment_id}/events',
    operationId: 'listPaymentEvents',
    summary: 'Read what happened to a payment, oldest first',
    tag: 'Payments',
    can: 'transactions.list_own',
    ...inPath('payment'),
    query: v.object(PageQuery),
    returns: HistoryPage,
    handle: async (context) => {
      await findVisible(context)
      return historyOf(context.read, context.params.payment_id, context.query)
    },
  }),
  route({
    method: 'post',
    path: '/payments/{payment_id}/cancel',
    operationId: 'cancelPayment',
    summary: 'Cancel a crypto payment that still waits for custody',
    tag: 'Payments',
    can: 'payments.send_crypto',
    ...inPath('payment'),
    returns: Payment,
    handle: cancelPayment,
  }),
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

/** Payments. */
import { v7 } from 'uuid'
import * as v from 'valibot'
import { historyOf, isRecorded } from '../db/events.ts'
import type { Reviewer } from '../db/model/consensus.ts'
import { HistoryPage } from '../db/model/event.ts'
import { type PaymentId, id } from '../db/model/ids.ts'
import { canonicalMoney } from '../db/model/money.ts'
import { PageQuery, pageOf } from '../db/model/page.ts'
import { NewPayment, Payment, PaymentFilters, refuseCancellation } from '../db/model/payment.ts'
import { checkPayable, findPayment, listPayments } from '../db/payments.ts'
import { cancel } from '../workflows/payout.ts'
import { type Context, route } from './route.ts'
import { makePayment } from './payment-creation.ts'
import { paymentStart } from './processes.ts'
import { steer } from './temporal.ts'
import { restrictedTo } from './transactions.ts'

export const PaymentParams = v.object({ payment_id: id<'payment'>() })
const OrganizationParams = v.object({ organization_id: id<'organization'>() })
type OfPayment = Context<v.InferOutput<typeof PaymentParams>, any, any>
type ById = Context<v.InferOutput<typeof PaymentParams>, undefined, undefined>

/** Undefined for who sees all payments; else the caller, who sees what they made or review. */
function ownOnly(context: Context<any, any, any>): Reviewer | undefined {
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
    replay: ({ read, claim }) => findPayment(read, claim.id as PaymentId),
    handle: createPayment,
  }),
  route({
    method: 'get',
    path: '/payments/{payment_id}',
    operationId: 'getPayment',
    summary: 'Read a payment',
    tag: 'Payments',
    can: 'transactions.list_own',
    owner: { kind: 'payment', param: 'payment_id' },
    params: PaymentParams,
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
    owner: { kind: 'organization', param: 'organization_id' },
    params: OrganizationParams,
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
    owner: { kind: 'payment', param: 'payment_id' },
    params: PaymentParams,
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
    owner: { kind: 'payment', param: 'payment_id' },
    params: PaymentParams,
    returns: Payment,
    handle: cancelPayment,
  }),
]

async function createPayment(context: Context<undefined, undefined, NewPayment>): Promise<Payment> {
  const { read, body, claim, requestId } = context
  const money = canonicalMoney(body.amount)
  await checkPayable(read, body.payment_contact_id, money.currency)
  return makePayment(context, 'svc_id', {
    ...money,
    payment_contact_id: body.payment_contact_id,
    payout_reason: body.payout_reason,
    statement_description: body.statement_description,
    internal_notes: body.internal_notes ?? null,
    body_hash: claim.bodyHash,
    request_id: requestId,
  })
}

/**
 * Recorded by the payment's own workflow, which then asks the custodian: its answer decides who won the race. While it is
 * waited for, a repeat is answered like the first.
 */
async function cancelPayment(context: ById): Promise<Payment> {
  const payment = await findVisible(context)
  const { org, person, params, requestId } = context
  if (payment.status === 'cancelling') return payment
  if (!payment.cancellable) refuseCancellation(payment)
  const ref = { organizationId: org.organizationId, paymentId: params.payment_id }
  const cause = `cancellation:${v7()}`
  await steer(
    {
      start: () => paymentStart(ref, payment.rail),
      update: cancel,
      updateId: v7(),
      args: [{ requester: person, requestId, cause }],
    },
    async () => {
      const now = await findVisible(context)
      const { status } = now
      if (status === 'cancelling' || status === 'cancelled') return { status } // also by another request of this moment
      if (await isRecorded(context.read, params.payment_id, cause)) return { status }
      return now.cancellable ? undefined : refuseCancellation(now)
    },
  )
  return findVisible(context)
}

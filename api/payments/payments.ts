/** Payments, and the usual reasons to make one. */
import * as v from 'valibot'
import { changePayment, requestCancellation } from '../../services/payments/changes.ts'
import { createPayment } from '../../services/payments/commands.ts'
import { unschedulePayment } from '../../services/schedules/schedule.ts'
import { findPayment, listPayments } from '../../services/payments/payments.ts'
import { historyOf } from '../../services/events.ts'
import { HistoryPage } from '../../domain/event.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { PageQuery, onePage, pageOf } from '../../domain/pagination.ts'
import {
  NewPayment,
  PAYOUT_REASONS,
  Payment,
  PaymentChange,
  PaymentFilters,
  type PaymentTexts,
  PayoutReason,
  refuseCancellation,
  stateOf,
} from '../../domain/payments/payment.ts'
import { readDay } from '../../domain/payments/schedule.ts'
import { PaymentDraft } from '../../domain/payments/draft.ts'
import { draftOfPayment } from '../../services/decisions/drafts.ts'
import { searchOf } from '../http/context.ts'
import { operations } from '../http/operation.ts'
import type { Context } from '../http/route.ts'
import { reviewerOf } from '../ledger/transactions.ts'

const { command, query } = operations('Payments')

type OfPayment = Context<'person' | 'org' | 'read', { readonly params: { readonly payment_id: PaymentId } }>

/** Finds the payment of the path, for those who may see or change it; refuses `not_found` to all others. */
export const findVisible = (context: OfPayment, as: 'reader' | 'changer' = 'reader'): Promise<Payment> =>
  findPayment(context.read, context.params.payment_id, reviewerOf(context, as))

type Texts = Pick<
  NewPayment,
  'payout_reason' | 'statement_description' | 'internal_notes' | 'labels' | 'external_id' | 'metadata'
>

/** Picks the texts of a payment from a body. */
export const textsOf = (given: Texts): PaymentTexts => ({
  payout_reason: given.payout_reason,
  statement_description: given.statement_description,
  internal_notes: given.internal_notes ?? null,
  labels: given.labels ?? [],
  external_id: given.external_id,
  metadata: given.metadata,
})

/** Operations whose Idempotency-Key names a payment. */
const MAKING_PAYMENTS = ['/payments', '/payments/execute', '/bills/{bill_id}/request-payment']

export const payments = [
  command('patch', '/payments/{payment_id}', 'updatePayment')
    .says(
      'Change the notes, tag and labels of a payment',
      'Its external id and metadata too. In any state; but labels that a rule of the policy compares stay while the payment waits for approval.',
    )
    .of('payment')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(PaymentChange)
    .refuses('external_id_taken', 'invalid_coding', 'invalid_state')
    .answers(Payment)
    .does(async (context) => {
      await findVisible(context, 'changer')
      await changePayment(context.tx, context.params.payment_id, context.body)
      return findVisible(context, 'changer')
    }),
  command('post', '/payments', 'createPayment')
    .says('Send a payment by service ID; it waits for approval')
    .of('payment_contact', { body: 'payment_contact_id' })
    .delegates('prepare')
    .can('payments.send_fiat')
    .checksItself() // a hot path: one statement reads contact and requester
    .movesMoney()
    .takes(NewPayment)
    .refuses(
      'limit_exceeded',
      'no_eligible_approver',
      'destination_missing',
      'unsupported_rail',
      'unsupported_currency',
      'amount_precision',
      'amount_too_large',
      'contact_not_approved',
      'payee_held',
      'same_account',
      'account_cooling_off',
      'unprocessable_entity',
      'ledger_unbalanced',
      'invalid_schedule',
      'invalid_coding',
      'external_id_taken',
    )
    .creates(Payment, ({ read, claim }) => findPayment(read, claim.id))
    .does(({ tx, person, claim, body, requestId: request_id }) => {
      const { amount, payment_contact_id, former_approval_id } = body
      const order = { ...textsOf(body), on: readDay(body), amount, payment_contact_id, former_approval_id, request_id }
      return createPayment(tx, claim.id, person.userId, order)
    }),
  command('post', '/payments/{payment_id}/unschedule', 'unschedulePayment')
    .says(
      'End a payment that waits for its day',
      'Its requester may, and who may decide it, before the day begins: nothing was held for it. To change it, end it ' +
        'and ask again.',
    )
    .of('payment')
    .stops()
    .can('transactions.list_own')
    .refuses('payment_not_scheduled')
    .answers(Payment)
    .retries('same')
    .does(async (context) => {
      const { tx, person, params, claim } = context
      await findVisible(context)
      const cause = `unscheduling:${claim.id}`
      await unschedulePayment(tx, { person, id: params.payment_id, cause })
      return findVisible(context)
    }),
  query('/payments/{payment_id}', 'getPayment')
    .says('Read a payment')
    .of('payment')
    .delegates('read')
    .can('transactions.list_own')
    .answers(Payment)
    .does((context) => findVisible(context)),
  query('/payments/{payment_id}/draft', 'getPaymentDraft')
    .says(
      'Read what a payment asked for, to ask again',
      'In any state. After a request that was sent back, it names that.',
    )
    .of('payment')
    .delegates('read')
    .can('transactions.list_own')
    .answers(PaymentDraft)
    .does(async (context) =>
      draftOfPayment(context.read, (await findVisible(context)).id as PaymentId, context.person.userId),
    ),
  query('/organizations/{organization_id}/payments', 'listPayments')
    .says('List payments, newest first')
    .of('organization')
    .delegates('read')
    .can('transactions.list_own')
    .filters(PaymentFilters)
    .answers(pageOf(Payment))
    .does((context) => listPayments(context.read, searchOf(context, ...MAKING_PAYMENTS), reviewerOf(context))),
  query('/payments/{payment_id}/events', 'listPaymentEvents')
    .says('Read what happened to a payment, oldest first')
    .of('payment')
    .delegates('read')
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
    .stops()
    .can('payments.send_crypto')
    .refuses('payment_not_cancellable')
    .answers(Payment)
    .prepares(async (context) => {
      const payment = await findVisible(context, 'changer')
      if (payment.status !== 'cancelling' && !payment.cancellable) refuseCancellation(payment, stateOf(payment))
      return {}
    })
    .retries('same')
    // the payment's run then asks the custodian, whose answer decides who won the race
    .does(async ({ tx, read, params, claim }) => {
      await requestCancellation(tx, params.payment_id, `cancellation:${claim.id}`)
      return findPayment(read, params.payment_id)
    }),
]

export const payoutReasons = [
  operations('Reference')
    .query('/payout-reasons', 'listPayoutReasons')
    .says('List the usual reasons of a payment', 'Any other text is accepted, too.')
    .delegates('read')
    .cached(true)
    .answers(pageOf(PayoutReason))
    .does(async () => onePage([...PAYOUT_REASONS])),
]

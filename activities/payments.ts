/** What the payment workflow records. Each is one transaction, and a repeat answers as the first time. */
import { refuse } from '../db/model/errors.ts'
import type { OrganizationId, PaymentId } from '../db/model/ids.ts'
import type { PaymentStatus } from '../db/model/payment-flow.ts'
import type { PaymentRequest, QuotedPaymentRequest } from '../db/model/payment.ts'
import type { Person } from '../db/model/actor.ts'
import type { PayoutView } from '../db/model/partner.ts'
import * as payments from '../db/payments.ts'
import * as payouts from '../db/payouts.ts'
import { createQuotedPayment } from '../db/quoted-payments.ts'
import { settleInternally } from '../db/settlements.ts'
import { type Tx, asSystem, inOrganization } from '../db/sql.ts'

export type PaymentRef = { readonly organizationId: OrganizationId; readonly paymentId: PaymentId }
export type NewPaymentRef = { readonly requester: Person; readonly request: PaymentRequest | QuotedPaymentRequest }

/** The payment's state; with a request, the payment is made first where there is none. */
export function createOrFindPayment(ref: PaymentRef, creation?: NewPaymentRef): Promise<payments.PaymentState> {
  const actor = creation?.requester ?? ({ kind: 'worker' } as const)
  return inOrganization(
    actor,
    ref.organizationId,
    async (tx) => {
      if (creation) return create(tx, ref.paymentId, creation)
      return (await payments.paymentState(tx, ref.paymentId)) ?? refuse('not_found')
    },
    creation?.request.request_id ?? null,
  )
}

function create(tx: Tx, id: PaymentId, { requester, request }: NewPaymentRef): Promise<payments.PaymentState> {
  if ('quote_id' in request) return createQuotedPayment(tx, id, requester.userId, request)
  return payments.createPayment(tx, id, requester.userId, request)
}

/** Both legs of a payment by service ID, its status and both feed rows. */
export const transferInternally = (ref: PaymentRef): Promise<PaymentStatus> =>
  asSystem(ref.organizationId, async (tx) => {
    const [settled] = await settleInternally(tx, [ref.paymentId])
    return settled?.status ?? refuse('not_found')
  })

export type Heard = PaymentRef & { readonly view: PayoutView | null; readonly news: number; readonly enough?: boolean }

/** Takes down a partner's word on a payment, with all that it means; answers where the payment stands then. @public the workflow calls it by its proxy */
export const hearPartner = ({ view, news, enough = false, ...ref }: Heard): Promise<payments.PaymentState> =>
  asSystem(ref.organizationId, async (tx) => {
    await payouts.hearPartner(tx, ref.paymentId, { view, news, enough })
    return stateOf(tx, ref)
  })

/** Puts a payment on hold whose partner gives no clear answer, unless it got further; answers where it stands then. @public the workflow calls it by its proxy */
export const holdPayment = (ref: PaymentRef): Promise<payments.PaymentState> =>
  asSystem(ref.organizationId, async (tx) => {
    await payouts.holdUnclear(tx, ref.paymentId)
    return stateOf(tx, ref)
  })

const stateOf = async (tx: Tx, { paymentId }: PaymentRef) =>
  (await payments.paymentState(tx, paymentId)) ?? refuse('not_found')

export type Cancellation = PaymentRef & {
  readonly requester: Person
  readonly requestId: string
  readonly cause: string
}

/** Asks for a payment's cancellation in a person's name; a repeat of the same request answers the same. @public the workflow calls it by its proxy */
export const cancelPayment = ({ requester, requestId, cause, ...ref }: Cancellation): Promise<PaymentStatus> =>
  inOrganization(
    requester,
    ref.organizationId,
    (tx) => payouts.requestCancellation(tx, ref.paymentId, cause),
    requestId,
  )

/** What the payment workflow records. Each is one transaction, and a repeat answers as the first time. */
import { refuse } from '../db/model/errors.ts'
import type { OrganizationId, PaymentId, UserId } from '../db/model/ids.ts'
import type { PaymentStatus } from '../db/model/payment-flow.ts'
import type { PaymentRequest } from '../db/model/payment.ts'
import type { Person } from '../db/model/actor.ts'
import * as payments from '../db/payments.ts'
import { settleInternally } from '../db/settlements.ts'
import { asSystem, inOrganization } from '../db/sql.ts'

export type PaymentRef = { readonly organizationId: OrganizationId; readonly paymentId: PaymentId }
export type NewPaymentRef = { readonly requester: Person; readonly request: PaymentRequest }

/** The payment's state; with a request, the payment is made first where there is none. */
export function createOrFindPayment(ref: PaymentRef, creation?: NewPaymentRef): Promise<payments.PaymentState> {
  const actor = creation?.requester ?? ({ kind: 'worker' } as const)
  return inOrganization(
    actor,
    ref.organizationId,
    async (tx) => {
      if (creation) return payments.createPayment(tx, ref.paymentId, userOf(creation), creation.request)
      return (await payments.paymentState(tx, ref.paymentId)) ?? refuse('not_found')
    },
    creation?.request.request_id ?? null,
  )
}

const userOf = (creation: NewPaymentRef): UserId => creation.requester.userId

/** Both legs of a payment by service ID, its status and both feed rows. */
export const transferInternally = (ref: PaymentRef): Promise<PaymentStatus> =>
  asSystem(ref.organizationId, async (tx) => {
    const [settled] = await settleInternally(tx, [ref.paymentId])
    return settled?.status ?? refuse('not_found')
  })

/** Payments are made by their own workflow, whichever operation asked for one. */
import { v7 } from 'uuid'
import type { NewPaymentRef } from '../activities/payments.ts'
import { claimedHash, sameBody } from '../db/claim.ts'
import { refuse } from '../db/model/errors.ts'
import type { PaymentId } from '../db/model/ids.ts'
import type { Payment, Rail } from '../db/model/payment.ts'
import { findPayment } from '../db/payments.ts'
import { created } from '../workflows/payment.ts'
import { paymentStart } from './processes.ts'
import type { Context } from './route.ts'
import { steer } from './temporal.ts'

/**
 * Has the payment of this request made, once for its claim, and answers it. Refuses what its transaction refuses, and
 * `idempotency_key_reused` where another body has the claim.
 */
export async function makePayment(
  { person, org, read, claim }: Context<undefined, undefined, unknown>,
  rail: Rail,
  request: NewPaymentRef['request'],
): Promise<Payment> {
  // A claim's id is the id of the row that it makes.
  const paymentId = claim.id as PaymentId
  const ref = { organizationId: org.organizationId, paymentId }
  const recorded = await steer(
    {
      start: () => paymentStart(ref, rail, { requester: person, request }),
      update: created,
      updateId: v7(), // of its own: a caller may repeat a request's id, and would get its first refusal again
      args: [],
    },
    async () => {
      const hash = await claimedHash(paymentId)
      return hash === undefined ? undefined : { body_hash: hash }
    },
  )
  if (!sameBody(recorded.body_hash, claim.bodyHash)) refuse('idempotency_key_reused')
  return findPayment(read, paymentId)
}

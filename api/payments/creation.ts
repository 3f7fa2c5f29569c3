/** Payments are made in one transaction, whichever operation asked for one. */
import type { Payment } from '../../db/model/payments/payment.ts'
import { findPayment } from '../../db/payments/payments.ts'
import { type Tx, within } from '../../db/sql.ts'
import { refuseOtherBody } from '../http/create-once.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import type { Context } from '../http/route.ts'

/**
 * Makes the payment of this request, once for its claim, and answers it as it was made. `create` answers false where another
 * request has the claim: the same body gets that one's payment, another is refused with `idempotency_key_reused`.
 */
export async function makePayment(
  { read, write, claim }: Context<'read' | 'write' | 'claim'>,
  create: (tx: Tx) => Promise<boolean>,
): Promise<Payment> {
  const made = await repeating(() =>
    write(async (tx) => ((await create(tx)) ? findPayment(within(tx), claim.id) : null), BRIEF_LOCKS),
  )
  if (made) return made
  await refuseOtherBody(claim)
  return findPayment(read, claim.id)
}

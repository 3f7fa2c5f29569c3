/** Steps of a payment at our own tables; those at a partner are in activities/payouts.ts. */
import type { PaymentId } from '../../domain/ids.ts'
import type { Tx } from '../sql.ts'
import { type Transferring, settle, payOrRelease } from './settlement.ts'

/** Settles a payment by service ID that is submitted; one that is past this stays as it is. */
export const settlePayment = (tx: Tx, id: PaymentId): Promise<void> => settleSubmitted(tx, [id])

/** Settles those of the payments of one organization that are by service ID and submitted. */
export async function settleSubmitted(tx: Tx, ids: readonly PaymentId[]): Promise<void> {
  const payments = await tx<Transferring[]>`
    select id, payee_organization_id as payee, can_receive(payee_organization_id) as payee_can_receive,
      deducting_amount as amount, deducting_currency as currency
    from payments where id = any (${[...ids]}) and rail = 'svc_id' and status = 'submitted' order by id for update`
  if (payments.length === 0) return
  await settle(tx, payments, { transfers: payments.map((payment) => payOrRelease(tx, payment)) })
}

/** What the run of a payment has done to its row; steps at a partner are in activities/payouts.ts. */
import type { PaymentId } from '../../domain/ids.ts'
import type { Tx } from '../sql.ts'
import { settleInternally } from './settlement.ts'

/** Settles a payment by service ID that a page of a batch has left submitted. */
export const settlePayment = (tx: Tx, id: PaymentId) => settleInternally(tx, [id])

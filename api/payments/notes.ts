/** Notes and tag of a payment. */
import { Payment, PaymentChange } from '../../domain/payments/payment.ts'
import { changePayment } from '../../db/payments/payments.ts'
import { findVisible } from './payments.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

export const paymentChanges = [
  route({
    method: 'patch',
    path: '/payments/{payment_id}',
    operationId: 'updatePayment',
    summary: 'Change the notes and the tag of a payment, whatever its state',
    tag: 'Payments',
    can: 'payments.send_fiat',
    ...inPath('payment'),
    body: PaymentChange,
    returns: Payment,
    handle: async (context) => {
      const { write, person, params, body } = context
      await findVisible(context)
      await write((tx) => changePayment(tx, person, params.payment_id, body))
      return findVisible(context)
    },
  }),
]

/** Notes and tag of a payment. */
import { Payment, PaymentChange } from '../../domain/payments/payment.ts'
import { changePayment } from '../../db/payments/payments.ts'
import { findVisible } from './payments.ts'
import { operations } from '../http/operation.ts'

const { command } = operations('Payments')

export const paymentChanges = [
  command('patch', '/payments/{payment_id}', 'updatePayment')
    .says('Change the notes and the tag of a payment, whatever its state')
    .of('payment')
    .can('payments.send_fiat')
    .takes(PaymentChange)
    .answers(Payment)
    .handles(async (context) => {
      const { write, person, params, body } = context
      await findVisible(context)
      await write((tx) => changePayment(tx, person, params.payment_id, body))
      return findVisible(context)
    }),
]

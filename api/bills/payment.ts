/** The payment of a bill. */
import { findBill } from '../../db/bills/bills.ts'
import { requestPayment } from '../../db/bills/payment.ts'
import { Bill, PaymentRequest } from '../../domain/bills/bill.ts'
import { operations } from '../http/operation.ts'
import { changed } from './bills.ts'

const { command } = operations('Bills')

export const billPayment = [
  command('post', '/bills/{bill_id}/request-payment', 'requestBillPayment')
    .says(
      'Ask for the payment of a bill; it waits for approval as every payment does',
      'If its contact has to be approved before, `waits_for` names that approval, and you ask again afterwards.',
    )
    .of('bill')
    .can('payments.send_fiat')
    .movesMoney()
    .takes(PaymentRequest)
    .refuses(409)
    .answers(Bill)
    .replays(({ read, params }) => findBill(read, params.bill_id))
    .handles(({ write, person, params, body, claim, requestId }) =>
      changed(write, params.bill_id, (tx, id) =>
        requestPayment(tx, person, claim, { ...body, id, request_id: requestId }),
      ),
    ),
]

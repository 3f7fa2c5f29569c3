/** The payment of a bill. */
import { findBill } from '../../db/bills/bills.ts'
import { requestPayment } from '../../db/bills/payment.ts'
import { Bill, PaymentRequest } from '../../domain/bills/bill.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'
import { changed } from './bills.ts'

export const billPayment = [
  route({
    tag: 'Bills',
    ...inPath('bill'),
    method: 'post',
    path: '/bills/{bill_id}/request-payment',
    operationId: 'requestBillPayment',
    summary: 'Ask for the payment of a bill; it waits for approval as every payment does',
    note: 'If its contact has to be approved before, `waits_for` names that approval, and you ask again afterwards.',
    can: 'payments.send_fiat',
    movesMoney: true,
    refuses: [409],
    body: PaymentRequest,
    returns: Bill,
    replay: ({ read, params }) => findBill(read, params.bill_id),
    handle: ({ write, person, params, body, claim, requestId }) =>
      changed(write, params.bill_id, (tx, id) =>
        requestPayment(tx, person, claim, { ...body, id, request_id: requestId }),
      ),
  }),
]

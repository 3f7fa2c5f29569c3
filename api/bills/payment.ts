/** The payment of a bill. */
import { findBill } from '../../db/bills/bills.ts'
import { requestPayment } from '../../db/bills/payment.ts'
import { Bill, PaymentRequest } from '../../db/model/bills/bill.ts'
import { inPath } from '../http/in-path.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'

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
    handle: async ({ read, write, person, params, body, claim, requestId }) => {
      const request = { ...body, id: params.bill_id, request_id: requestId }
      await repeating(() => write((tx) => requestPayment(tx, person, claim, request), BRIEF_LOCKS))
      return findBill(read, params.bill_id)
    },
  }),
]

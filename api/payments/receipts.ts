/** Receipts of payments, as PDF of one page. */
import { findReceipt } from '../../services/payments/payments.ts'
import { findVisible } from './payments.ts'
import { bytes, operations } from '../http/operation.ts'

const { query } = operations('Payments')

export const receipts = [
  query('/payments/{payment_id}/receipt', 'getPaymentReceipt')
    .says('Read the receipt of a payment that was paid, as PDF')
    .of('payment')
    .delegates('read')
    .can('transactions.list_own')
    .refuses('invalid_state')
    .answers(bytes('application/pdf'), ({ payment_id }) => `receipt-${payment_id}.pdf`)
    .does(async (context) => {
      await findVisible(context)
      const receipt = await findReceipt(context.read, context.params.payment_id)
      const { drawReceipt } = await import('../../documents/statements/receipt-page.ts') // pdfkit takes long to load
      return drawReceipt(receipt)
    }),
]

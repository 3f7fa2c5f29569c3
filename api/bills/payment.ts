/** Payment of a bill: previewed, and requested. */
import { acknowledgeAnswer, accountToPay } from '../../services/bills/payee.ts'
import { findBill } from '../../services/bills/bills.ts'
import { previewPayment } from '../../services/bills/preview.ts'
import { requestPayment } from '../../services/bills/payment.ts'
import { Bill, PaymentRequest } from '../../domain/bills/bill.ts'
import { PaymentPreview } from '../../domain/bills/preview.ts'
import type { BillId } from '../../domain/ids.ts'
import { askAboutPayee, permitQuestions } from '../../partners/payee-checks.ts'
import { BRIEF_LOCKS, repeating } from '../http/command.ts'
import { operations } from '../http/operation.ts'
import type { Context } from '../http/route.ts'

const { command, query } = operations('Bills')

type Asking = Context<'org' | 'read', { readonly params: { readonly bill_id: BillId }; readonly body: PaymentRequest }>

/** Asks the bank if the account of a bill belongs to its name. Runs before the transaction. */
async function askBank({ org: { organizationId }, read, params: { bill_id: id }, body }: Asking) {
  const { payment_contact_id: contact, acknowledge_payee_check: acknowledges } = body
  const coordinates = await accountToPay(read, id, contact)
  if (!coordinates) return { asked: null, acknowledge_payee_check: acknowledges }
  const answer = await askAboutPayee(coordinates, await permitQuestions(organizationId, 'payee_questions'))
  const acknowledge_payee_check = await acknowledgeAnswer(organizationId, id, answer, acknowledges)
  return { asked: { coordinates, answer }, acknowledge_payee_check }
}

export const billPayments = [
  query('/bills/{bill_id}/preflight', 'preflightBill', 'post')
    .says(
      'Preview the payment of a bill',
      'Answers what the request would do now, and what has to be acknowledged for it. Nothing is written; its ' +
        'acknowledgements are not read.',
    )
    .of('bill')
    .delegates('prepare')
    .can('payments.send_fiat')
    .takes(PaymentRequest)
    .answers(PaymentPreview)
    .does(async (context) => {
      const { person, params, body, requestId, write } = context
      const { asked: bank } = await askBank({ ...context, body: { ...body, acknowledge_payee_check: false } })
      const previewing = { id: params.bill_id, person, request: body, request_id: requestId, bank }
      return previewPayment((work) => repeating(() => write(work, BRIEF_LOCKS)), previewing)
    }),
  command('post', '/bills/{bill_id}/request-payment', 'requestBillPayment')
    .says(
      'Request the payment of a bill',
      'It needs approval as every payment does. If its contact has to be approved before, `waits_for` names that ' +
        'approval, and you ask again afterwards.',
    )
    .of('bill')
    .delegates('prepare')
    .can('payments.send_fiat')
    .movesMoney()
    .takes(PaymentRequest)
    .refuses(
      'invalid_state',
      'bill_payment_in_progress',
      'unprocessable_entity',
      'bill_incomplete',
      'invalid_bank_details',
      'duplicate_bill',
      'destination_missing',
      'address_required',
      'onboarding_incomplete',
      'unsupported_currency',
      'amount_precision',
      'amount_too_large',
      'limit_exceeded',
      'no_eligible_approver',
      'contact_not_approved',
      'payee_held',
      'same_account',
      'account_cooling_off',
      'coding_required',
      'ledger_unbalanced',
      'invalid_schedule',
      'payee_mismatch',
    )
    .answers(Bill)
    .retries('row', ({ read, params }) => findBill(read, params.bill_id))
    .prepares(askBank)
    .does(async ({ tx, read, person, params, body, claim, requestId, asked, acknowledge_payee_check }) => {
      const { bill_id: id } = params
      const more = { id, request_id: requestId, asked, acknowledge_payee_check }
      const { refusal } = await requestPayment(tx, person, claim, { ...body, ...more })
      return refusal ?? findBill(read, id)
    }),
]

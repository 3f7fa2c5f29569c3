/** The approval of a payment. */
import * as v from 'valibot'
import { AccountChange } from '../account-changes/change.ts'
import type { Action } from '../approval-action.ts'
import { Payer } from '../organizations/payer.ts'
import { PayeeAddress } from '../destinations/payee-address.ts'
import { PayeeCheckInSubject } from '../payee-checks/payee-check.ts'
import { paymentFlow } from './flow.ts'
import { day } from '../pagination.ts'
import { model, AnswerMoney, nullableText, timestamp, uuid, describe } from '../text.ts'

const PayeeInSubject = model('ApprovalPayee', { id: uuid, name: v.string(), deleted_at: v.nullable(timestamp) })

const amounts = {
  amount: describe(v.string(), 'Amount that arrives, in `currency`.'),
  amount_with_fees: nullableText,
  currency: v.string(),
}

/** Day of a payment on a date. */
const execute_on = v.optional(day)

/** Payer that the order names; null if it was made without. */
const payer = describe(v.nullable(Payer), 'Who pays, as the order names it; null: it names none.')

const purpose = {
  internal_notes: nullableText,
  payment_contact: PayeeInSubject,
  payout_reason: v.string(),
  statement_description: v.string(),
  state: describe(v.string(), 'State of the payment.'),
  tag: nullableText,
}

const InternalTransfer = model('InternalTransferTarget', {
  type: v.literal('internal_transfer'),
  internal_transfer: describe(
    model('InternalTransferView', {
      id: uuid,
      ...amounts,
      execute_on,
      created_at: timestamp,
      destination: model('InternalTransferDestination', { id: uuid, svc_id: v.string() }),
      account_change: v.nullable(AccountChange),
      ...purpose,
    }),
    'Payment within the service.',
  ),
})

/** `account` is its end: the destination shows the rest to approvers. */
const FiatOutgoing = model('FiatOutgoingTarget', {
  type: v.literal('fiat_outgoing'),
  fiat_outgoing: describe(
    model('FiatOutgoingView', {
      id: uuid,
      ...amounts,
      deducting: AnswerMoney,
      landing: AnswerMoney,
      fee: describe(AnswerMoney, 'Fee.'),
      rate: nullableText,
      execute_on,
      max_deducting: describe(
        v.optional(AnswerMoney),
        'The most that may be deducted on the day, since the rate is that of the day.',
      ),
      payer,
      payee_check: v.nullable(PayeeCheckInSubject),
      created_at: timestamp,
      destination: model('FiatOutgoingDestination', {
        id: uuid,
        account: describe(nullableText, 'IBAN, number or address; masked.'),
        account_holder_name: v.string(),
        known_holder: nullableText,
        country_code: v.string(),
        currency: v.string(),
      }),
      payee_address: describe(v.nullable(PayeeAddress), 'Address with which the payee is paid; null: none.'),
      account_change: v.nullable(AccountChange),
      ...purpose,
    }),
    'Payment by bank.',
  ),
})

const CryptoOutgoing = model('CryptoOutgoingTarget', {
  type: v.literal('crypto_outgoing'),
  crypto_outgoing: describe(
    model('CryptoOutgoingView', {
      id: uuid,
      ...amounts,
      coin: model('CryptoCoin', {
        custody_code: describe(v.string(), 'Code of the coin at the custodian.'),
        display_name: v.string(),
        id: uuid,
        label: v.string(),
        network: v.string(),
        network_name: describe(v.string(), 'Name of the network.'),
        symbol: describe(v.string(), 'Symbol of the coin.'),
      }),
      execute_on,
      created_at: timestamp,
      destination: model('CryptoOutgoingDestination', {
        id: uuid,
        address: describe(v.string(), 'Address on the network.'),
        memo: v.optional(v.string()),
      }),
      payer,
      internal_notes: nullableText,
      account_change: v.nullable(AccountChange),
      payment_contact: PayeeInSubject,
      state: describe(v.string(), 'State of the payment.'),
      tag: nullableText,
      txid: describe(nullableText, 'Id of the transaction on the network.'),
    }),
    'Payment by blockchain.',
  ),
})

export const withdrawal = {
  type: 'withdrawal',
  title: 'Approve a payment',
  permissions: ['payments.send_fiat', 'payments.send_crypto'],
  hasAmount: true,
  paysOut: true,
  waitsByDefault: true,
  targets: ['crypto_outgoing', 'fiat_outgoing', 'internal_transfer'],
  flow: paymentFlow,
  subjects: [InternalTransfer, FiatOutgoing, CryptoOutgoing],
} as const satisfies Action

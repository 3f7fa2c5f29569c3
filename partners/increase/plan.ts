/** Plans of payouts at Increase: ACH by default, wire for what ACH cannot carry, RTP or FedNow at once. */
import type { ACHTransferCreateParams } from 'increase/resources/ach-transfers'
import type { FednowTransferCreateParams } from 'increase/resources/fednow-transfers'
import type { RealTimePaymentsTransferCreateParams } from 'increase/resources/real-time-payments-transfers'
import type { WireTransferCreateParams } from 'increase/resources/wire-transfers'
import { toMinor } from '../../domain/money/money.ts'
import { findUntransliterable, transliterate } from '../../domain/transliterate.ts'
import type { IncreaseSettings } from '../../platform/drivers/increase.ts'
import type { Intent, PayoutOrder } from '../driver.ts'
import { refusalOf } from '../http.ts'
import { DOLLARS, centsOf } from './words.ts'

export const OPERATIONS = ['ach', 'wire', 'rtp', 'fednow'] as const
export type Operation = (typeof OPERATIONS)[number]

type Connection = { readonly party: string; readonly settings: IncreaseSettings }

/** Characters of the fields of ACH (Nacha), and of ISO 20022, which the other networks speak. */
const [PAYEE_MAX, PAYER_MAX, ADDENDUM_MAX, NAME_MAX, REMITTANCE_MAX, LINE_MAX] = [22, 16, 80, 140, 140, 70]
const ROUTING_NUMBER = /^\d{9}$/
const ACCOUNT_NUMBER = /^[A-Za-z0-9-]{1,17}$/
const INSTANT_MAX = { amount: '10000000.00', currency: DOLLARS }

/** Parts of every order, in the letters of banks. */
type Parts = {
  readonly amount: number
  readonly to: { readonly account_number: string; readonly routing_number: string }
  readonly payee: string
  readonly words: string
}

/** Plans a payout; pure. Refuses an account outside of the United States, and what no operation can carry. */
export function planPayout({ party, settings }: Connection, order: PayoutOrder): Intent {
  const refuse = (code: string, message: string) => refusalOf({ party }, { code, message })
  const { id, amount, beneficiary, reference } = order
  if (amount.currency !== DOLLARS) throw refuse('currency_not_supported', 'only US dollars are paid here')
  const { aba_code: routing = null, account_number: account = null, account_holder_name: holder = null } = beneficiary
  if (!routing || !account || !ROUTING_NUMBER.test(routing) || !ACCOUNT_NUMBER.test(account))
    throw refuse('account_not_supported', 'only accounts in the United States are paid here')
  const [payee, words] = [holder ?? '', reference].map((text) => {
    if (findUntransliterable(text))
      throw refuse('letters_not_supported', 'a name or reference has letters no bank takes')
    return transliterate(text)
  })
  if (!payee) throw refuse('payee_name_missing', 'the payee has no name')
  if (!words || words.length > REMITTANCE_MAX)
    throw refuse('reference_too_long', `a reference has 1 to ${REMITTANCE_MAX} characters`)
  const operation = operationOf(settings, order, words)
  const isInstant = operation === 'rtp' || operation === 'fednow'
  if (isInstant && toMinor(amount) > toMinor(INSTANT_MAX))
    throw refuse('amount_too_high', `at most ${INSTANT_MAX.amount} USD are paid at once`)
  if (operation !== 'ach' && !order.payer) throw refuse('payer_missing', 'the order has no payer')
  if (isInstant && !order.payer?.account) throw refuse('account_missing', 'the payer has no account number yet')
  const parts = { amount: centsOf(amount), to: { account_number: account, routing_number: routing }, payee, words }
  return { id, operation, amount, content: CONTENTS[operation](parts, order, settings) }
}

/** Chooses the operation: the same for the same order and settings. */
function operationOf(
  { achLimit, instant }: IncreaseSettings,
  { speed, amount }: PayoutOrder,
  words: string,
): Operation {
  if (speed === 'instant') return instant
  const isForAch = toMinor(amount) <= toMinor({ amount: achLimit, currency: DOLLARS }) && words.length <= ADDENDUM_MAX
  return isForAch ? 'ach' : 'wire'
}

const CONTENTS: Readonly<Record<Operation, (parts: Parts, order: PayoutOrder, settings: IncreaseSettings) => object>> =
  {
    ach: ({ amount, to, payee, words }, { payer, payeeType }, { account }) =>
      ({
        account_id: account,
        amount,
        ...to,
        statement_descriptor: words,
        individual_name: payee.slice(0, PAYEE_MAX),
        ...(payer && { company_name: payer.name.slice(0, PAYER_MAX) }),
        standard_entry_class_code:
          payeeType === 'individual' ? 'prearranged_payments_and_deposit' : 'corporate_credit_or_debit',
        destination_account_holder: payeeType ?? 'unknown',
        addenda: { category: 'freeform', freeform: { entries: [{ payment_related_information: words }] } },
      }) satisfies ACHTransferCreateParams,
    wire: ({ amount, to, payee, words }, order, { account }) =>
      ({
        account_id: account,
        amount,
        ...to,
        creditor: { name: payee.slice(0, NAME_MAX), ...writeAddress(payeeLines(order)) },
        debtor: { name: (order.payer?.name ?? '').slice(0, NAME_MAX), ...writeAddress(payerLines(order)) },
        remittance: { category: 'unstructured', unstructured: { message: words } },
        ...(order.payer?.account && { source_account_number_id: order.payer.account }),
      }) satisfies WireTransferCreateParams,
    rtp: (parts, order) => ({ ...instantOf(parts, order) }) satisfies RealTimePaymentsTransferCreateParams,
    fednow: (parts, order) => ({ ...instantOf(parts, order) }) satisfies FednowTransferCreateParams,
  }

const instantOf = ({ amount, to, payee, words }: Parts, { payer }: PayoutOrder) => ({
  amount,
  ...to,
  creditor_name: payee.slice(0, NAME_MAX),
  debtor_name: (payer?.name ?? '').slice(0, NAME_MAX),
  source_account_number_id: payer?.account ?? '',
  unstructured_remittance_information: words,
})

/** Writes an address in the three lines of a wire; nothing of one that is not known. */
const writeAddress = ([line1, line2, line3]: readonly string[]) =>
  line1 === undefined ? {} : { address: { unstructured: { line1, ...(line2 && { line2 }), ...(line3 && { line3 }) } } }

const linesOf = (lines: readonly (readonly (string | undefined)[])[]): string[] =>
  lines.map((words) => words.filter(Boolean).join(' ').slice(0, LINE_MAX)).filter(Boolean)

const payeeLines = ({ payeeAddress: to }: PayoutOrder): string[] =>
  to ? linesOf([[to.street, to.building_number], [to.town, to.region, to.postal_code], [to.country_code]]) : []

function payerLines({ payer }: PayoutOrder): string[] {
  if (!payer) return []
  const { line1, line2, town, postal_code: code, country_code: country } = payer.address
  return linesOf([[line1, line2], [town, code], [country]])
}

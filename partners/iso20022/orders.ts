/** Orders as payments of a file; what a file cannot carry is refused before it is put there. */
import { findFault } from '../../documents/bank-files/payment-faults.ts'
import type { BankAccount, FilePayment } from '../../domain/bank-files/messages.ts'
import { fileIdOf } from '../../domain/bank-files/references.ts'
import type { StoredDeposit } from '../../domain/bank-files/records.ts'
import type { Coordinates } from '../../domain/destinations/destination.ts'
import { transliterate } from '../../domain/transliterate.ts'
import type { PayoutOrder } from '../driver.ts'
import { refusalOf } from '../http.ts'

/** Codes of national clearing systems (ISO 20022), by coordinate. */
const CLEARING: readonly (readonly [coordinate: string, system: string])[] = [
  ['aba_code', 'USABA'],
  ['sort_code', 'GBDSC'],
  ['bsb_code', 'AUBSB'],
  ['ifsc_code', 'INFSC'],
  ['cnaps', 'CNAPS'],
]

/** Account that a payment leaves from, if the connection has one. */
type From = { readonly party: string; readonly account: BankAccount | undefined }

/**
 * Makes the payment of an order. Throws `PartnerRefused` for one that no file can carry. `instant`: currencies of instant
 * payments.
 */
export function paymentOf(instant: readonly string[], { party, account }: From, order: PayoutOrder): FilePayment {
  const { id, amount, reference, beneficiary, payeeAddress, payer } = order
  if (!account)
    throw refusalOf({ party }, { code: 'unsupported_currency', message: `No account in ${amount.currency}.` })
  const isInstant = order.speed === 'instant'
  if (isInstant && !instant.includes(amount.currency))
    throw refusalOf({ party }, { code: 'not_instant', message: 'Files to this bank carry no such instant payments.' })
  const { account: _account, ...sent } = payer ?? { account: undefined }
  return refuseFaults(
    party,
    { account, isInstant },
    {
      endToEndId: fileIdOf(id),
      amount,
      reference: transliterate(reference),
      creditor: {
        name: transliterate(beneficiary['account_holder_name'] ?? ''),
        address: payeeAddress,
        ...accountOf(beneficiary),
      },
      payer: payer && 'name' in sent ? sent : null,
    },
  )
}

function accountOf(given: Coordinates): Omit<FilePayment['creditor'], 'name' | 'address'> {
  const { iban, account_number: number, swift_code: bic, country_code: country } = given
  const named = CLEARING.flatMap(([coordinate, system]) => {
    const code = given[coordinate]
    return code ? [{ system, code }] : []
  })
  const [bank, branch] = [given['bank_code'], given['branch_code']]
  if (country === 'CA' && bank && branch) named.push({ system: 'CACPA', code: `0${bank}${branch}` })
  return {
    account: iban ? { iban } : { number: number ?? '' },
    bic: bic ?? null,
    clearing: bic ? null : (named[0] ?? null),
    bankCountry: country ?? '',
  }
}

/** Makes the payment by which a deposit goes back. Throws `PartnerRefused` if the bank has not said where it came from. */
export function returnOf({ party, account }: From, deposit: StoredDeposit): FilePayment {
  const { id, amount, sender } = deposit
  const refuse = (code: string, message: string) => refusalOf({ party }, { code, message })
  if (!account) throw refuse('unsupported_currency', `No account in ${amount.currency}.`)
  if (!sender.account || !/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(sender.account))
    throw refuse('unknown_sender', 'The bank has not said from which account it came.')
  return refuseFaults(
    party,
    { account, isInstant: false },
    {
      endToEndId: fileIdOf(id),
      amount,
      reference: 'Return of your payment',
      creditor: {
        name: transliterate(sender.name ?? 'Unknown'),
        address: null,
        account: { iban: sender.account },
        bic: null,
        clearing: null,
        bankCountry: sender.account.slice(0, 2),
      },
      payer: null,
    },
  )
}

function refuseFaults(
  party: string,
  file: { readonly account: BankAccount; readonly isInstant: boolean },
  payment: FilePayment,
): FilePayment {
  const fault = findFault(payment, file)
  if (fault)
    throw refusalOf(
      { party },
      { code: 'not_payable_by_file', message: `A file cannot carry it: ${fault.member} is ${fault.code}.` },
    )
  return payment
}

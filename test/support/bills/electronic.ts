/** Bills in every electronic form, with the truth of each. */
import type { BillField } from '../../../domain/bills/fields.ts'
import { BANK_DETAILS } from '../../../domain/bills/fields.ts'
import { type CiiProfile, CII_PROFILES, ciiOf } from './cii.ts'
import { type BillModel, type Truth, fieldsOf, notPayableOf } from './model.ts'
import { ublOf } from './ubl.ts'

export const FORMS = [
  'ubl-peppol',
  'ubl-xrechnung',
  // the keys are those of the profiles
  ...(Object.keys(CII_PROFILES) as CiiProfile[]).map((profile) => `cii-${profile}` as const),
] as const
export type Form = (typeof FORMS)[number]

/** Writes the bill in this form. ZUGFeRD 1 is older than codes such as 58 for transfers in euros. */
export function electronic(bill: BillModel, form: Form): string {
  if (form === 'ubl-peppol') return ublOf(bill, 'peppol')
  if (form === 'ubl-xrechnung') return ublOf(bill, 'xrechnung')
  // the others are profiles
  return ciiOf(bill, form.slice('cii-'.length) as CiiProfile)
}

export function electronicTruth(bill: BillModel, form: Form): Truth {
  const whole = fieldsOf(bill)
  const without = (...fields: BillField[]) => ({
    ...whole,
    ...Object.fromEntries(fields.map((field) => [field, null])),
  })
  const isPaidTo = whole.iban !== null || whole.account_number !== null
  const named = (holder: string | null) => ({ account_holder_name: isPaidTo ? holder : null })
  const cii = { ...without('sort_code', 'aba_code'), ...(whole.iban === null && { bank_country_alpha2: null }) }
  const [account] = bill.accounts
  const truth = { not_payable: notPayableOf(bill), refused: null, kind: form, language: bill.language }
  switch (form) {
    case 'ubl-peppol':
    case 'ubl-xrechnung':
      return { ...truth, fields: whole }
    case 'cii-minimum': {
      const isWords = truth.not_payable === 'card' || truth.not_payable === 'direct_debit'
      const fields = without('due_date', 'payment_reference', ...BANK_DETAILS)
      return { ...truth, fields, not_payable: isWords ? null : truth.not_payable }
    }
    case 'cii-basic-wl':
    case 'cii-basic':
      return { ...truth, fields: { ...cii, swift_code: null, ...named(bill.payeeName) } }
    case 'cii-zugferd-1':
      return { ...truth, fields: { ...cii, ...named(account?.holder ?? null) } }
    default:
      return { ...truth, fields: cii }
  }
}

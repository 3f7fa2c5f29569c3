/** Bills in every electronic form, with the truth of each. */
import type { BillField } from '../../domain/bills/fields.ts'
import { BANK_DETAILS } from '../../domain/bills/fields.ts'
import { type CiiProfile, CII_PROFILES, ciiOf } from './cii.ts'
import { type BillModel, type Truth, addressOf, fieldsOf, notPayableOf } from './model.ts'
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

/** The truth of a file that does not give these fields. */
export const leaving = (truth: Truth, ...fields: readonly BillField[]): Truth => ({
  ...truth,
  fields: truth.fields && { ...truth.fields, ...Object.fromEntries(fields.map((field) => [field, null])) },
})

export function electronicTruth(bill: BillModel, form: Form): Truth {
  // these two name no payee beside the seller
  const isSellerAlone = form === 'cii-minimum' || form === 'cii-zugferd-1'
  const fields = { ...fieldsOf(bill), ...(isSellerAlone && addressOf(bill.seller)) }
  const not_payable = notPayableOf(bill)
  const truth: Truth = { fields, not_payable, refused: null, kind: form, language: bill.language }
  if (form.startsWith('ubl-')) return truth
  if (form === 'cii-minimum') {
    const isWords = not_payable === 'card' || not_payable === 'direct_debit'
    const shown = isWords ? { ...truth, not_payable: null } : truth
    return leaving(shown, 'due_date', 'payment_reference', ...BANK_DETAILS)
  }
  const cii = leaving(
    truth,
    'sort_code',
    'aba_code',
    ...(fields.iban === null ? (['bank_country_alpha2'] as const) : []),
  )
  const isPaidTo = fields.iban !== null || fields.account_number !== null
  const held = (holder: string | null | undefined): Truth => ({
    ...cii,
    fields: cii.fields && { ...cii.fields, account_holder_name: isPaidTo ? (holder ?? null) : null },
  })
  if (form === 'cii-basic-wl' || form === 'cii-basic') return leaving(held(bill.payeeName), 'swift_code')
  return form === 'cii-zugferd-1' ? held(bill.accounts[0]?.holder) : cii
}

import { BANK_COORDINATES } from '../contacts/bank-requirements.ts'

export const BANK_DETAILS = ['account_holder_name', 'bank_country_alpha2', ...BANK_COORDINATES] as const
export type BankDetail = (typeof BANK_DETAILS)[number]
export const isBankDetail = (name: string): name is BankDetail => (BANK_DETAILS as readonly string[]).includes(name)

export const STATED_FIELDS = [
  'amount',
  'currency',
  'bill_number',
  'supplier_name',
  'supplier_tax_id',
  'payment_reference',
  'issue_date',
  'due_date',
] as const

/** Fields that a person can type, by their name in Bill. */
export const TYPED_FIELDS = [...STATED_FIELDS, ...BANK_DETAILS] as const
export const BILL_FIELDS = [...STATED_FIELDS, 'tax_total', ...BANK_DETAILS] as const
export type BillField = (typeof BILL_FIELDS)[number]

export type BillFields = Readonly<Partial<Record<BillField, string>>>

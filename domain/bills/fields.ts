import { BANK_COORDINATES } from '../destinations/bank-requirements.ts'
import { ADDRESS_COLUMNS, type AddressColumn } from '../destinations/payee-address.ts'

export const BANK_DETAILS = ['account_holder_name', 'bank_country_alpha2', ...BANK_COORDINATES] as const
export type BankDetail = (typeof BANK_DETAILS)[number]
export const isBankDetail = (name: string): name is BankDetail => (BANK_DETAILS as readonly string[]).includes(name)

/** Fields of the supplier's address; sealed like the bank details, but none of them. */
export const ADDRESS_FIELDS = ADDRESS_COLUMNS
export const SEALED_FIELDS = [...BANK_DETAILS, ...ADDRESS_FIELDS] as const
export type SealedField = (typeof SEALED_FIELDS)[number]
export const isAddressField = (name: string): name is AddressColumn =>
  (ADDRESS_FIELDS as readonly string[]).includes(name)

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
export const TYPED_FIELDS = [...STATED_FIELDS, ...SEALED_FIELDS] as const
export const BILL_FIELDS = [...STATED_FIELDS, 'tax_total', ...SEALED_FIELDS] as const
export type BillField = (typeof BILL_FIELDS)[number]

export type BillFields = Readonly<Partial<Record<BillField, string>>>

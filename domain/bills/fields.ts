/** The fields of a bill that a reader can find, or a person can type. */
import { BANK_COORDINATES } from '../contacts/bank-requirements.ts'

/** Whose account it is, where it is, and how it is named. */
export const BANK_DETAILS = ['account_holder_name', 'bank_country_alpha2', ...BANK_COORDINATES] as const
export type BankDetail = (typeof BANK_DETAILS)[number]
export const isBankDetail = (name: string): name is BankDetail => (BANK_DETAILS as readonly string[]).includes(name)

/** What a bill says of itself, of who sent it, and of what is owed. */
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

/** Every field that a person can type, by its name in Bill. */
export const TYPED_FIELDS = [...STATED_FIELDS, ...BANK_DETAILS] as const
/** Every field; the tax is read only. */
export const BILL_FIELDS = [...STATED_FIELDS, 'tax_total', ...BANK_DETAILS] as const
export type BillField = (typeof BILL_FIELDS)[number]

/** What is known of a bill: each field once, or not at all. */
export type BillFields = Readonly<Partial<Record<BillField, string>>>

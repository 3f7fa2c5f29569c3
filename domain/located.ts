/** Organization-owned nouns that requests name by id; locate() finds the organization. */

export const LOCATED = {
  organization: 'organizations',
  payment: 'payments',
  payment_contact: 'payment_contacts',
  payment_destination: 'payment_destinations',
  payment_quote: 'payment_quotes',
  transaction: 'transactions',
  deposit: 'deposits',
  swap_quote: 'swap_quotes',
  swap: 'swaps',
  export: 'exports',
  payment_batch: 'payment_batches',
  bill: 'bills',
  billing_contact: 'billing_contacts',
  invoice: 'invoices',
  credit_note: 'credit_notes',
} as const

export type LocatedKind = keyof typeof LOCATED

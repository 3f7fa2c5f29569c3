/**
 * What belongs to an organization and is named by its id in a request: locate() finds the organization of each kind.
 */

/** The table of each kind. */
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
} as const

export type Located = keyof typeof LOCATED

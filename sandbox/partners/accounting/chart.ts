/** The chart of accounts of every tenant at the stand-in of the accounting program, and its tax rates. */
import { v5 } from 'uuid'

const NAMESPACE = '0f0dc4f8-6a39-4c1e-9c0e-1d6e1b6a7c11'

/** Xero's class of each of its types that is here. */
const CLASSES = {
  BANK: 'ASSET',
  CURRENT: 'ASSET',
  FIXED: 'ASSET',
  CURRLIAB: 'LIABILITY',
  TERMLIAB: 'LIABILITY',
  EQUITY: 'EQUITY',
  REVENUE: 'REVENUE',
  OTHERINCOME: 'REVENUE',
  DIRECTCOSTS: 'EXPENSE',
  EXPENSE: 'EXPENSE',
  OVERHEADS: 'EXPENSE',
} as const

type Row = readonly [code: string, name: string, type: keyof typeof CLASSES, apart?: string]

/** `apart`: the currency of a bank account, what Xero itself posts to, `payments` are taken, or it is `archived`. */
const ROWS: readonly Row[] = [
  ['090', 'Business Bank Account', 'BANK', 'EUR'],
  ['091', 'US Dollar Account', 'BANK', 'USD'],
  ['092', 'Sterling Account', 'BANK', 'GBP'],
  ['093', 'Swiss Franc Account', 'BANK', 'CHF'],
  ['200', 'Sales', 'REVENUE'],
  ['260', 'Other Revenue', 'REVENUE'],
  ['270', 'Interest Income', 'OTHERINCOME'],
  ['310', 'Cost of Goods Sold', 'DIRECTCOSTS'],
  ['400', 'Advertising', 'EXPENSE'],
  ['404', 'Bank Fees', 'EXPENSE'],
  ['408', 'Cleaning', 'EXPENSE'],
  ['412', 'Consulting & Accounting', 'EXPENSE'],
  ['420', 'Entertainment', 'EXPENSE'],
  ['425', 'Freight & Courier', 'EXPENSE'],
  ['429', 'General Expenses', 'EXPENSE'],
  ['433', 'Insurance', 'EXPENSE'],
  ['445', 'Light, Power, Heating', 'EXPENSE'],
  ['453', 'Office Expenses', 'EXPENSE'],
  ['463', 'IT Software and Consumables', 'EXPENSE'],
  ['469', 'Rent', 'EXPENSE'],
  ['473', 'Repairs and Maintenance', 'EXPENSE'],
  ['477', 'Wages and Salaries', 'EXPENSE'],
  ['479', 'Superannuation', 'EXPENSE', 'archived'],
  ['485', 'Subscriptions', 'EXPENSE'],
  ['489', 'Telephone & Internet', 'EXPENSE'],
  ['493', 'Travel - National', 'EXPENSE'],
  ['494', 'Travel - International', 'EXPENSE'],
  ['499', 'Realised Currency Gains', 'EXPENSE', 'REALISEDCURRENCYGAIN'],
  ['610', 'Accounts Receivable', 'CURRENT', 'DEBTORS'],
  ['620', 'Prepayments', 'CURRENT', 'payments'],
  ['710', 'Office Equipment', 'FIXED'],
  ['800', 'Accounts Payable', 'CURRLIAB', 'CREDITORS'],
  ['820', 'Sales Tax', 'CURRLIAB', 'GST'],
  ['835', 'Revenue Received in Advance', 'CURRLIAB', 'payments'],
  ['850', 'Suspense', 'CURRLIAB'],
  ['900', 'Loan', 'TERMLIAB'],
  ['960', 'Retained Earnings', 'EQUITY', 'RETAINEDEARNINGS'],
  ['970', 'Owner A Share Capital', 'EQUITY'],
]

/** An account as Xero answers it. */
export type Account = {
  readonly AccountID: string
  readonly Code: string
  readonly Name: string
  readonly Status: 'ACTIVE' | 'ARCHIVED'
  readonly Type: keyof typeof CLASSES
  readonly TaxType: string
  readonly Class: string
  readonly EnablePaymentsToAccount: boolean
  readonly CurrencyCode?: string
  readonly SystemAccount?: string
}

/** Their accounts, in the order of their codes. */
export const accountsOf = (tenantId: string): Account[] =>
  ROWS.map(([code, name, type, apart]) => ({
    AccountID: v5(`${tenantId}:${code}`, NAMESPACE),
    Code: code,
    Name: name,
    Status: apart === 'archived' ? 'ARCHIVED' : 'ACTIVE',
    Type: type,
    TaxType: taxTypeOf(type),
    Class: CLASSES[type],
    EnablePaymentsToAccount: apart === 'payments',
    ...(type === 'BANK' && apart !== undefined && { CurrencyCode: apart, BankAccountType: 'BANK' }),
    ...(type !== 'BANK' && apart !== undefined && /^[A-Z]+$/.test(apart) && { SystemAccount: apart }),
  }))

function taxTypeOf(type: keyof typeof CLASSES): string {
  if (CLASSES[type] === 'EXPENSE') return 'INPUT'
  return type === 'REVENUE' ? 'OUTPUT' : 'NONE'
}

/** Percent of each tax type. */
export const TAX_RATES: ReadonlyMap<string, number> = new Map([
  ['NONE', 0],
  ['INPUT', 20],
  ['OUTPUT', 20],
  ['ZERORATEDOUTPUT', 0],
])

import { v5 } from 'uuid'

const NAMESPACE = '0f0dc4f8-6a39-4c1e-9c0e-1d6e1b6a7c11'

const CLASSES = {
  BANK: 'ASSET',
  CURRENT: 'ASSET',
  CURRLIAB: 'LIABILITY',
  EQUITY: 'EQUITY',
  REVENUE: 'REVENUE',
  EXPENSE: 'EXPENSE',
} as const

type Row = readonly [code: string, name: string, type: keyof typeof CLASSES, apart?: string]

/** Accounts. `apart`: currency of a bank account, name of a system account of Xero, `payments` or `archived`. */
const ROWS: readonly Row[] = [
  ['090', 'Business Bank Account', 'BANK', 'EUR'],
  ['091', 'US Dollar Account', 'BANK', 'USD'],
  ['092', 'Sterling Account', 'BANK', 'GBP'],
  ['093', 'Swiss Franc Account', 'BANK', 'CHF'],
  ['200', 'Sales', 'REVENUE'],
  ['400', 'Advertising', 'EXPENSE'],
  ['404', 'Bank Fees', 'EXPENSE'],
  ['429', 'General Expenses', 'EXPENSE'],
  ['453', 'Office Expenses', 'EXPENSE'],
  ['463', 'IT Software and Consumables', 'EXPENSE'],
  ['477', 'Wages and Salaries', 'EXPENSE'],
  ['479', 'Superannuation', 'EXPENSE', 'archived'],
  ['485', 'Subscriptions', 'EXPENSE'],
  ['610', 'Accounts Receivable', 'CURRENT', 'DEBTORS'],
  ['620', 'Prepayments', 'CURRENT', 'payments'],
  ['800', 'Accounts Payable', 'CURRLIAB', 'CREDITORS'],
  ['835', 'Revenue Received in Advance', 'CURRLIAB', 'payments'],
  ['850', 'Suspense', 'CURRLIAB'],
  ['970', 'Owner A Share Capital', 'EQUITY'],
]

export type Account = ReturnType<typeof accountsOf>[number]

export const accountsOf = (tenantId: string) =>
  ROWS.map(([code, name, type, apart]) => ({
    AccountID: v5(`${tenantId}:${code}`, NAMESPACE),
    Code: code,
    Name: name,
    Status: apart === 'archived' ? 'ARCHIVED' : 'ACTIVE',
    Type: type,
    Class: CLASSES[type],
    EnablePaymentsToAccount: apart === 'payments',
    ...(type === 'BANK' && { CurrencyCode: apart, BankAccountType: 'BANK' }),
    ...(type !== 'BANK' && /^[A-Z]+$/.test(apart ?? '') && { SystemAccount: apart }),
  }))

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

type Rate = readonly [type: string, name: string, rate: number, status?: string]
const RATES: readonly Rate[] = [
  ['INPUT2', '20% (VAT on Expenses)', 20],
  ['RRINPUT', '5% (VAT on Expenses)', 5],
  ['ZERORATEDINPUT', 'Zero Rated Expenses', 0],
  ['OUTPUT2', '20% (VAT on Income)', 20],
  ['NONE', 'No VAT', 0],
  ['TAX001', '17.5% (VAT on Expenses)', 17.5, 'ARCHIVED'],
]

/** Tax rates of every tenant. */
export const TAX_RATES = RATES.map(([TaxType, Name, EffectiveRate, Status = 'ACTIVE']) => ({
  Name,
  TaxType,
  DisplayTaxRate: EffectiveRate,
  EffectiveRate,
  Status,
  CanApplyToExpenses: !TaxType.startsWith('OUTPUT'),
}))

const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  Department: ['Sales', 'IT', 'Old'],
  Region: ['North', 'South'],
}

/** Lists the tracking categories of a tenant, of which Xero has at most two. */
export const trackingOf = (tenantId: string) =>
  Object.entries(CATEGORIES).map(([Name, options]) => ({
    TrackingCategoryID: v5(`${tenantId}:${Name}`, NAMESPACE),
    Name,
    Status: 'ACTIVE',
    Options: options.map((option) => ({
      TrackingOptionID: v5(`${tenantId}:${Name}:${option}`, NAMESPACE),
      Name: option,
      Status: option === 'Old' ? 'ARCHIVED' : 'ACTIVE',
    })),
  }))

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

/** Lines of documents of the stand-in: accounts, tax rates and tracking are checked as Xero checks them. */
import { v7 } from 'uuid'
import type { Body, Books } from '../../db/accounting-books.ts'
import { type Account, TAX_RATES, accountsOf, trackingOf } from './chart.ts'

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

export const draftOf = (value: unknown): Body => (isBody(value) ? value : {})
export const listOf = (value: unknown): Body[] => (Array.isArray(value) ? value.map(draftOf) : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const amountOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
export const roundToCents = (amount: number): number => Math.round(Number((amount * 100).toFixed(4))) / 100

export const faultsOf = (checks: readonly (readonly [isWrong: boolean, message: string])[]): string[] =>
  checks.flatMap(([isWrong, message]) => (isWrong ? [message] : []))

export function accountIn(books: Books, value: unknown): Account | undefined {
  const { AccountID: id, Code: code } = draftOf(value)
  return accountsOf(books.tenantId).find((account) =>
    textOf(id) ? account.AccountID === textOf(id).toLowerCase() : account.Code === textOf(code),
  )
}
/** Writes lines with accounts and totals. Supports `NoTax`, and `Inclusive`, of which amounts have their tax in them. */
export function linesOf(books: Books, draft: Body) {
  const types = draft['LineAmountTypes']
  const isTaxed = types === 'Inclusive'
  const lines = listOf(draft['LineItems']).map((line) => lineOf(books, line, isTaxed))
  const total = roundToCents(lines.reduce((sum, { body }) => sum + body.LineAmount, 0))
  const tax = roundToCents(lines.reduce((sum, { body }) => sum + body.TaxAmount, 0))
  const errors = [
    ...faultsOf([
      [lines.length === 0, 'One or more line items must be specified'],
      [types !== 'NoTax' && !isTaxed, 'LineAmountTypes must be NoTax or Inclusive'],
      [total < 0, 'The document total must be greater than or equal to zero.'],
    ]),
    ...new Set(lines.flatMap((line) => line.errors)),
  ]
  const items = lines.map(({ body }) => body)
  const sums = { SubTotal: roundToCents(total - tax), TotalTax: tax, Total: total }
  return { members: { LineAmountTypes: types, LineItems: items, ...sums }, errors }
}

function lineOf(books: Books, line: Body, isTaxed: boolean) {
  const [quantity, unit] = [amountOf(line['Quantity']) ?? 1, amountOf(line['UnitAmount']) ?? 0]
  const code = textOf(line['AccountCode'])
  const account = accountIn(books, { Code: code })
  const isUsable = account?.Status === 'ACTIVE' && account.Type !== 'BANK' && !account.SystemAccount
  const taxType = textOf(line['TaxType'])
  const rate = TAX_RATES.find((one) => one.TaxType === taxType && one.Status === 'ACTIVE')
  const tracking = trackingIn(books, line)
  const errors = faultsOf([
    [!textOf(line['Description']), 'Description is required for each line item'],
    [!code, 'Account code or ID must be specified'],
    [Boolean(code) && !isUsable, `Account code '${code}' is not a valid code for this document.`],
    [
      Boolean(taxType) && !rate,
      `The TaxType code '${taxType}' does not exist or cannot be used for this type of transaction.`,
    ],
  ])
  const amount = roundToCents(quantity * unit)
  const percent = isTaxed ? (rate?.EffectiveRate ?? 0) : 0
  const body = {
    Description: textOf(line['Description']),
    Quantity: quantity,
    UnitAmount: unit,
    LineAmount: amount,
    TaxType: taxType || 'NONE',
    TaxAmount: roundToCents((amount * percent) / (100 + percent)),
    Tracking: tracking.members,
    AccountCode: code,
    AccountID: account?.AccountID,
    LineItemID: v7(),
  }
  return { body, errors: [...errors, ...tracking.errors] }
}

/** Reads at most two tracking categories, by their names or ids. */
function trackingIn(books: Books, line: Body): { readonly members: Body[]; readonly errors: readonly string[] } {
  const given = listOf(line['Tracking'])
  const categories = trackingOf(books.tenantId)
  const members = given.flatMap((one) => {
    const category = categories.find(({ Name, TrackingCategoryID: id }) => id === one['TrackingCategoryID'] || Name === one['Name']) // prettier-ignore
    const option = category?.Options.find(({ Name, Status, TrackingOptionID: id }) => Status === 'ACTIVE' && (id === one['TrackingOptionID'] || Name === one['Option'])) // prettier-ignore
    if (!category || !option) return []
    const { Name, TrackingCategoryID } = category
    return [{ Name, Option: option.Name, TrackingCategoryID, TrackingOptionID: option.TrackingOptionID }]
  })
  const errors = faultsOf([
    [given.length > 2, 'A line item can have at most 2 tracking categories'],
    [
      members.length < given.length,
      'Unknown tracking details. A Tracking Category did not match a known Active TrackingCategory',
    ],
  ])
  return { members, errors }
}

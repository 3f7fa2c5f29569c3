/** Coordinates of a payee's bank account, and the findings of their check. */
import type { Check } from '../../../domain/destinations/check.ts'
import { type BankCoordinates, checkCoordinates } from '../../../domain/destinations/coordinates.ts'

export type Given = Partial<BankCoordinates>

export const account = (country_code: string, currency: string, given: Given = {}) =>
  ({ type: 'bank', account_holder_name: 'Payee', country_code, currency, ...given }) as BankCoordinates
export const check = (country: string, currency: string, given: Given) =>
  checkCoordinates(account(country, currency, given))
export const codeOf = (checks: Check[], field: string) => checks.find((found) => found.field === field)?.code
export const isValid = (checks: Check[]) => checks.every(({ status }) => status !== 'invalid')

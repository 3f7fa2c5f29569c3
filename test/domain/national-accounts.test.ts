import { expect, test } from 'vitest'
import { checkBankCoordinates } from '../../domain/destinations/bank-coordinates.ts'

test.each([
  ['01-0902-0068389-00', true],
  ['01-0902-0068389-000', true],
  ['08-6523-1954512-001', true],
  ['26-2600-0320871-032', true],
  ['31-2800-1234567-000', true],
  ['01-0902-0068398-00', false],
  ['08-6523-1954521-001', false],
  ['26-2600-0320871-023', false],
])('the check digits of an account of New Zealand are looked at: %s', (account_number, isRight) => {
  const account = {
    country_code: 'NZ',
    currency: 'NZD',
    account_holder_name: 'A',
    swift_code: 'BKNZNZ22',
    account_number,
  }
  const [check] = checkBankCoordinates({ type: 'bank', ...account }).filter(({ field }) => field === 'account_number')
  expect(check?.status).toBe(isRight ? 'ok' : 'warning')
})

test.each([
  ['NRA6222021234567890', 'ok'],
  ['FTN 6222 0212 3456 789', 'ok'],
  ['FTE1234567890', 'ok'],
  ['OSA1234567890', 'ok'],
  ['6222021234567890123', 'ok'],
  ['XYZ1234567890', 'invalid'],
])('accounts of China may be of non-residents and in free trade zones: %s', (account_number, status) => {
  const account = {
    country_code: 'CN',
    currency: 'CNY',
    account_holder_name: 'A',
    cnaps: '102100099996',
    account_number,
  }
  const [check] = checkBankCoordinates({ type: 'bank', ...account }).filter(({ field }) => field === 'account_number')
  expect(check?.status).toBe(status)
})

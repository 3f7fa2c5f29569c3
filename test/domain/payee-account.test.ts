/** One account is one payee, whatever names it. */
import { expect, test } from 'vitest'
import { canonicalCoordinates } from '../../domain/destinations/coordinates.ts'
import { type NewDestination, coordinatesIn } from '../../domain/destinations/destination.ts'
import { accountNumberOf } from '../../domain/destinations/payee-account.ts'

const bank = (country_code: string, currency: string, more: object) => ({
  type: 'bank',
  account_holder_name: 'Payee',
  country_code,
  currency,
  ...more,
})
const wallet = (network: string, coin: string, address: string, more: object = {}) => ({
  type: 'crypto',
  network,
  coin,
  address,
  ...more,
})
const keyOf = (given: object): string => {
  const destination = { default: false, ...given } as Exclude<NewDestination, { type: 'svc_id' }>
  return JSON.stringify(accountNumberOf(coordinatesIn(canonicalCoordinates(destination)) ?? {}))
}

const DE = 'DE89370400440532013000'
const GB = 'GB29NWBK60161331926819'
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const EVM = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

test.each([
  [
    'an IBAN in any currency, of any holder',
    ['GBP', 'USD', 'CHF', 'PLN'].map((code) => bank('DE', code, { iban: DE })),
  ],
  [
    'an IBAN with any BIC, in any spelling',
    [
      bank('DE', 'USD', { iban: DE, swift_code: 'COBADEFF', account_holder_name: 'Other' }),
      bank('DE', 'USD', { iban: 'de89 3704 0044 0532 0130 00', swift_code: 'COBADEFFXXX' }),
      bank('DE', 'EUR', { iban: DE }),
    ],
  ],
  [
    'a British account by sort code and number, or by IBAN, in Jersey too',
    [
      bank('GB', 'GBP', { sort_code: '60-16-13', account_number: '31926819' }),
      bank('GB', 'GBP', { sort_code: '601613', account_number: '31926819', iban: GB }),
      bank('JE', 'GBP', { sort_code: '601613', account_number: '31926819' }),
      bank('GB', 'EUR', { iban: GB }),
      bank('GB', 'USD', { iban: GB, swift_code: 'NWBKGB2L' }),
    ],
  ],
  [
    'an account named by its bank’s BIC, whatever its branch, with or without padding',
    [
      bank('KE', 'KES', { swift_code: 'KCBLKENX', account_number: '1234567', bank_name: 'KCB' }),
      bank('KE', 'USD', { swift_code: 'KCBLKENXNBO', account_number: '0001234567', bank_name: 'Kenya Commercial' }),
      bank('KE', 'EUR', { swift_code: 'KCBLKENX', account_number: '1234567', bank_name: 'KCB', branch_code: '1' }),
    ],
  ],
  [
    'an account of New Zealand with a suffix of two or three digits',
    [
      bank('NZ', 'NZD', { swift_code: 'BKNZNZ22', account_number: '01-0902-0068389-00' }),
      bank('NZ', 'USD', { swift_code: 'BKNZNZ22', account_number: '01-0902-0068389-000' }),
    ],
  ],
  [
    'a CLABE in any currency',
    [
      bank('MX', 'MXN', { account_number: '032180000118359719' }),
      bank('MX', 'USD', { account_number: '032180000118359719', swift_code: 'BCMRMXMM' }),
    ],
  ],
  [
    'an EVM address of any coin',
    [wallet('ethereum', 'ETH', EVM), wallet('ethereum', 'USDC', EVM.toLowerCase()), wallet('ethereum', 'USDT', EVM)],
  ],
  [
    'a customer of an exchange by any coin, with blanks around the memo',
    [wallet('tron', 'USDT', TRON, { memo: '104729' }), wallet('tron', 'USDC', TRON, { memo: ' 104729 ' })],
  ],
])('%s is one account', (_, accounts) => expect(new Set(accounts.map(keyOf)).size).toBe(1))

test.each([
  ['IBANs', [bank('DE', 'EUR', { iban: DE }), bank('DE', 'EUR', { iban: 'DE02120300000000202051' })]],
  [
    'equal numbers at two banks',
    [
      bank('US', 'USD', { aba_code: '021000021', account_number: '66661234' }),
      bank('US', 'USD', { aba_code: '011401533', account_number: '66661234' }),
      bank('KE', 'KES', { swift_code: 'KCBLKENX', account_number: '66661234', bank_name: 'KCB' }),
      bank('KE', 'KES', { swift_code: 'BARCKENX', account_number: '66661234', bank_name: 'Barclays' }),
    ],
  ],
  [
    'equal numbers at two branches that number by themselves',
    [
      bank('JP', 'JPY', { swift_code: 'BOTKJPJT', bank_code: '0005', branch_code: '001', account_number: '1234567' }),
      bank('JP', 'JPY', { swift_code: 'BOTKJPJT', bank_code: '0005', branch_code: '002', account_number: '1234567' }),
    ],
  ],
  [
    'customers of an exchange',
    [
      wallet('tron', 'USDT', TRON, { memo: '104729' }),
      wallet('tron', 'USDT', TRON, { memo: '104730' }),
      wallet('tron', 'USDT', TRON),
    ],
  ],
  [
    'addresses',
    [wallet('ethereum', 'ETH', EVM), wallet('bitcoin', 'BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')],
  ],
])('two %s are two accounts', (_, accounts) => expect(new Set(accounts.map(keyOf)).size).toBe(accounts.length))

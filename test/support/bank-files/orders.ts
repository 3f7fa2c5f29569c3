/** Random files of payments that a bank takes, as fast-check makes them. */
import fc from 'fast-check'
import type { FilePayment, PaymentFile } from '../../../domain/bank-files/messages.ts'
import { remainderBy97 } from '../../../domain/check-digits.ts'
import { decimalsOf, fromMinor } from '../../../domain/money/money.ts'

const LETTERS = Array.from("ABCXYZabcxyz0123456789/-?:().,'+ ")
/** Text in bank letters of at most `max` characters, at least one of them a letter. */
export const bankText = (max: number) =>
  fc
    .array(fc.constantFrom(...LETTERS), { maxLength: max - 1 })
    .map((signs) => `A${signs.join('')}`.replaceAll(/ +/g, ' ').trim())
/** Identifier in which no slash begins, ends or follows another. */
const id = (prefix: string) =>
  fc.stringMatching(/^[A-Z0-9]{1,10}(?:[-.:/][a-z0-9]{1,9}){0,2}$/).map((text) => `${prefix}${text}`.slice(0, 35))

function ibanOf(country: string, bban: string): string {
  const check = 98 - remainderBy97(`${bban}${country}00`)
  return `${country}${String(check).padStart(2, '0')}${bban}`
}
const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
export const ibanIn = (country: string) => digits(18).map((bban) => ibanOf(country, bban))
const bic = fc.stringMatching(/^[A-Z]{4}DE[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/)

const optional = (max: number) => fc.option(bankText(max), { nil: undefined, freq: 2 })
const address = fc
  .record({
    street: optional(100),
    building_number: optional(20),
    postal_code: optional(16),
    region: optional(35),
    town: bankText(35),
    country_code: fc.constantFrom('DE', 'FR', 'US', 'XK'),
  })
  .filter(({ street = '', building_number = '' }) => street.length + building_number.length < 110)
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined)))
const payer = fc.record({
  name: bankText(90),
  address: fc.record({
    line1: bankText(70),
    line2: bankText(70),
    postal_code: bankText(10),
    town: bankText(30),
    country_code: fc.constant('DE'),
  }),
})
const amountIn = (currency: string) =>
  fc.bigInt({ min: 1n, max: 10n ** BigInt(9 + decimalsOf(currency)) - 1n }).map((minor) => fromMinor(minor, currency))

/** Random payment by SEPA in euros, or elsewhere in any currency. */
export function paymentIn(currency: string, isSepa: boolean): fc.Arbitrary<FilePayment> {
  const euroAccount = fc.constantFrom('DE', 'AT', 'IE', 'GB').chain((country) =>
    fc.record({
      account: ibanIn(country).map((iban) => ({ iban })),
      bic: fc.option(bic),
      clearing: fc.constant(null),
      bankCountry: fc.constant(country),
    }),
  )
  const elsewhere = fc.record({
    account: digits(12).map((number) => ({ number })),
    bic: fc.constant(null),
    clearing: digits(9).map((code) => ({ system: 'USABA', code })),
    bankCountry: fc.constant('US'),
  })
  const foreign = fc.record({
    account: fc.oneof(
      ibanIn('BR').map((iban) => ({ iban })),
      bankText(34).map((number) => ({ number })),
    ),
    bic,
    clearing: fc.constant(null),
    bankCountry: fc.constantFrom('BR', 'SG'),
  })
  return fc
    .record({
      endToEndId: id('P'),
      amount: amountIn(currency),
      reference: fc.oneof(fc.constant(''), bankText(140)),
      name: bankText(isSepa ? 70 : 140),
      address: fc.option(address),
      bank: isSepa ? euroAccount : fc.oneof(elsewhere, foreign),
      payer: fc.option(payer),
    })
    .map(({ name, address: at, bank, ...rest }) => ({ ...rest, creditor: { name, address: at, ...bank } }))
}

/** Random file of one account: of payments within SEPA, or of none of them. */
export const paymentFile = (isSepa: boolean): fc.Arbitrary<PaymentFile> =>
  (isSepa ? fc.constant('EUR') : fc.constantFrom('EUR', 'USD', 'GBP', 'JPY', 'KWD')).chain((currency) =>
    fc.record({
      messageId: id('M'),
      createdAt: fc.constantFrom('2026-11-30T10:00:00Z', '2026-12-01T23:59:59.123Z'),
      holder: bankText(70),
      account: fc.record({ currency: fc.constant(currency), iban: ibanIn('DE'), bic }),
      executionDay: fc.constantFrom('2026-12-01', '2028-02-29'),
      isInstant: isSepa ? fc.boolean() : fc.constant(false),
      payments: fc.uniqueArray(paymentIn(currency, isSepa), {
        minLength: 1,
        maxLength: 5,
        selector: ({ endToEndId }) => endToEndId,
      }),
    }),
  )

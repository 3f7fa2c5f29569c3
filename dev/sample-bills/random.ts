/** Bills by seed: the same seed makes the same bill. */
import { composeIBAN, countrySpecs } from 'ibantools'
import { hasNationalCheckDigits } from '../../domain/destinations/iban.ts'
import { hasVatCheckDigits } from '../../domain/tax-ids.ts'
import type { BillModel, Language, Line, Party, PayeeAccount } from './model.ts'
import { netOf } from './model.ts'
import { WORDS } from './words.ts'

/** From 0 to 1, exclusive. */
export type Random = () => number

/** Mulberry32. */
export function randomBy(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const below = (random: Random, limit: number): number => Math.floor(random() * limit)
export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  // below() is an index of the list
  items[below(random, items.length)] as Item
const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => below(random, 10)).join('')
const letters = (random: Random, count: number): string =>
  Array.from({ length: count }, () => String.fromCharCode(65 + below(random, 26))).join('')
const chance = (random: Random, share: number): boolean => random() < share

export function ibanOf(random: Random, country: string): string {
  const pattern = countrySpecs[country]?.bban_regexp ?? ''
  const parts = [...pattern.matchAll(/\[([A-Z0-9-]+)\]\{([0-9]+)\}/g)]
  for (;;) {
    const bban = parts
      .map(([, signs = '', count]) => (/^A-Z$/.test(signs) ? letters : digits)(random, Number(count)))
      .join('')
    const iban = composeIBAN({ countryCode: country, bban })
    if (iban !== null && hasNationalCheckDigits(iban)) return iban
  }
}

const bicOf = (random: Random, country: string): string =>
  `${letters(random, 4)}${country}${letters(random, 2)}${chance(random, 0.3) ? letters(random, 3) : ''}`

function taxIdOf(random: Random, country: string): string {
  for (;;) {
    const number = digits(random, 8)
    const forms: Readonly<Record<string, () => string>> = {
      AT: () => `ATU${number}`,
      BE: () => `BE0${number}${digits(random, 1)}`,
      CH: () => `CHE-${number.slice(0, 3)}.${number.slice(3, 6)}.${number.slice(5, 8)} MWST`,
      ES: () => `ESB${number}`,
      FR: () => `FR${digits(random, 2)}${number}${digits(random, 1)}`,
      IE: () => `IE${number.slice(1)}${letters(random, 1)}`,
      IT: () => `IT${number}${digits(random, 3)}`,
      NL: () => `NL${number}${digits(random, 1)}B01`,
    }
    const id = forms[country]?.() ?? `${country}${number}${digits(random, 1)}`
    if (hasVatCheckDigits(id)) return id
  }
}

const CURRENCIES: Readonly<Record<string, string>> = { GB: 'GBP', CH: 'CHF' }

function partyOf(random: Random, language: Language, country: string): Party {
  const { companies, streets, cities } = WORDS[language]
  const [postcode, city] = pick(random, cities)
  const hasVat = chance(random, 0.9)
  return {
    name: pick(random, companies),
    street: pick(random, streets),
    postcode,
    city,
    country,
    taxId: hasVat ? taxIdOf(random, country) : null,
    taxNumber: hasVat && chance(random, 0.5) ? null : `${digits(random, 3)}/${digits(random, 3)}/${digits(random, 5)}`,
  }
}

function mod97(text: string): number {
  return Number(BigInt(Array.from(text, (sign) => parseInt(sign, 36)).join('')) % 97n)
}

/** References: ISO 11649, Belgian, Swiss, or plain words. */
function referenceOf(random: Random, country: string, number: string): string {
  const text = digits(random, 10)
  if (country === 'BE') {
    const check = String(mod97(text) || 97).padStart(2, '0')
    return `+++${text.slice(0, 3)}/${text.slice(3, 7)}/${text.slice(7)}${check}+++`
  }
  if (country === 'CH') {
    const body = digits(random, 26)
    const table = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]
    const carry = Array.from(body, Number).reduce((carry, digit) => table[(carry + digit) % 10] ?? 0, 0)
    return `${body}${(10 - carry) % 10}`
  }
  if (chance(random, 0.5)) return number
  return `RF${String(98 - mod97(`${text}RF00`)).padStart(2, '0')}${text}`
}

const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

function linesOf(random: Random, language: Language): Line[] {
  const { items, rates } = WORDS[language]
  return Array.from({ length: 1 + below(random, 5) }, () => ({
    text: pick(random, items),
    quantity: 1 + below(random, 40),
    price: BigInt(1 + below(random, chance(random, 0.1) ? 900_000 : 30_000)),
    rate: pick(random, rates),
  }))
}

export function accountOf(random: Random, country: string): PayeeAccount {
  const holder = chance(random, 0.4)
    ? `${pick(random, ['Treuhand', 'Account', 'Conto', 'Compte'])} ${digits(random, 3)}`
    : null
  const bankName = null
  if (country === 'GB' && chance(random, 0.4)) {
    return { iban: null, number: digits(random, 8), branch: digits(random, 6), bic: null, holder, bankName }
  }
  return {
    iban: ibanOf(random, country),
    number: null,
    branch: null,
    bic: chance(random, 0.6) ? bicOf(random, country) : null,
    holder,
    bankName,
  }
}

/** Makes a bill in a language, some with several rates, an earlier payment or another payee. */
export function billOf(seed: number, language: Language, given: Partial<BillModel> = {}): BillModel {
  const random = randomBy(seed)
  const country = pick(random, WORDS[language].countries)
  const issueDate = dayAfter('2024-01-01', below(random, 1000))
  const lines = linesOf(random, language)
  const total = lines.reduce((sum, line) => sum + netOf(line), 0n)
  const number = `${pick(random, ['R', 'INV-', 'F', '', '00'])}${2024 + below(random, 3)}${pick(random, ['-', '/', ''])}${digits(random, 5)}`
  const timing = below(random, 4)
  return {
    language,
    currency: CURRENCIES[country] ?? 'EUR',
    typeCode: '380',
    number,
    issueDate,
    dueDate: timing < 2 ? dayAfter(issueDate, 7 + below(random, 50)) : null,
    termDays: timing === 2 ? pick(random, [7, 14, 30, 60]) : null,
    deliveryDate: chance(random, 0.5) ? dayAfter(issueDate, -below(random, 20)) : null,
    seller: partyOf(random, language, country),
    buyer: { ...partyOf(random, language, country), name: 'Beispiel Beteiligungen SE' },
    payeeName: chance(random, 0.15) ? `Factoring ${pick(random, WORDS[language].companies)}` : null,
    lines,
    allowance: chance(random, 0.25) ? total / 20n : 0n,
    charge: chance(random, 0.25) ? BigInt(100 + below(random, 4000)) : 0n,
    prepaid: chance(random, 0.2) ? total / 4n : 0n,
    rounding: chance(random, 0.1) ? BigInt(below(random, 5)) - 2n : 0n,
    meansCode: country === 'GB' || country === 'CH' ? '30' : '58',
    reference: chance(random, 0.7) ? referenceOf(random, country, number) : null,
    accounts: [accountOf(random, country)],
    payerIban: chance(random, 0.3) ? ibanOf(random, country) : null,
    ...given,
  }
}

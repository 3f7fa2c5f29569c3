/** Keys of tax ids: one for each company, however people write them. */
import { isLuhn } from './check-digits.ts'
import { COUNTRIES } from './country.ts'

/** Words that stand before or behind an id: its name, and the tax that it is for. */
const NAMES = new RegExp(
  '^(?:UST(?:ID)?(?:NR|NUMMER)?|MWST(?:NR)?|VAT(?:ID|NO|REGNO|NUMBER)?|TVA|IVA|PIVA|PARTITAIVA|BTW(?:NR)?|UID(?:NR)?|TIN|' +
    'NIP|NIF|CIF|ABN|ACN|SIREN|SIRET|GSTIN|PAN|EIN|ORGNR|CVR(?:NR)?|TAX(?:ID|NO)?)' +
    String.raw`(?=[A-Z]{0,3}\d|[A-Z]{5}\d{4}[A-Z]$)`,
)
const TAXES = /(?<=\d)(?:MWST|TVA|IVA|VAT|MVA|UST|HR)$/
const PAN = /^[A-Z]{5}\d{4}[A-Z]$/
/** Tax id of India's states: the state, the PAN, the number of the registration, Z, and a check digit. */
const GSTIN = /^\d{2}([A-Z]{5}\d{4}[A-Z])[A-Z\d]Z[A-Z\d]$/
/** Prefixes that are no country of ISO 3166-1: Greece, Northern Ireland, and the scheme for sellers outside the EU. */
const MORE_PREFIXES: ReadonlySet<string> = new Set(['EL', 'XI', 'EU'])
/** One country, or one register, under two prefixes. */
const SAME_REGISTER: Readonly<Record<string, string>> = { GR: 'EL', XI: 'GB' }

type Parts = { readonly register: string | null; readonly number: string }

/** Splits an id into its country, if it names one, and the rest: capitals and digits without words. */
function partsOf(written: string): Parts {
  const bare = written
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z\d]/g, '')
  const text = bare.replace(NAMES, '').replace(TAXES, '')
  if (PAN.test(text)) return { register: null, number: text }
  if (/^CHE\d/.test(text)) return { register: 'CH', number: text.slice(3) }
  const [prefix, rest] = [text.slice(0, 2), text.slice(2)]
  const isPrefix = COUNTRIES.has(prefix) || MORE_PREFIXES.has(prefix)
  if (!isPrefix || !(/^(?:[A-Z]{0,2}\d|GD|HA)/.test(rest) || PAN.test(rest))) return { register: null, number: text }
  return { register: SAME_REGISTER[prefix] ?? prefix, number: rest }
}

const digitsOf = (text: string): number[] => Array.from(text, Number)
const isSiren = (text: string): boolean => text.length === 9 && isLuhn(digitsOf(text))

/** Checks an Australian business number: eleven digits, of which the first two are a remainder by 89. */
function isAbn(text: string): boolean {
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
  const sum = digitsOf(text).reduce((sum, digit, at) => sum + (digit - (at === 0 ? 1 : 0)) * (weights[at] ?? 0), 0)
  return text.length === 11 && text[0] !== '0' && sum % 89 === 0
}

/** Cuts out of an id the number of the company, which its other ids have, too. */
function companyNumberIn({ register, number }: Parts): string {
  const isOf = (country: string) => register === null || register === country
  const french = /^[A-HJ-NP-Z\d]{2}(\d{9})$/.exec(number)?.[1]
  const isFrench = register === 'FR' || (register === null && french && isSiren(french) && isFrenchKey(number))
  if (french && isFrench) return french
  if (isOf('FR') && /^\d{14}$/.test(number) && isSiren(number.slice(0, 9)) && isLuhn(digitsOf(number))) {
    return number.slice(0, 9)
  }
  if (isOf('AU') && /^\d{11}$/.test(number) && isAbn(number)) return number.slice(2)
  if (isOf('AT') && /^U\d{8}$/.test(number)) return number.slice(1)
  if (isOf('NL') && /^\d{9}B\d{2}$/.test(number)) return number.slice(0, 9)
  if (isOf('SE') && /^\d{10}01$/.test(number) && isLuhn(digitsOf(number.slice(0, 10)))) return number.slice(0, 10)
  if (register === 'GB' && /^\d{12}$/.test(number)) return number.slice(0, 9)
  return GSTIN.exec(number)?.[1] ?? number
}

/** Checks the two digits before a SIREN that a French VAT id without its country has; others are as many by chance. */
const isFrenchKey = (number: string): boolean =>
  /^\d{2}/.test(number) && (Number(number.slice(2)) * 100 + 12) % 97 === Number(number.slice(0, 2))

/** Hungary's tax number has the group of the VAT and the county behind the number. */
const HUNGARIAN = /^\s*(\d{8})-\d-\d{2}\s*$/

/**
 * Computes the key of a tax id, equal however it is written: without country, words, signs, leading zeros, branch, and
 * the numbers around that of the company (SIREN of a SIRET or VAT id, PAN of a GSTIN, ACN of an ABN). Null without a digit.
 */
export function taxIdKeyOf(written: string): string | null {
  const number = HUNGARIAN.exec(written)?.[1] ?? companyNumberIn(partsOf(written))
  const key = number.replace(/^0+(?=.)/, '')
  return /\d/.test(key) ? key : null
}

type Ids = { readonly tax_id: string | null; readonly vat_id: string | null; readonly country_code: string | null }

/** Tells whether a tax id is the organization's own, however it is written; another country's is not. */
export function isOwnTaxId(written: string, { tax_id, vat_id, country_code: country }: Ids): boolean {
  const registerOf = (id: string) => partsOf(id).register
  const home = SAME_REGISTER[country ?? ''] ?? country
  const given = registerOf(written) ?? home
  return [tax_id, vat_id].some((own) => {
    const key = own === null ? null : taxIdKeyOf(own)
    return own !== null && key !== null && key === taxIdKeyOf(written) && (registerOf(own) ?? home) === given
  })
}

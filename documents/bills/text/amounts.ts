import { isBankCurrency } from '../../../domain/destinations/bank-requirements.ts'
import { anyOf } from './labels/fold.ts'

/** In hundredths, so that sums are exact. */
export type Amount = { readonly cents: bigint; readonly currency: string | null; readonly text: string }

/** Signs of one currency only; `$`, `¥` and `kr` are several countries'. */
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  US$: 'USD',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  '₹': 'INR',
  '₺': 'TRY',
  '₪': 'ILS',
  zł: 'PLN',
  Kč: 'CZK',
  R$: 'BRL',
}
/** Codes that are also words of these languages. */
const WORDS: ReadonlySet<string> = new Set([
  'ALL',
  'TOP',
  'MAD',
  'SOS',
  'CUP',
  'NIO',
  'LAK',
  'ANG',
  'PEN',
  'BAM',
  'DOP',
])
const DOLLAR = /^(?:\$|¥|kr\.?)$/

const SIGN = String.raw`(?:US\$|AU\$|CA\$|NZ\$|HK\$|A\$|C\$|S\$|R\$|[€£₹₺₪$¥]|zł|Kč|kr\.?|[A-Z]{3})`
const NUMBER = String.raw`(?:\d{1,3}(?:[.,'’ ]\d{3})+|\d+)(?:[.,]\d{1,2}(?!\d))?`
const AMOUNT = new RegExp(
  String.raw`(?<![\w.,/-])(\()?(?:(${SIGN}) ?)?([-−–] ?)?(?:(${SIGN}) ?)?(${NUMBER})(?:,?[-–]{1,2})?([-−–])?(\))?(?: ?(${SIGN})(?![\w]))?(?![\w/%]|[.,]\d| ?%)`,
  'gu',
)

/** Finds a currency by code or its own sign; null for an ambiguous sign, undefined for none. */
export function currencyOf(sign: string | undefined): string | null | undefined {
  if (sign === undefined) return undefined
  if (Object.hasOwn(SIGNS, sign)) return SIGNS[sign]
  if (DOLLAR.test(sign)) return null
  return /^[A-Z]{3}$/.test(sign) && isBankCurrency(sign) && !WORDS.has(sign) ? sign : undefined
}

/** Finds amounts, with thousands by point, comma, blank or apostrophe; `decimal` decides an ambiguous 1.234. */
export function amountsIn(text: string, decimal: '.' | ',' | null): Amount[] {
  return Array.from(text.matchAll(AMOUNT)).flatMap((match) => {
    const [whole, opened, before, minus, between, number = '', trailing, closed, after] = match
    const cents = centsOf(number, decimal)
    if (cents === null) return []
    const currency = [before, between, after].map(currencyOf).find((one) => typeof one === 'string') ?? null
    const negative = Boolean(minus ?? trailing) || (Boolean(opened) && Boolean(closed))
    return [{ cents: negative ? -cents : cents, currency, text: whole.trim() }]
  })
}

function centsOf(number: string, decimal: '.' | ',' | null): bigint | null {
  const [, whole = number, fraction] = /^(.*)[.,](\d{1,2})$/.exec(number) ?? []
  const groups = whole.split(/[.,'’ ]/)
  const separators = new Set(whole.replaceAll(/\d/g, ''))
  if (separators.size > 1 || groups.some((group, index) => index > 0 && group.length !== 3)) return null
  const [separator] = separators
  if (fraction !== undefined && separator === number.at(-fraction.length - 1)) return null
  // 1.234 alone is a thousand only if the page's decimal sign is the other one
  const unclear = fraction === undefined && groups.length === 2 && (separator === '.' || separator === ',')
  if (unclear && (decimal === null || separator === decimal)) return null
  return BigInt(groups.join('')) * 100n + BigInt((fraction ?? '').padEnd(2, '0'))
}

/** Finds the decimal sign of a page; null for none or both. */
export function decimalSignOf(texts: readonly string[]): '.' | ',' | null {
  const signs = new Set(
    texts.flatMap((text) => Array.from(text.matchAll(/\d([.,])\d\d(?![\d.,%/-])/g), ([, sign]) => sign)),
  )
  if (signs.size !== 1) return null
  return signs.has(',') ? ',' : '.'
}

export const decimalText = (cents: bigint): string => {
  const size = cents < 0n ? -cents : cents
  return `${cents < 0n ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`
}

/** Names of currencies. */
export const CURRENCY_WORDS: Readonly<Record<string, RegExp>> = {
  USD: anyOf(
    'u\\.?s\\.?[ -]dollars?',
    'united states dollars?',
    'dollars? (?:us|usa|americains?)',
    'dolares (?:estadounidenses|americanos)',
    'dollari (?:statunitensi|americani|usa)',
    'amerikaanse dollars?',
  ),
  AUD: anyOf('australian dollars?', 'australische dollars?'),
  CAD: anyOf('canadian dollars?', 'dollars? canadiens?'),
  NZD: anyOf('new zealand dollars?'),
  SGD: anyOf('singapore dollars?'),
  HKD: anyOf('hong kong dollars?'),
  GBP: anyOf('pounds? sterling', 'british pounds?', 'livres? sterling', 'libras esterlinas', 'sterline'),
  CHF: anyOf('swiss francs?', 'schweizer franken', 'francs suisses', 'francos suizos', 'franchi svizzeri'),
  EUR: anyOf('euros?'),
  SEK: anyOf('svenska kronor', 'swedish kron(?:or|a)'),
  DKK: anyOf('danske kroner', 'danish krone[r]?'),
  NOK: anyOf('norske kroner', 'norwegian krone[r]?'),
  PLN: anyOf('zlot(?:y|e|ych)'),
}

const STATES =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]'
/** Signs of a country with dollars: codes, addresses, names. */
export const DOLLARS: Readonly<Record<string, RegExp>> = {
  USD: new RegExp(
    String.raw`\b(?:${STATES}) \d{5}(?:-\d{4})?\b|\bEIN\b|\bABA\b|\b[Rr]outing\b|\bU\.?S\.?A\b|United States`,
  ),
  AUD: /\bABN\b|\bBSB\b|\bAustralia\b|\b(?:NSW|VIC|QLD|TAS|ACT) \d{4}\b/,
  CAD: /\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b|\bHST\b|\bQST\b|\bCanada\b/,
  NZD: /\bNew Zealand\b|\bNZBN\b/,
  SGD: /\bSingapore\b|\bUEN\b/,
  HKD: /\bHong Kong\b/,
  TWD: /\bTaiwan\b/,
  MXN: /\bM[eé]xico\b|\bRFC\b/,
  ARS: /\bArgentina\b/,
  CLP: /\bChile\b/,
  COP: /\bColombia\b/,
}

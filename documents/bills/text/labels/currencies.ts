/** Signs and names of currencies. */
import { isBankCurrency } from '../../../../domain/destinations/bank-requirements.ts'
import { anyOf } from './fold.ts'

/** Signs of one currency only. */
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  us$: 'USD',
  a$: 'AUD',
  au$: 'AUD',
  c$: 'CAD',
  ca$: 'CAD',
  nz$: 'NZD',
  hk$: 'HKD',
  s$: 'SGD',
  sg$: 'SGD',
  nt$: 'TWD',
  mx$: 'MXN',
  r$: 'BRL',
  '₹': 'INR',
  '₺': 'TRY',
  tl: 'TRY',
  '₪': 'ILS',
  zł: 'PLN',
  zl: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  lei: 'RON',
  лв: 'BGN',
  'лв.': 'BGN',
  'sfr.': 'CHF',
  'fr.': 'CHF',
  '₽': 'RUB',
  'руб.': 'RUB',
  '₴': 'UAH',
  грн: 'UAH',
  '₩': 'KRW',
  원: 'KRW',
  円: 'JPY',
  'jp¥': 'JPY',
  'cn¥': 'CNY',
  rmb: 'CNY',
  rp: 'IDR',
  'rp.': 'IDR',
  rm: 'MYR',
  '฿': 'THB',
  '₫': 'VND',
  '₱': 'PHP',
  '₦': 'NGN',
  kd: 'KWD',
  bd: 'BHD',
  jd: 'JOD',
  dt: 'TND',
  'د.ت': 'TND',
  'د.ك': 'KWD',
  'د.إ': 'AED',
  'ر.س': 'SAR',
}
/** Signs of several countries' currencies, none of which has three decimals. */
const SHARED: ReadonlySet<string> = new Set(['$', '¥', '元', 'kr', 'kr.', 'rs', 'rs.', 'fcfa', 'f cfa'])
/** Codes that are also words: they are one only beside an amount with decimals. */
const WORDS: ReadonlySet<string> = new Set(['ALL', 'TOP', 'SOS', 'CUP', 'PEN'])

const escape = (sign: string): string => sign.replaceAll(/[.$]/g, String.raw`\$&`)
const byLength = (signs: readonly string[]): string =>
  signs
    .toSorted((a, b) => b.length - a.length)
    .map(escape)
    .join('|')
const ALL_SIGNS = [...Object.keys(SIGNS), ...SHARED]
const CASES = (sign: string): string[] => [
  ...new Set([sign, sign.toUpperCase(), sign.charAt(0).toUpperCase() + sign.slice(1)]),
]
const isWord = (sign: string): boolean => /^\p{L}/u.test(sign) && !/^[円元원]/.test(sign)
/** Pattern of a sign or code, with case: `Kr` and `KR`, but never `eur`. */
export const SIGN = `(?:(?<!\\p{L})(?:${byLength(ALL_SIGNS.filter(isWord).flatMap(CASES))}|[A-Z]{3}|R(?=\\d|$))|${byLength(
  ALL_SIGNS.filter((sign) => !isWord(sign)),
)})`

/** Finds a currency by code or its own sign; null for an ambiguous sign, undefined for none. */
export function currencyOf(sign: string | undefined, isBesideDecimals = false): string | null | undefined {
  if (sign === undefined) return undefined
  if (sign === 'R') return isBesideDecimals ? 'ZAR' : undefined
  const small = sign.toLowerCase().replaceAll('￥', '¥')
  if (Object.hasOwn(SIGNS, small)) return SIGNS[small]
  if (SHARED.has(small)) return null
  return /^[A-Z]{3}$/.test(sign) && isBankCurrency(sign) && (isBesideDecimals || !WORDS.has(sign)) ? sign : undefined
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
  TND: anyOf('dinars? tunisiens?', 'tunisian dinars?'),
  JPY: anyOf('japanese yen', 'yens? japonais'),
}

const STATES =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]'
const DOLLARS: Readonly<Record<string, RegExp>> = {
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
const YENS: Readonly<Record<string, RegExp>> = {
  JPY: /\bJapan\b|\bTokyo\b|\bOsaka\b|株式会社|[ぁ-んァ-ヶ]/,
  CNY: /\bChina\b|\bBeijing\b|\bShanghai\b|\bShenzhen\b|\bGuangzhou\b|有限公司|发票/,
}
const CROWNS: Readonly<Record<string, RegExp>> = {
  SEK: /\bSverige\b|\bSweden\b|\b[Bb]ankgiro\b|\b[Pp]lusgiro\b|\bSE\d{12}\b|\bF-skatt\b|[Ff]örfallodatum|\bSWEDSESS\b/,
  DKK: /\bDanmark\b|\bDenmark\b|\bCVR\b|\bDK ?\d{8}\b|[Ff]orfaldsdato|\bkontonr\b/,
  NOK: /\bNorge\b|\bNorway\b|\bMVA\b|\bmva\b|[Ff]orfallsdato|\bKID\b/,
  ISK: /\bÍsland\b|\bIceland\b|\bkennitala\b|\bVSK\b/,
}
const RUPEES: Readonly<Record<string, RegExp>> = {
  INR: /\bGSTIN\b|\bIndia\b|\bIFSC\b|\bCGST\b|\bPAN\b/,
  PKR: /\bPakistan\b|\bNTN\b/,
  LKR: /\bSri Lanka\b/,
  NPR: /\bNepal\b/,
  MUR: /\bMauritius\b/,
}
/** Signs of a British bill: code or name of the currency, tax id, account, address. */
export const BRITISH = new RegExp(
  [
    String.raw`\bGBP\b|[Pp]ounds? [Ss]terling|\bGB ?\d{3} ?\d{4} ?\d{2}\b|\bVAT\b\D{0,30}\d{3} \d{4} \d{2}\b`,
    String.raw`\bGB\d{2} ?[A-Z]{4}\b|\b[Ss]ort [Cc]ode\b|\.uk\b|\bU\.?K\b|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b`,
    String.raw`\b(?:United Kingdom|Great Britain|England|Scotland|Wales|Northern Ireland)\b`,
  ].join('|'),
)
/** Signs of several countries beside a number, each with what tells its country: codes, addresses, names. */
export const SHARED_SIGNS: readonly (readonly [sign: RegExp, countries: Readonly<Record<string, RegExp>>])[] = [
  [/(?<![A-Z])\$ ?\d|\d ?\$/, DOLLARS],
  [/[¥￥] ?[\d０-９]|\d ?(?:[¥￥]|元)/, YENS],
  [/(?<!\p{L})kr\.? ?\d|\d(?:,-)? ?kr(?!\p{L})/iu, CROWNS],
  [/(?<!\p{L})Rs\.? ?\d/iu, RUPEES],
]

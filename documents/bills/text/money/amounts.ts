/** Amounts in a text: digits are kept as written, and scaled by the currency beside them. */
import { digitsOf } from '../../../../domain/money/currencies.ts'
import { toFixedText } from '../../../../domain/money/decimal.ts'
import { maskDates } from '../dates.ts'
import { SIGN, currencyOf } from '../labels/currencies.ts'

/** Decimal sign and currency of a page, each null if the page does not tell. */
export type Notation = {
  readonly decimal: '.' | ',' | null
  /** Decimals of the page's currencies: null if unknown, or if only some have three. */
  readonly digits: number | null
}
export const UNKNOWN: Notation = { decimal: null, digits: null }

export type Amount = {
  /** In thousandths, so that sums are exact: no currency of a bill has more decimals. */
  readonly units: bigint
  /** Decimals as written. */
  readonly decimals: number
  readonly currency: string | null
  /** Whether a sign of a currency or its form says that it is money. */
  readonly isMoney: boolean
  /** Whether it could be a thousand or a fraction, or has no known form. */
  readonly isUnclear: boolean
  /** Whether it has neither signs within nor decimals: perhaps a day, a year or a count. */
  readonly isBare: boolean
  readonly text: string
}

const SCALE = 3
const BLANK = String.raw`[ \u00a0\u2009\u202f]`
const NUMERAL = new RegExp(
  String.raw`(?:\d{1,3}(?:${BLANK}\d{3})+(?:[.,]\d{1,3})?|\d+(?:[.,'’]\d+)*)(?![.,'’]?\d)`,
  'gu',
)
const LEFT = new RegExp(String.raw`(\()?(?:(${SIGN})${BLANK}?)?([-−–]${BLANK}?)?(?:(${SIGN})${BLANK}?)?$`, 'u')
/** Longest sign with what may be around it. */
const LEFT_MAX = 12
/** Dashes in place of decimals, or a minus behind the digits. */
const SUFFIX = /^(?:\/-|[.,]?[-–—−]{1,2}(?!\d))/u
const RIGHT = new RegExp(String.raw`^\)?${BLANK}?(${SIGN})(?![\p{Script=Latin}\p{Script=Cyrillic}\d])`, 'u')
/** Units of other things, and what makes digits a part of something else. */
const OTHER =
  /^(?:[A-Za-z_/%‰\d]|[.,:'’]\d|[-–]\d| ?[%‰]| (?:kg|g|km|m2|m²|m3|m³|kwh|mwh|gb|tb|std|stk|st[uü]ck|pcs|hrs?|hours?|stunden|heures|horas|uren|ore|timer|tage|days?|x)(?![a-z]))/i
const GLUED = /[A-Za-zÀ-ɏ\d_.,/#№]$|\d:$/u

type Token = {
  readonly numeral: string
  readonly start: number
  readonly end: number
  readonly negative: boolean
  readonly suffix: string
  readonly left: { readonly sign: string; readonly at: number } | undefined
  readonly right: { readonly sign: string; readonly at: number } | undefined
}

/** Finds amounts outside of dates. Thousands are by point, comma, blank or apostrophe, also as in India. */
export function amountsIn(text: string, notation: Notation): Amount[] {
  const plain = maskDates(asAscii(text))
  const tokens = Array.from(plain.matchAll(NUMERAL)).flatMap((match) => tokenAt(plain, match[0], match.index) ?? [])
  return tokens.flatMap((token, index): Amount[] => {
    const sign = signOf(token, tokens[index - 1], tokens[index + 1])
    const currency = currencyOf(sign, hasDecimals(token))
    const own = currency === undefined ? notation.digits : currency === null ? SHARED_DIGITS : digitsOf(currency)
    const value = parse(token.numeral, { ...notation, digits: own ?? null })
    if (value === null) return []
    const { units, decimals } = value === 'unclear' ? { units: 0n, decimals: 0 } : value
    const isBare = /^\d+$/.test(token.numeral) && token.suffix === ''
    const isGrouped = !isBare && decimals === 0
    return [
      {
        units: token.negative ? -units : units,
        decimals,
        currency: currency ?? null,
        isMoney:
          currency !== undefined ||
          decimals === 2 ||
          (decimals === SCALE && notation.digits === SCALE) ||
          /^(?:\/-|,-)/.test(token.suffix) ||
          (isGrouped && notation.digits === 0),
        isUnclear: value === 'unclear',
        isBare,
        text: plain.slice(token.start, token.end).trim(),
      },
    ]
  })
}

/** Finds amounts of money: with a currency, or written with its decimals. */
export const moneyIn = (text: string, notation: Notation): Amount[] =>
  amountsIn(text, notation).filter(({ isMoney, isUnclear }) => isMoney && !isUnclear)

/** Writes an amount as a decimal, with its written decimals, and no less than two. */
export const decimalText = ({ units, decimals }: Pick<Amount, 'units' | 'decimals'>): string =>
  decimals > 2 ? toFixedText({ digits: units, scale: SCALE }) : toFixedText({ digits: units / 10n, scale: 2 })

/** Decimals of a currency whose sign is that of several: two, for what matters here. */
const SHARED_DIGITS = 2

/** Writes Arabic and wide digits and signs as ASCII ones, each by one character. */
function asAscii(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) =>
      String((digit.codePointAt(0) ?? 0) - (DIGIT_ZEROS.find((zero) => (digit.codePointAt(0) ?? 0) - zero < 10) ?? 0)),
    )
    .replaceAll('\u066b', '.')
    .replaceAll(/[\u066c\uff0c]/g, ',')
    .replaceAll('\uff0e', '.')
    .replaceAll('\uffe5', '¥')
}
/** Code points of zero: the largest first that is at most a digit's. */
const DIGIT_ZEROS = [0x660, 0x6f0, 0xff10]

function tokenAt(text: string, numeral: string, start: number): Token | undefined {
  const before = text.slice(Math.max(0, start - LEFT_MAX), start)
  const left = LEFT.exec(before)
  const [whole = '', opened, first, minus, second] = left ?? []
  const outside = text.slice(0, start - whole.length)
  const isSigned = [first, second].some((sign) => currencyOf(sign, true) !== undefined)
  if (!isSigned && GLUED.test(minus === undefined ? text.slice(0, start) : outside)) return undefined
  let end = start + numeral.length
  const suffix = SUFFIX.exec(text.slice(end))?.[0] ?? ''
  end += suffix.length
  const behind = text.slice(end)
  const right = RIGHT.exec(behind)
  const isRight = currencyOf(right?.[1], true) !== undefined
  if (!isRight && OTHER.test(behind)) return undefined
  const sign = [second, first].find((one) => currencyOf(one, true) !== undefined)
  const closed = behind.startsWith(')')
  return {
    numeral,
    start: start - whole.length,
    end,
    suffix,
    negative:
      minus !== undefined || (opened !== undefined && closed) || (/[.,]\d+$/.test(numeral) && /^[-–−]/.test(suffix)),
    left: sign === undefined ? undefined : { sign, at: text.lastIndexOf(sign, start) },
    right: isRight && right?.[1] ? { sign: right[1], at: end + right[0].length - right[1].length } : undefined,
  }
}

const hasDecimals = ({ numeral }: Token): boolean => /[.,]\d{1,3}$/.test(numeral)

/** Chooses the sign of an amount. One between two is that of the amount with decimals. */
function signOf(token: Token, before: Token | undefined, after: Token | undefined): string | undefined {
  const isLeft = token.left !== undefined && !(before?.right?.at === token.left.at && ownsRight(before, token))
  if (isLeft) return token.left?.sign
  const isShared = after !== undefined && after.left?.at === token.right?.at
  return isShared && !ownsRight(token, after) ? undefined : token.right?.sign
}

function ownsRight(one: Token, next: Token): boolean {
  if (hasDecimals(one) !== hasDecimals(next)) return hasDecimals(one)
  return one.left === undefined
}

type Value = { readonly units: bigint; readonly decimals: number }
const WESTERN = /^\d{1,3}(?:(\D)\d{3})(?:\1\d{3})*$/u
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}$/

/** Reads digits by their signs; null for no amount, `unclear` for one that could be two. */
function parse(numeral: string, { decimal, digits }: Notation): Value | 'unclear' | null {
  const plain = numeral.replaceAll(/[’]/g, "'").replaceAll(/[\u00a0\u2009\u202f]/g, ' ')
  const signs = plain.replaceAll(/\d/g, '')
  const kinds = new Set(signs)
  if (signs === '') return whole(plain)
  const last = signs.at(-1) ?? ''
  const cut = plain.lastIndexOf(last)
  const [front, back] = [plain.slice(0, cut), plain.slice(cut + 1)]
  const isPoint = last === '.' || last === ','
  if (kinds.size === 1 && (!isPoint || signs.length > 1)) return isGrouped(plain) ? whole(plain) : 'unclear'
  if (kinds.size > 1) {
    if (!isPoint || kinds.size > 2 || signs.indexOf(last) < signs.length - 1) return 'unclear'
    if (back.length > SCALE || !isGrouped(front) || (back.length === SCALE && digits !== null && digits < SCALE)) {
      return 'unclear'
    }
    return fraction(front, back)
  }
  if (back.length < SCALE) return fraction(front, back)
  if (back.length > SCALE) return null
  const isOnlyFraction = front.length > SCALE || front.startsWith('0')
  if (isOnlyFraction) return digits === SCALE ? fraction(front, back) : null
  if (digits === 0) return whole(plain)
  if (digits === SCALE) return decimal !== null && decimal !== last ? 'unclear' : fraction(front, back)
  if (decimal === last) return 'unclear'
  return digits === null && decimal === null ? 'unclear' : whole(plain)
}

const isGrouped = (text: string): boolean => WESTERN.test(text) || INDIAN.test(text)
const whole = (text: string): Value => ({ units: BigInt(text.replaceAll(/\D/g, '')) * 1000n, decimals: 0 })
const fraction = (front: string, back: string): Value => ({
  units: BigInt(front.replaceAll(/\D/g, '')) * 1000n + BigInt(back.padEnd(SCALE, '0')),
  decimals: back.length,
})

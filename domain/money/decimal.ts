/** Exact decimals: reads, compares, multiplies and writes amounts, rates and thresholds. */

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/
const SHOWN_MAX = 255

/** `digits` without their point, which precedes the last `scale` of them. */
export type Decimal = { readonly digits: bigint; readonly scale: number }

/** Reads a plain decimal (`0`, `10.50`, `-3.2`). Throws for anything else. */
export function decimalOf(text: string): Decimal {
  const [, sign, whole, decimals = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) throw new Error(`not a decimal number: ${text.slice(0, SHOWN_MAX)}`)
  const digits = BigInt(whole + decimals)
  return { digits: sign === '-' ? -digits : digits, scale: decimals.length }
}

/** Writes all digits of its scale: `10.50`. */
export function toFixedText({ digits, scale }: Decimal): string {
  const all = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const point = all.length - scale
  return `${digits < 0n ? '-' : ''}${all.slice(0, point)}${scale === 0 ? '' : `.${all.slice(point)}`}`
}

/** Writes it without zeros at its end: `10.5`. */
export function shortText(decimal: Decimal): string {
  const text = toFixedText(decimal)
  return decimal.scale === 0 ? text : text.replace(/\.0+$|(?<!0)0+$/, '')
}

export const tenTo = (power: number): bigint => 10n ** BigInt(power)

/** Rescales the digits; null if one other than zero would be lost. */
export function digitsAt({ digits, scale }: Decimal, wanted: number): bigint | null {
  if (scale <= wanted) return digits * tenTo(wanted - scale)
  const lost = tenTo(scale - wanted)
  return digits % lost === 0n ? digits / lost : null
}

/** Multiplies two plain decimals, exactly. */
export function product(a: string, b: string): string {
  const [x, y] = [decimalOf(a), decimalOf(b)]
  return shortText({ digits: x.digits * y.digits, scale: x.scale + y.scale })
}

/** Divides two positive plain decimals, rounded to some significant digits. */
export function quotient(a: string, b: string, significant: number): string {
  const [over, under] = [decimalOf(a), decimalOf(b)]
  const scale = significant + over.scale + under.digits.toString().length // enough digits, some to spare
  const digits = (over.digits * tenTo(under.scale + scale)) / (under.digits * tenTo(over.scale))
  const spare = digits.toString().length - significant
  return shortText({ digits: (digits + 5n * tenTo(spare - 1)) / tenTo(spare), scale: scale - spare })
}

/** Adds plain decimals. */
export function addDecimals(amounts: readonly string[]): string {
  const decimals = amounts.map(decimalOf)
  const scale = Math.max(0, ...decimals.map((one) => one.scale))
  return shortText({ digits: decimals.reduce((sum, one) => sum + one.digits * tenTo(scale - one.scale), 0n), scale })
}

/** Compares two plain decimals: -1, 0 or 1. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const [x, y] = [decimalOf(a), decimalOf(b)]
  return signOf(x.digits * tenTo(y.scale) - y.digits * tenTo(x.scale))
}

/** Gives the sign of a difference: -1, 0 or 1. */
export function signOf(difference: bigint): -1 | 0 | 1 {
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

/** Rounds a fraction to whole units, a half away from zero: credits as charges. */
export function roundHalfAway(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator
  const units = (magnitude * 2n + denominator) / (denominator * 2n)
  return numerator < 0n ? -units : units
}

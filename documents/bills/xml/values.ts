import type { Element, StatedValue } from '../../xml/element.ts'
import { readStated } from '../../xml/element.ts'

export const withValue = (given: StatedValue, value: string): StatedValue => ({ ...given, value })
/** Translates a stated value to a code of another list; null stays null. */
export const withCode = (given: StatedValue | null, code: string): StatedValue | null => given && withValue(given, code)

const DECIMAL = /^([+-]?)0*([0-9]{0,18})(?:\.([0-9]{0,18}))?$/

/** Parses a decimal of XML Schema (`+0119.50`, `.5`, `119.`); null for another form, or one too long. */
export function plainDecimal(written: string): string | null {
  const match = DECIMAL.exec(written)
  if (!match || !/[0-9]/.test(written)) return null
  const [, sign, whole, decimals] = match
  return `${sign === '-' ? '-' : ''}${whole || '0'}${decimals ? `.${decimals}` : ''}`
}

/** The date of XML Schema without time and offset, which is the local day of the issuer. */
export const plainDate = (given: StatedValue | null): StatedValue | null =>
  given && { ...given, value: given.value.replace(/^([0-9]{4}-[0-9]{2}-[0-9]{2})(T.*|Z|[+-][0-9]{2}:[0-9]{2})$/, '$1') }

/** Formats of UNTDID 2379 that begin with the eight digits of a day. */
const DAYS: ReadonlySet<string> = new Set(['102', '203', '204'])

/** Reads a date of UN/CEFACT: digits in a DateTimeString, or a DateTime of XML Schema. */
export function unDate(holder: Element | undefined): StatedValue | null {
  const [written] = holder?.children.filter(({ name }) => /^Date(Time(String)?)?$/.test(name)) ?? []
  const date = plainDate(readStated(written))
  const isDigits = DAYS.has(written?.attributes.get('format') ?? '102')
  return (
    date && {
      ...date,
      value: isDigits ? date.value.replace(/^([0-9]{4})([0-9]{2})([0-9]{2})[0-9]{0,6}$/, '$1-$2-$3') : date.value,
    }
  )
}

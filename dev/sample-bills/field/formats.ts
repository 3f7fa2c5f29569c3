/** Amounts, days and numbers as countries write them. */
import { hasVatCheckDigits, isVatId } from '../../../domain/tax-ids.ts'
import { digitsOf } from '../../../domain/money/currencies.ts'
import type { Random } from '../random.ts'
import type { Country } from './countries.ts'

export const below = (random: Random, limit: number): number => Math.floor(random() * limit)
export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => below(random, 10)).join('')

/** Fills a form: `0` by a digit, `@` by a letter, so that VAT ids have right check digits. */
export function taxIdBy(random: Random, form: string): string {
  for (let tries = 0; ; tries += 1) {
    const id = form
      .slice(2)
      .replaceAll(/[0@]/g, (sign) => (sign === '0' ? digits(random, 1) : String.fromCharCode(65 + below(random, 26))))
    const whole = `${form.slice(0, 2).replaceAll('0', '4').replaceAll('@', 'K')}${id}`
    const checked = form.startsWith('B0') ? `ES${whole}` : /^\d{9}$/.test(form) ? `PT${whole}` : whole
    if (!isVatId(checked) || hasVatCheckDigits(checked) || tries > 50_000) return whole
  }
}

/** Writes an amount of minor units in a country's groups. */
export function numberBy(minor: bigint, currency: string, signs: string): string {
  const scale = digitsOf(currency) ?? 2
  const text = (minor < 0n ? -minor : minor).toString().padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const isLakh = signs === 'lakh'
  const [group, decimal] = isLakh ? [',', '.'] : [signs[0] === ' ' ? '\u00A0' : signs[0], signs[1]]
  const grouped = isLakh
    ? whole.replaceAll(/\B(?=(?:\d{2})*\d{3}$)/g, ',')
    : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group ?? '')
  return `${minor < 0n ? '-' : ''}${grouped}${scale > 0 ? `${decimal}${text.slice(-scale)}` : ''}`
}

/** Writes a day, such as `D. MMMM YYYY`. */
export function dayBy(day: string, form: string, language: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  const month = (style: 'long' | 'short') => {
    const parts = new Intl.DateTimeFormat(language, { day: 'numeric', month: style, timeZone: 'UTC' })
    return (parts.formatToParts(date).find(({ type }) => type === 'month')?.value ?? '').replace(/\.$/, '')
  }
  const [year = '', m = '', d = ''] = day.split('-')
  const written: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(2),
    MMMM: form.includes('MMMM') ? month('long') : '',
    MMM: form.includes('MMM') ? month('short') : '',
    MM: m,
    M: String(Number(m)),
    DD: d,
    D: String(Number(d)),
  }
  return form.replaceAll(/YYYY|YY|MMMM|MMM|MM|M|DD|D/g, (part) => written[part] ?? '')
}

export const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)

export const moneyBy = (minor: bigint, { currency, signs }: Country, form: string): string =>
  form.replace('#', numberBy(minor, currency, signs)).replace(/ /g, '\u00A0')

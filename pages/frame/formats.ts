/** Amounts, days and instants as a page writes them: in its language, and in the time zone of the organization. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type Money, groupThousands } from '../../domain/money/money.ts'
import type { Language } from '../words/words.ts'

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' }

export type Formats = {
  /** Time zone of days and instants. */
  readonly timeZone: string
  /** Writes an amount without its currency: `2,450.00`. */
  readonly figure: (amount: string) => string
  /** Writes an amount with its currency behind it: `2,450.00 EUR`. */
  readonly plain: (money: Money) => string
  /** Shows an amount on one line, its currency in grey. */
  readonly money: (money: Money) => Markup
  /** Writes a day: `1 Dec 2026`. */
  readonly day: (day: string) => string
  /** Writes a day with its weekday: `Tuesday, 1 December 2026`. */
  readonly longDay: (day: string) => string
  /** Shows an instant: `1 Dec 2026, 14:05`. */
  readonly instant: (at: string) => Markup
}

const known = new Map<string, Formats>()

/** Makes the formats of a language and a time zone; instants in UTC say so. */
export function formatsIn(language: Language, zone: string): Formats {
  const key = `${language} ${zone}`
  const formats = known.get(key) ?? makeFormats(LOCALES[language], zone)
  known.set(key, formats)
  return formats
}

function makeFormats(locale: string, timeZone: string): Formats {
  const instants = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const longDays = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' })
  const figure = (amount: string): string => {
    if (locale !== LOCALES.de) return groupThousands(amount)
    const [whole = '', decimals] = amount.split('.')
    return `${groupThousands(whole, '.')}${decimals === undefined ? '' : `,${decimals}`}`
  }
  const plain = ({ amount, currency }: Money): string => `${figure(amount)} ${currency}`
  const dayOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
  return {
    timeZone,
    figure,
    plain,
    money: ({ amount, currency }) =>
      html`<span class="money">${figure(amount)} <span class="currency">${currency}</span></span>`,
    day: (day) => days.format(dayOf(day)),
    longDay: (day) => longDays.format(dayOf(day)),
    instant: (at) =>
      html`<time datetime="${at}">${instants.format(new Date(at))}${timeZone === 'UTC' ? ' UTC' : ''}</time>`,
  }
}

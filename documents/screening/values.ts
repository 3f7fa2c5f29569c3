/** Values of lists of sanctions: names, days of birth, and countries that stand there in words. */
import { COUNTRIES } from '../../domain/country.ts'
import { isOnCalendar } from '../../domain/instants.ts'
import type { Element } from '../xml/element.ts'

/** Lists the children of an element with a name, in its own namespace. */
export const childrenOf = (from: Element, name: string): readonly Element[] =>
  from.children.filter((child) => child.name === name && child.namespace === from.namespace)

/** Lists the elements at a path of names below an element. */
export const elementsAt = (from: Element, path: string): readonly Element[] =>
  path
    .split('/')
    .reduce<readonly Element[]>((found, name) => found.flatMap((element) => childrenOf(element, name)), [from])

export const textsAt = (from: Element, path: string): readonly string[] =>
  elementsAt(from, path).flatMap(({ text }) => text.trim() || [])

/** Letters of a name or number that is kept: nothing of a list is longer. */
const LENGTH_MAX = 300

/** Puts a name on one line; null without a letter or digit. */
export function nameOf(...parts: readonly (string | undefined)[]): string | null {
  const name = parts
    .join(' ')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, LENGTH_MAX)
  return /[\p{L}\p{N}]/u.test(name) ? name : null
}

/** Removes what is there twice, and what is not there. */
export const distinct = (texts: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(texts.filter((text) => text !== null && text !== undefined)),
]

const two = (number: number | string): string => String(number).padStart(2, '0')

/** Writes a birth as 1961-03-07, 1961-03 or 1961; null if there is no such day. */
export function birthOf(year: string, month?: string | number, day?: string | number): string | null {
  if (!/^(?:18|19|20)\d{2}$/.test(year)) return null
  const [hasMonth, hasDay] = [month, day].map((part) => part !== undefined && Number(part) > 0)
  if (!hasMonth) return year
  if (!hasDay) return Number(month) <= 12 ? `${year}-${two(month ?? '')}` : null
  const whole = `${year}-${two(month ?? '')}-${two(day ?? '')}`
  return isOnCalendar(whole) ? whole : null
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Reads a birth in words: `10 Dec 1948`, `Dec 1948`, `1948`, `circa 1948`, `1947 to 1949`, each year of it. */
export function birthsIn(words: string): readonly string[] {
  const [, day, name = '', year = ''] =
    /^(?:circa )?(?:(\d{1,2}) )?(?:([A-Za-z]{3})[a-z]* )?(\d{4})$/.exec(words.trim()) ?? []
  if (year !== '') return distinct([birthOf(year, MONTHS.indexOf(name.toLowerCase()) + 1, day)])
  const [from, to] = Array.from(words.matchAll(/\b(?:18|19|20)\d{2}\b/g), ([found]) => Number(found))
  return from === undefined ? [] : yearsBetween(from, to ?? from)
}

const YEARS_MAX = 20

/** Lists the years of a span; of a long one its ends, which is no list of births. */
export const yearsBetween = (from: number, to: number): readonly string[] =>
  to < from || to - from > YEARS_MAX
    ? [String(from), String(to)]
    : Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

/** Names of countries that lists write otherwise than Unicode does. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'russian federation': 'RU',
  'syrian arab republic': 'SY',
  'iran islamic republic of': 'IR',
  'democratic peoples republic of korea': 'KP',
  'korea north': 'KP',
  'korea south': 'KR',
  'republic of korea': 'KR',
  burma: 'MM',
  'democratic republic of the congo': 'CD',
  'congo democratic republic of the': 'CD',
  'congo republic of the': 'CG',
  'bosnia and herzegovina': 'BA',
  'united kingdom of great britain and northern ireland': 'GB',
  'united states of america': 'US',
  'united arab emirates': 'AE',
  turkey: 'TR',
  'state of palestine': 'PS',
  palestinian: 'PS',
  'west bank': 'PS',
  'cote d ivoire': 'CI',
  'czech republic': 'CZ',
  'lao peoples democratic republic': 'LA',
  'libyan arab jamahiriya': 'LY',
  'republic of moldova': 'MD',
  'united republic of tanzania': 'TZ',
  'venezuela bolivarian republic of': 'VE',
  'viet nam': 'VN',
  'hong kong': 'HK',
  macau: 'MO',
}

const bareOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/['’\p{M}]/gu, '')
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()

const ENGLISH = new Intl.DisplayNames('en', { type: 'region' })
const BY_NAME = new Map([
  ...[...COUNTRIES].map((code) => [bareOf(ENGLISH.of(code) ?? code), code] as const),
  ...Object.entries(OTHER_NAMES),
])

/** Finds the code of a country by its English name; undefined for one that is not known, as `unknown`. */
export const countryNamed = (name: string): string | undefined => BY_NAME.get(bareOf(name))

/** Takes a code of a country; undefined for none, as `00`. */
export const countryCoded = (code: string | undefined): string | undefined =>
  code !== undefined && COUNTRIES.has(code) ? code : undefined

/** Reads the day of an instant or a day: `2026-03-07T00:00:00` or `03/07/2026`, as the US writes it. */
export function dayIn(text: string | undefined): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(text ?? '') ?? []
  const [, usMonth, usDay, usYear] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text ?? '') ?? []
  const found = `${year ?? usYear}-${two(month ?? usMonth ?? '')}-${two(day ?? usDay ?? '')}`
  return isOnCalendar(found) ? found : null
}

/** Members of messages of ISO 20022, whatever their prefix. */
import { isBankCurrency } from '../../domain/destinations/bank-requirements.ts'
import { isOnCalendar } from '../../domain/instants.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { Element } from '../xml/element.ts'

/** Member that cannot be understood; `where` is its path, and `why` quotes nothing of the file. */
export class Misread extends Error {
  constructor(
    readonly where: string,
    readonly why: string,
  ) {
    super(`${where} ${why}`)
  }
}

export const misread = (where: string, why: string): never => {
  throw new Misread(where, why)
}

/** Characters of a text: the longest of the standard that is read has 500. */
const TEXT_MAX = 1000
/** The standard's amounts: digits in all. */
const DIGITS_MAX = 18

/** Lists the children of one name, in the namespace of their parent. */
export const childrenOf = (from: Element, name: string): Element[] =>
  from.children.filter((child) => child.name === name && child.namespace === from.namespace)

/** Finds the element at a path of names. Throws Misread if there are several on the way. */
export function elementAt(from: Element | null, path: string): Element | null {
  let found = from
  for (const name of path.split('/')) {
    const [first, ...others] = found ? childrenOf(found, name) : []
    if (others.length > 0) misread(path, 'is there more than once.')
    found = first ?? null
  }
  return found
}

export const needElement = (from: Element, path: string): Element =>
  elementAt(from, path) ?? misread(path, 'is missing.')

/** Reads the text at a path, on one line; null without one, or if it is empty. */
export function textAt(from: Element | null, path: string): string | null {
  const element = elementAt(from, path)
  return element && textOf(element, path)
}

/** Reads the texts of all elements at a path, whose last name may be there several times. */
export function textsAt(from: Element | null, path: string): string[] {
  const at = path.lastIndexOf('/')
  const parent = at < 0 ? from : elementAt(from, path.slice(0, at))
  return (parent ? childrenOf(parent, path.slice(at + 1)) : []).flatMap((one) => textOf(one, path) ?? [])
}

function textOf(element: Element, path: string): string | null {
  if (element.children.length > 0) misread(path, 'has elements in place of text.')
  const text = element.text.replaceAll(/\s+/g, ' ').trim()
  if (text.length > TEXT_MAX) misread(path, `has more than ${TEXT_MAX} characters.`)
  return text || null
}

export const needText = (from: Element, path: string): string => textAt(from, path) ?? misread(path, 'is missing.')

/** Reads the code of a choice between `Cd` and `Prtry`. */
export const codeAt = (from: Element | null, path: string): string | null =>
  textAt(from, `${path}/Cd`) ?? textAt(from, `${path}/Prtry`)

/** Reads an amount with its currency; null without one. Throws Misread for one that is not exact in its currency. */
export function moneyAt(from: Element | null, path: string): Money | null {
  const element = elementAt(from, path)
  if (!element) return null
  const text = textOf(element, path) ?? misread(path, 'is empty.')
  const currency = element.attributes.get('Ccy')
  if (!currency) return misread(path, 'has no currency.')
  if (!isBankCurrency(currency)) return misread(path, 'has a currency that is not known.')
  return { amount: decimalAt(text, currency, path), currency }
}

export const needMoney = (from: Element, path: string): Money => moneyAt(from, path) ?? misread(path, 'is missing.')

/** Reads a decimal of XML Schema without sign or with plus, exactly. */
export function decimalAt(text: string, currency: string, path: string): string {
  const [, whole = '', decimals = ''] = /^\+?(\d*)(?:\.(\d*))?$/.exec(text) ?? misread(path, 'is no amount.')
  if (!whole && !decimals) misread(path, 'is no amount.')
  const [left, right] = [whole.replace(/^0+(?=\d)/, '') || '0', trimZeros(decimals)]
  if (left.length + right.length > DIGITS_MAX) misread(path, `has more than ${DIGITS_MAX} digits.`)
  try {
    return moneyOf(right ? `${left}.${right}` : left, currency).amount
  } catch {
    return misread(path, 'has more decimals than its currency.')
  }
}

function trimZeros(decimals: string): string {
  let end = decimals.length
  while (end > 0 && decimals[end - 1] === '0') end -= 1
  return decimals.slice(0, end)
}

export type Direction = 'credit' | 'debit'

/** Reads a direction; null without one. */
export function directionAt(from: Element, path: string): Direction | null {
  const text = textAt(from, path)
  if (text === null) return null
  if (text !== 'CRDT' && text !== 'DBIT') return misread(path, 'is neither CRDT nor DBIT.')
  return text === 'CRDT' ? 'credit' : 'debit'
}

export const needDirection = (from: Element, path: string): Direction =>
  directionAt(from, path) ?? misread(path, 'is missing.')

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

export function booleanAt(from: Element, path: string): boolean | null {
  const text = textAt(from, path)
  return text === null ? null : (BOOLEANS[text] ?? misread(path, 'is neither true nor false.'))
}

/** Reads a count; null without one. */
export function countAt(from: Element | null, path: string): number | null {
  const text = textAt(from, path)
  if (text === null) return null
  return /^\d{1,15}$/.test(text) ? Number(text) : misread(path, 'is no number.')
}

const ZONE = '(?:Z|[+-]\\d{2}:\\d{2})?'
const DAY = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})${ZONE}$`)
const INSTANT = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?${ZONE}$`)

/** Reads the day of a date or of an instant, as the bank counts days; null without one. */
export function dayAt(from: Element, path: string): string | null {
  const [date, instant] = [textAt(from, `${path}/Dt`), textAt(from, `${path}/DtTm`)]
  if (date === null && instant === null) return null
  const day = DAY.exec(date ?? '')?.[1] ?? INSTANT.exec(instant ?? '')?.[1]
  return day && isOnCalendar(day) ? day : misread(path, 'is no day.')
}

/** Reads an instant as the bank writes it: without a zone it is the time of the bank. */
export function needInstant(from: Element, path: string): string {
  const text = needText(from, path)
  const day = INSTANT.exec(text)?.[1]
  return day && isOnCalendar(day) ? text : misread(path, 'is no instant.')
}

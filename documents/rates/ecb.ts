/** Reader of `eurofxref-daily.xml`, the reference rates of the European Central Bank. */
import { UnreadableBill } from '../../domain/bills/reader.ts'
import { isOnCalendar } from '../../domain/instants.ts'
import type { DailyRates } from '../../domain/reference-rates.ts'
import { parseXml } from '../xml/document.ts'
import type { Element } from '../xml/element.ts'

/** Namespace of the file, whose root is of another one (SDMX's gesmes). */
const NAMESPACE = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref'
const CURRENCY = /^[A-Z]{3}$/
const RATE = /^(?=.*[1-9])(?:0|[1-9]\d{0,8})(?:\.\d{1,12})?$/

/** Reads the rates of one day. Throws UnreadableBill unless everything in it is a rate of that day. */
export function readDailyRates(bytes: Uint8Array): DailyRates {
  const days = cubesIn(parseXml(bytes)).filter(({ attributes }) => attributes.has('time'))
  const [day, ...others] = days
  const time = day?.attributes.get('time') ?? ''
  if (!day || others.length > 0 || !isOnCalendar(time)) throw unreadable('has not the rates of one day')
  const rates = new Map<string, string>()
  for (const { attributes } of cubesIn(day).slice(1)) {
    const [currency, rate] = [attributes.get('currency') ?? '', attributes.get('rate') ?? '']
    if (!CURRENCY.test(currency) || !RATE.test(rate)) throw unreadable('has a rate that is none')
    if (rates.has(currency) || currency === 'EUR') throw unreadable('has two rates of a currency')
    rates.set(currency, rate)
  }
  if (rates.size === 0) throw unreadable('has no rate')
  return { day: time, perEuro: Object.fromEntries(rates) }
}

/** Lists the elements `Cube` of a tree, from its root on. */
const cubesIn = (element: Element): Element[] => [
  ...(element.name === 'Cube' && element.namespace === NAMESPACE ? [element] : []),
  ...element.children.flatMap(cubesIn),
]

const unreadable = (why: string): UnreadableBill => new UnreadableBill('damaged', `The file of rates ${why}.`)

/** Countries, subdivisions and currencies, read when somebody asks for the first time, and kept in memory. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import { currencyOf } from '../model/country.ts'
import { currencyDigits, currencyName, isCoin } from '../model/money/currencies.ts'
import type { ListedCountry, ListedCurrency } from '../model/reference.ts'
import { type Item, item } from './list.ts'

/** What dev/iso-codes.ts has written: a JSON text on each line, in the order of their codes. */
const linesOf = (name: 'countries' | 'subdivisions'): Buffer =>
  brotliDecompressSync(readFileSync(new URL(`../data/iso-codes/${name}.ndjson.br`, import.meta.url)))

/** The value that is computed when it is asked for the first time. */
function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= compute())
}

/** Every currency and coin. */
export const currencies = once((): readonly Item[] =>
  Object.entries(currencyDigits)
    .map(([code, precision]): ListedCurrency => {
      return { code, name: currencyName(code), precision, kind: isCoin(code) ? 'coin' : 'fiat' }
    })
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map((currency) => item(currency.code, currency)),
)

type Named = Omit<ListedCountry, 'calling_codes' | 'currency'>

/** Every country, with its alpha-3. */
const known = once(() =>
  linesOf('countries')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => {
      const named = JSON.parse(line) as Named // as it was written
      const { alpha2, alpha3 } = named
      const country: ListedCountry = { ...named, calling_codes: callingCodesOf(alpha2), currency: currencyOf(alpha2) }
      return { alpha3, ...item(alpha2, country) }
    }),
)

/** Every country. */
export const countries = (): readonly Item[] => known()

/** As a number in E.164 begins; none where nobody lives. */
const callingCodesOf = (country: string): string[] =>
  isSupportedCountry(country) ? [`+${getCountryCallingCode(country)}`] : []

/** The subdivisions of every country by its alpha-2 and by its alpha-3. */
const subdivisions = once((): ReadonlyMap<string, readonly Item[]> => {
  const lists = new Map<string, Item[]>()
  for (const { code, alpha3 } of known()) {
    const list: Item[] = []
    lists.set(code, list).set(alpha3, list)
  }
  for (const json of each(linesOf('subdivisions'))) {
    const [, code = '', country = ''] =
      /^\{"code":"(([A-Z]{2})-\w+)"/.exec(json.toString('latin1', 0, CODE_BYTES)) ?? []
    lists.get(country)?.push({ code, json })
  }
  return lists
})

const CODE_BYTES = 24
const NEWLINE = 0x0a

/** The lines of a text, which are not copied. */
function* each(lines: Buffer): Generator<Buffer> {
  let from = 0
  for (let to = lines.indexOf(NEWLINE); to >= 0; to = lines.indexOf(NEWLINE, from)) {
    yield lines.subarray(from, to)
    from = to + 1
  }
}

/** The subdivisions of a country by its alpha-2 or alpha-3 in any case; undefined if there is no such country. */
export const subdivisionsOf = (country: string): readonly Item[] | undefined =>
  // only ASCII: ß in capitals would be SS, which is South Sudan
  /^[a-z]+$/i.test(country) ? subdivisions().get(country.toUpperCase()) : undefined

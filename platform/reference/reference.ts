/** Countries, subdivisions and currencies, read at the first request and kept in memory. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import { currencyOf } from '../../domain/country.ts'
import { currencyDigits, currencyName, isCoin } from '../../domain/money/currencies.ts'
import type { ListedCountry, ListedCurrency } from '../../domain/reference.ts'
import { type Item, StaticList } from './list.ts'

/** Reads the output of dev/iso-codes.ts: a JSON text on each line, in the order of their codes. */
const linesOf = (name: 'countries' | 'subdivisions'): Buffer =>
  brotliDecompressSync(readFileSync(new URL(`../../domain/data/iso-codes/${name}.ndjson.br`, import.meta.url)))

function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= compute())
}

export const currencies = once(() => {
  const items = Object.entries(currencyDigits).map(([code, precision]): Item => {
    const currency: ListedCurrency = { code, name: currencyName(code), precision, kind: isCoin(code) ? 'coin' : 'fiat' }
    return { code, json: Buffer.from(JSON.stringify(currency)) }
  })
  return new StaticList(items.toSorted((a, b) => (a.code < b.code ? -1 : 1)))
})

const HEAD_BYTES = 32
const NEWLINE = 0x0a

/** Yields each line of a text, without a copy, with the match at its beginning. */
function* matchLines(lines: Buffer, beginning: RegExp): Generator<[line: Buffer, found: readonly string[]]> {
  let from = 0
  for (let to = lines.indexOf(NEWLINE); to >= 0; to = lines.indexOf(NEWLINE, from)) {
    const line = lines.subarray(from, to)
    yield [line, beginning.exec(line.toString('latin1', 0, HEAD_BYTES))?.slice(1) ?? []]
    from = to + 1
  }
}

const known = once(() =>
  Array.from(
    matchLines(linesOf('countries'), /^\{"alpha2":"(\w+)","alpha3":"(\w+)"/),
    ([line, [code = '', alpha3 = '']]) => {
      const more: Pick<ListedCountry, 'calling_codes' | 'currency'> = {
        calling_codes: callingCodesOf(code),
        currency: currencyOf(code),
      }
      // spliced into the object of the line
      const json = Buffer.concat([line.subarray(0, -1), Buffer.from(`,${JSON.stringify(more).slice(1)}`)])
      return { code, alpha3, json }
    },
  ),
)

export const countries = once(() => new StaticList(known()))

/** Lists the calling codes (E.164) of a country. */
const callingCodesOf = (country: string): string[] =>
  isSupportedCountry(country) ? [`+${getCountryCallingCode(country)}`] : []

/** Subdivisions by the country's alpha-2 and alpha-3. */
const subdivisions = once((): ReadonlyMap<string, StaticList> => {
  const items = new Map(known().map(({ code }): [string, Item[]] => [code, []]))
  for (const [json, [code = '', country = '']] of matchLines(linesOf('subdivisions'), /^\{"code":"((\w+)-\w+)"/))
    items.get(country)?.push({ code, json })
  const lists = known().map(({ code, alpha3 }) => ({ code, alpha3, list: new StaticList(items.get(code) ?? []) }))
  return new Map(
    lists.flatMap(({ code, alpha3, list }) => [
      [code, list],
      [alpha3, list],
    ]),
  )
})

/** Finds subdivisions by the country's alpha-2 or alpha-3 in any case; undefined for an unknown country. */
export const subdivisionsOf = (country: string): StaticList | undefined =>
  // only ASCII: ß in capitals would be SS, which is South Sudan
  /^[a-z]+$/i.test(country) ? subdivisions().get(country.toUpperCase()) : undefined

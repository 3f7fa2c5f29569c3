/** Address of the supplier beside its name on a page, where nothing else can be meant. */
import { COUNTRIES } from '../../domain/country.ts'
import { fold } from './text/labels/fold.ts'
import { isOfCustomer } from './parties/customer.ts'
import type { Party } from './parties/tax-ids.ts'
import type { Word } from '../../domain/bills/page.ts'
import { type Cell, type Line, cellOf } from './text/words.ts'
import type { AddressColumn } from '../../domain/destinations/payee-address.ts'

/** Postal codes by country, where they stand before the town. */
const CODES: Readonly<Record<string, RegExp>> = {
  AT: /^\d{4}$/,
  BE: /^\d{4}$/,
  CH: /^\d{4}$/,
  DE: /^\d{5}$/,
  DK: /^\d{4}$/,
  ES: /^\d{5}$/,
  FR: /^\d{5}$/,
  IT: /^\d{5}$/,
  LU: /^\d{4}$/,
  NL: /^\d{4} ?[A-Z]{2}$/,
  PL: /^\d{2}-\d{3}$/,
  PT: /^\d{4}-\d{3}$/,
  SE: /^\d{3} ?\d{2}$/,
}
/** Letters of a country before a postal code, as in D-10115. */
const PREFIXES: Readonly<Record<string, string>> = {
  A: 'AT',
  B: 'BE',
  D: 'DE',
  E: 'ES',
  F: 'FR',
  I: 'IT',
  L: 'LU',
  P: 'PT',
  S: 'SE',
  ...Object.fromEntries(Object.keys(CODES).map((code) => [code, code])),
}
const TOWN =
  /^(?:([A-Z]{1,2})[- ])?(\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|\d{4,5}) (\p{Lu}[\p{L}.'’ -]{1,60})$/u
const STREET = /^(?=.*\p{L}{3})(?=.*\d)[\p{L}\d.,'’/ -]{5,70}$/u
/** Words of other lines with letters and digits. */
const NO_STREET =
  /(?<![a-z])(?:tel|fon|fax|mail|iban|bic|nr|no|www|http|ust|vat|tva|iva|btw|steuer|siret|hrb|kvk|www)(?![a-z])/
const SEPARATOR = /^[|·•–—]$/
/** Longest distance to the next line of a block, in heights of a letter. */
const NEXT_LINE = 2.2
const LANGUAGES = ['de', 'en', 'fr', 'es', 'it', 'nl', 'sv', 'da', 'pl', 'pt']

type AddressFinding = { readonly field: AddressColumn; readonly value: string; readonly cell: Cell }

/**
 * Finds the address beneath the supplier's name, or behind it on one line. A country is named with it, or is that of
 * the supplier's VAT number if the postal code has its form. Nothing if there are two addresses, or letters were
 * recognized.
 */
export function supplierAddressOn(lines: readonly Line[], supplier: Party, vat: Party | undefined): AddressFinding[] {
  const name = fold(supplier.value)
  const found = lines.flatMap((line, index) =>
    line.cells.flatMap((cell) => {
      if (cell.confidence !== null || isOfCustomer(lines, line, cell)) return []
      const parts = partsOf(cell)
      const at = parts.findIndex(({ text }) => fold(text) === name)
      if (at < 0) return []
      const block = parts.length > 1 ? parts.slice(at + 1) : beneath(lines, index, cell)
      return [readBlock(block, vat)].filter((one) => one.length > 0)
    }),
  )
  const [first = []] = found
  const textOf = (one: readonly AddressFinding[]) => one.map(({ field, value }) => `${field} ${fold(value)}`).join('\n')
  return new Set(found.map(textOf)).size === 1 ? first : []
}

/** Splits a cell at signs between its parts. */
function partsOf(cell: Cell): Cell[] {
  const parts: Word[][] = [[]]
  for (const word of cell.words) {
    if (SEPARATOR.test(word.text)) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts.filter((words) => words.length > 0).map((words) => cellOf(words, cell.page))
}

/** Lists up to three cells of a block that begins with this one, one beneath the other. */
function beneath(lines: readonly Line[], index: number, { box, page }: Cell): Cell[] {
  const block: Cell[] = []
  let [left, top, , height] = box
  for (const line of lines.slice(index + 1)) {
    const next = line.cells.find(({ box: [x] }) => Math.abs(x - left) < height)
    if (line.page !== page || block.length === 3) break
    if (line.box[1] - top > height * NEXT_LINE) break
    if (!next) continue
    block.push(next)
    ;[left, top, , height] = next.box
  }
  return block
}

function readBlock([street, town, country]: readonly Cell[], vat: Party | undefined): AddressFinding[] {
  if (!street || !town || !STREET.test(street.text) || NO_STREET.test(fold(street.text))) return []
  const [, prefix, code, city] = TOWN.exec(town.text) ?? []
  if (!code || !city) return []
  const named = country && countryNamed(country.text)
  const told: readonly (readonly [string | undefined, Cell | undefined])[] = [
    [prefix && PREFIXES[prefix], town],
    [named, country],
    [vat?.value.slice(0, 2), vat?.cell],
  ]
  const [home, cell] = told.find(([one]) => one !== undefined) ?? []
  if (!home || !cell || !CODES[home]?.test(code)) return []
  return [
    { field: 'address_street', value: street.text, cell: street },
    { field: 'address_postal_code', value: code, cell: town },
    { field: 'address_town', value: city, cell: town },
    { field: 'address_country', value: home, cell },
  ]
}

let names: ReadonlyMap<string, string> | undefined

/** Finds the country of a name in one of ten languages. */
function countryNamed(text: string): string | undefined {
  names ??= new Map(
    LANGUAGES.flatMap((language) => {
      const regions = new Intl.DisplayNames([language], { type: 'region' })
      return Array.from(COUNTRIES, (country) => [fold(regions.of(country) ?? ''), country] as const)
    }),
  )
  return names.get(fold(text))
}

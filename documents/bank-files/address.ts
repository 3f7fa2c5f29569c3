/**
 * Postal addresses of ISO 20022 by the rules of 2025 (EPC, CBPR+): structured, or hybrid where a member is too long for
 * its element. Town and country always have elements of their own.
 */
import type { SentAddress } from '../../domain/destinations/payee-address.ts'
import type { SentPayer } from '../../domain/organizations/payer.ts'

export type AddressPart = readonly [element: string, text: string]

/** Lines of a hybrid address, and characters of each. */
const [LINES_MAX, LINE_MAX] = [2, 70]
export const TOWN_MAX = 35
/** Elements beside town and country, with the characters of each. */
const ELEMENTS = {
  street: ['StrtNm', 70],
  building_number: ['BldgNb', 16],
  postal_code: ['PstCd', 16],
  region: ['CtrySubDvsn', 35],
} as const
type Member = keyof typeof ELEMENTS
const ORDER = ['StrtNm', 'BldgNb', 'PstCd', 'TwnNm', 'CtrySubDvsn', 'Ctry']

/** Lists the elements of an address in their order; null if it does not fit. */
export function partsOf({ town = '', country_code = '', ...address }: SentAddress): AddressPart[] | null {
  const members = Object.keys(ELEMENTS) as Member[] // its own keys
  const given = members.flatMap((member) => (address[member] ? [[member, address[member]] as const] : []))
  const tooLong = new Set(given.flatMap(([member, text]) => (text.length > ELEMENTS[member][1] ? [member] : [])))
  // the number of a building alone says nothing
  if (tooLong.has('street') || tooLong.has('building_number')) tooLong.add('street').add('building_number')
  const lines = linesOf(given.flatMap(([member, text]) => (tooLong.has(member) ? [text] : [])).join(' '))
  const own = given.flatMap(([member, text]): AddressPart[] =>
    tooLong.has(member) ? [] : [[ELEMENTS[member][0], text]],
  )
  return assemble(own, { town, country_code }, lines)
}

/** Lists the elements of a payer's address, whose first lines are free text; null if it does not fit. */
export function partsOfPayer({ line1, line2 = '', postal_code, town, country_code }: SentPayer['address']) {
  const own: AddressPart[] = postal_code ? [['PstCd', postal_code]] : []
  if (postal_code.length > ELEMENTS.postal_code[1]) return null
  const fit = [line1, line2].filter(Boolean)
  const lines = fit.every(({ length }) => length <= LINE_MAX) ? fit : linesOf(fit.join(' '))
  return assemble(own, { town, country_code }, lines)
}

function assemble(
  own: readonly AddressPart[],
  { town, country_code }: { readonly town: string; readonly country_code: string },
  lines: readonly string[],
): AddressPart[] | null {
  if (lines.length > LINES_MAX || town.length > TOWN_MAX) return null
  const parts: AddressPart[] = [...own, ['TwnNm', town], ['Ctry', country_code]]
  return [
    ...parts.toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b)),
    ...lines.map((line): AddressPart => ['AdrLine', line]),
  ]
}

/** Breaks text into lines at blanks; words that are longer than a line, within them. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > LINE_MAX) {
    const blank = rest.lastIndexOf(' ', LINE_MAX)
    const end = blank > 0 ? blank : LINE_MAX
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return rest ? [...lines, rest] : lines
}
